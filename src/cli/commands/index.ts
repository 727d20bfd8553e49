import type { Register } from "../command.ts"

/** One file of commands. It is loaded only when one of its top-level names is asked for, or for the list of all. */
interface CommandFile {
  readonly names: readonly string[]
  load(): Promise<Register>
}

/** Every command, in the order the help shows them. */
const COMMANDS: readonly CommandFile[] = [
  { names: ["demo"], load: async () => (await import("./demo.ts")).registerDemo },
  { names: ["init"], load: async () => (await import("./init.ts")).registerInit },
  { names: ["plan"], load: async () => (await import("./plan.ts")).registerPlan },
  { names: ["run"], load: async () => (await import("./run.ts")).registerRun },
  { names: ["show"], load: async () => (await import("./show.ts")).registerShow },
  { names: ["summarize", "score"], load: async () => (await import("./score.ts")).registerScoring },
  { names: ["report"], load: async () => (await import("./report.ts")).registerReport },
  { names: ["compare"], load: async () => (await import("./compare.ts")).registerCompare },
  { names: ["judge"], load: async () => (await import("./judge.ts")).registerJudge },
  { names: ["agreement"], load: async () => (await import("./agreement.ts")).registerAgreement },
  { names: ["verify"], load: async () => (await import("./verify.ts")).registerVerify },
  { names: ["traces"], load: async () => (await import("./traces.ts")).registerTraces },
  { names: ["serve"], load: async () => (await import("./serve.ts")).registerServe },
  { names: ["smoke"], load: async () => (await import("./smoke.ts")).registerSmoke },
  { names: ["doctor"], load: async () => (await import("./doctor.ts")).registerDoctor },
  { names: ["mock-model"], load: async () => (await import("./mock-model.ts")).registerMockModel },
  { names: ["catalog"], load: async () => (await import("./catalog.ts")).registerCatalog },
  { names: ["catalog", "tasks"], load: async () => (await import("./generate.ts")).registerGenerate },
  { names: ["tasks"], load: async () => (await import("./prove.ts")).registerProve },
  { names: ["import"], load: async () => (await import("./import.ts")).registerImport },
  { names: ["annotate"], load: async () => (await import("./annotate.ts")).registerAnnotate },
  { names: ["search"], load: async () => (await import("./search.ts")).registerSearchEvaluate },
  { names: ["split"], load: async () => (await import("./split.ts")).registerSplitBuild },
]

/** The files that hold `name`; all of them for a name that nobody has. */
export function commandFiles(name: string | undefined): readonly CommandFile[] {
  const asked = COMMANDS.filter(({ names }) => name !== undefined && names.includes(name))
  return asked.length > 0 ? asked : COMMANDS
}
