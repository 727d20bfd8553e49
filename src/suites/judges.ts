import { AppError } from "../core/errors.ts"
import type { ServiceSpec } from "../core/service-spec.ts"
import type { Variables } from "../lib/dotenv.ts"
import type { Judge, LateJudge } from "../score/judge.ts"
import { judgesNamed } from "../score/judge-run.ts"
import { openModelJudge } from "../score/judges/model/judge.ts"
import { readRubrics } from "../score/judges/model/rubric.ts"
import { modelFor } from "./model.ts"

/** What an experiment file says under `judge`. */
export type JudgeSettings = ServiceSpec["judge"]

export interface OpenJudges {
  readonly judges: readonly (Judge | LateJudge)[]
  /** Draws of a model that were asked for, and those that were kept from earlier; undefined: no model judges. */
  counts(): { readonly asked: number; readonly found: number } | undefined
  close(): Promise<void>
}

/** What a judge's model is given to think and to answer, where the settings do not say: several draws must be able to differ. */
const SAMPLING = { temperature: 0.7, max_tokens: 4096 }

/** Looks at judges, rubrics and variables before anything is played. Throws as {@link openJudges} does. */
export async function checkJudges(settings: JudgeSettings, variables: Variables): Promise<void> {
  judgesNamed(settings.judges.filter((name) => name !== "model"))
  if (!settings.judges.includes("model")) return
  for (const rubric of settings.rubrics) await readRubrics(rubric)
  const model = await modelFor(modelOf(settings), variables)
  await model.close()
}

/**
 * Opens the judges that `settings` name for the run in `folder`; `model` asks the settings' model. Throws `BAD_INPUT` for a judge there is
 * not, a rubric with faults and a key that is not set, `NOT_FOUND`, and `REFUSED` while another process judges the run with a model.
 */
export async function openJudges(
  settings: JudgeSettings,
  {
    folder,
    variables,
    concurrency,
  }: { readonly folder: string; readonly variables: Variables; readonly concurrency?: number },
): Promise<OpenJudges> {
  if (!settings.judges.includes("model")) {
    return { judges: judgesNamed(settings.judges), counts: () => undefined, close: async () => {} }
  }
  const others = judgesNamed(settings.judges.filter((name) => name !== "model"))
  const rubrics = (await Promise.all(settings.rubrics.map(readRubrics))).flat()
  const model = modelOf(settings)
  const shared = await modelFor(model, variables)
  try {
    const judge = await openModelJudge({
      folder,
      model: shared.open(),
      rubrics,
      draws: settings.draws,
      ...(concurrency !== undefined && { concurrency }),
      ...(model.price !== undefined && { price: model.price }),
    })
    return {
      judges: [...others, judge],
      counts: () => judge.counts(),
      async close() {
        await judge.close()
        await shared.close()
      },
    }
  } catch (error) {
    await shared.close()
    throw error
  }
}

function modelOf({ model }: JudgeSettings) {
  if (model === null || model.base_url === undefined) {
    throw new AppError("BAD_INPUT", "The judge `model` needs a model to ask: its name and base_url")
  }
  return { ...SAMPLING, ...model }
}
