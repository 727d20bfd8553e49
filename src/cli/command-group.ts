import type { Command } from "commander"

const GROUPS: Readonly<Record<string, string>> = {
  annotate: "have a model read the budgets of tasks with a persona, with evidence",
  catalog: "make, check and search catalogs of products",
  import: "bring in what others made for evaluating service agents",
  search: "measure what search finds",
  split: "divide a catalog's tasks",
  tasks: "write and prove tasks",
  traces: "bring in, give out and measure recorded episodes",
}

/** The command `name` that others stand under (`souk catalog import`), made by whichever of them is registered first. */
export function commandGroup(program: Command, name: keyof typeof GROUPS & string): Command {
  const found = program.commands.find((command) => command.name() === name)
  return found ?? program.command(name).description(GROUPS[name] ?? "")
}
