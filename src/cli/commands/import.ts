import { importTau2Retail } from "../../service/tau2/import.ts"
import type { Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"

export const registerImport: Register = (program, run) => {
  commandGroup(program, "import")
    .command("tau2-retail")
    .description("make a service pack of τ²-bench's retail domain")
    .argument("<folder>", "a checkout of sierra-research/tau2-bench, or the folder of its retail data")
    .requiredOption("--out <pack>", "the folder to make")
    .option("--force", "replace a pack that is there")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The pack holds the tasks as scripts, the policy as it is, the database as tables and the splits. Nothing is downloaded.

Examples:
  git clone https://github.com/sierra-research/tau2-bench
  souk import tau2-retail tau2-bench --out tau2-retail.pack
  souk tasks prove tau2-retail.pack`,
    )
    .action(
      run((context, folder: string, { out, force = false }: { out: string; force?: boolean }) => {
        const manifest = importTau2Retail(folder, out, { force })
        const { world, scripts } = manifest
        const tables = world.kind === "tables" ? Object.entries(world.tables) : []
        const rows = tables.map(([name, table]) => `${table.rows} ${name}`).join(", ")
        context.result({ pack: out, manifest }, `${out}: ${scripts} scripts, ${rows}`)
      }),
    )
}
