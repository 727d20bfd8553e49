import assert from "node:assert/strict"
import { Script } from "../service/script.ts"
import type { EvaluationScriptSource } from "../service/script-source.ts"
import { assertJson, leavesNothing, rejectsWith } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"

export interface SourceContractOptions {
  /** Cases that it has. */
  readonly caseIds: readonly string[]
  /** One that it has and must not give. */
  readonly refused?: string
}

/** What the runner relies on of an `EvaluationScriptSource`. `open` opens the same scripts each time. */
export function scriptSourceContract(
  open: () => EvaluationScriptSource | Promise<EvaluationScriptSource>,
  { caseIds, refused }: SourceContractOptions,
): ContractCheck[] {
  const live = new AbortController().signal
  return [
    {
      name: "a source gives scripts in their form, of the case that was asked for",
      async check() {
        const source = await open()
        for (const caseId of caseIds) {
          const script = await source.load(caseId, live)
          assertJson(script, "a script")
          assert.deepEqual(Script.parse(script), script, "with every default filled in")
          assert.ok(script.case_id === caseId || script.id === caseId)
        }
      },
    },
    {
      name: "a source gives a case's script the same every time, also at once",
      async check() {
        const [source, other] = [await open(), await open()]
        for (const caseId of caseIds) {
          const [first, ...again] = await Promise.all([
            source.load(caseId, live),
            source.load(caseId, live),
            other.load(caseId, live),
          ])
          for (const script of again) assert.deepEqual(script, first)
        }
      },
    },
    {
      name: "a source says NOT_FOUND for a case it does not have, and works on",
      async check() {
        const source = await open()
        await rejectsWith("NOT_FOUND", source.load("no such case", live))
        await source.load(caseIds[0]!, live)
      },
    },
    ...(refused === undefined
      ? []
      : [
          {
            name: "a source says REFUSED for a case that it must not give",
            check: async () => rejectsWith("REFUSED", (await open()).load(refused, live)),
          },
        ]),
    {
      name: "a source whose signal is aborted rejects, before and after it has read, and works on",
      async check() {
        const stopped = () => AbortSignal.abort(new Error("stopped"))
        const source = await open()
        await assert.rejects(source.load(caseIds[0]!, stopped()))
        await source.load(caseIds[0]!, live)
        await assert.rejects(source.load(caseIds[0]!, stopped()))
        await source.load(caseIds[0]!, live)
      },
    },
    {
      name: "a source leaves nothing open",
      check: () =>
        leavesNothing(async () => {
          await (await open()).load(caseIds[0]!, live)
        }),
    },
  ]
}
