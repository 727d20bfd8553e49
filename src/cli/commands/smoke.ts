import { AppError } from "../../core/errors.ts"
import { probeShop, type ShopProtocol } from "../../shop/probe.ts"
import { remoteEnvironment } from "../../shop/remote.ts"
import { type SmokeCheck, smokeTest } from "../../shop/smoke.ts"
import { EXIT, type Register } from "../command.ts"
import { rulesNamed, tokenVariable } from "../flags.ts"

interface SmokeFlags {
  readonly protocol?: string
  readonly rules?: string
  readonly task?: string[]
  readonly tokenEnv?: string
}

const MARKS = { passed: "ok  ", failed: "FAIL", skipped: "skip" } as const

export const registerSmoke: Register = (program, run) => {
  program
    .command("smoke")
    .description("play a shop server without a model and check what it answers")
    .argument("<url>", "http://host:port")
    .option("--protocol <name>", "native or reference; both, where both are spoken, when left out")
    .option("--rules <name>", "rules of native sessions: v8 or souk")
    .option("--task <id...>", "tasks to play on; some are looked up when left out")
    .option("--token-env <name>", "environment variable with the token")
    .option("--json", "print JSON")
    .action(
      run(async (context, url: string, flags: SmokeFlags) => {
        const token = tokenVariable(flags.tokenEnv)
        const rules = flags.rules === undefined ? undefined : rulesNamed(flags.rules)
        const { signal } = context
        const spoken = await probeShop({ baseUrl: url, token, signal, protocol: protocolNamed(flags.protocol) })
        const results: { protocol: ShopProtocol; checks: SmokeCheck[] }[] = []
        for (const { protocol, taskIds } of spoken) {
          context.note(`${url} by the ${protocol} protocol:`)
          const shop = remoteEnvironment({
            baseUrl: url,
            token,
            protocol,
            timeouts: { reset: 60_000 },
            ...(rules === undefined || protocol === "reference" ? {} : { rules }),
          })
          const checks = await smokeTest(shop, {
            taskIds: flags.task ?? taskIds,
            signal,
            onCheck: ({ name, result, detail }) => context.note(`${MARKS[result]} ${name}: ${detail}`),
          })
          results.push({ protocol, checks })
        }
        const all = results.flatMap(({ checks }) => checks)
        const count = (result: SmokeCheck["result"]): number => all.filter((check) => check.result === result).length
        if (count("failed") > 0) context.exitCode = EXIT.incomplete
        context.result(
          { url, ok: count("failed") === 0, results },
          `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
        )
      }),
    )
}

function protocolNamed(text: string | undefined): ShopProtocol | undefined {
  if (text === undefined || text === "native" || text === "reference") return text
  throw new AppError("BAD_INPUT", `--protocol must be native or reference, not ${JSON.stringify(text)}`)
}
