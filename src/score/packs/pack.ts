import type { Play } from "../../core/play.ts"
import type { Plan } from "../../core/run.ts"
import { readCaseJudgments } from "../judge-run.ts"
import type { Measures } from "./measures.ts"
import { measureService, SERVICE_PACK } from "./service.ts"
import { measurePlay, SHOPPING_PACK } from "./shopping.ts"

/** What measures the episodes of a suite. */
export interface Pack {
  /** Name and version. */
  readonly name: string
  readonly measure: (play: Play) => Measures
}

/** The pack for the run in `folder`. Service cases are measured by the last judging of the run. */
export async function packOf(folder: string, { suite }: Pick<Plan, "suite">): Promise<Pack> {
  if (suite !== "service") return { name: SHOPPING_PACK, measure: measurePlay }
  const judged = await readCaseJudgments(folder)
  return { name: SERVICE_PACK, measure: measureService((episodeId) => judged?.get(episodeId)) }
}
