import { AppError } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import type { Manifest } from "../core/run.ts"
import { Price } from "../core/run-spec.ts"
import type { Summary } from "../core/score.ts"
import { readPlays } from "../store/plays.ts"
import { readManifest } from "../store/read.ts"
import { Aggregate, type SummarySettings } from "./aggregate.ts"
import { buyerWarnings, summarizeBuyers } from "./buyers.ts"
import { CaseFigures } from "./case-figures.ts"
import { FirstReplies } from "./first-replies.ts"
import { readJudgment } from "./judge-run.ts"
import { packOf } from "./packs/pack.ts"
import { buyerUsage, PartyCosts, shopperUsage } from "./party-costs.ts"

export type { SummarySettings } from "./aggregate.ts"

/**
 * The summary of the run in `folder`, from its manifest and traces alone, read once. Episodes of other runs' jobs are left out.
 * Throws `BAD_INPUT` when fewer episodes are said to be requested than are on record.
 *
 * @example console.log((await summarize("runs/first")).primary.success_rate)
 */
export async function summarize(folder: string, settings: SummarySettings = {}): Promise<Summary> {
  const { plan, name, fingerprint, execution } = readManifest(folder)
  const price = Price.safeParse(execution.price)
  const service = plan.suite === "service"
  const aggregate = new Aggregate(plan.jobs, await packOf(folder, plan), {
    ...(price.success && { price: price.data }),
  })
  const replies = service ? new FirstReplies(plan.jobs, goalOf(execution)) : undefined
  const cases = service ? new CaseFigures(plan.jobs) : undefined
  const parties = new PartyCosts({ ...priceOf("buyer", execution), ...priceOf("shopper", execution) })
  const planned = new Set(plan.jobs.map(({ key }) => key))
  for await (const { play } of readPlays(folder)) {
    aggregate.add(play)
    replies?.add(play)
    cases?.add(play)
    if (!planned.has(play.header.episode_id)) continue
    if (service) parties.add("buyer", buyerUsage(play))
    else parties.add("shopper", shopperUsage(play))
  }
  const figures = aggregate.summary({ suite: plan.suite, name, fingerprint }, settings)
  const others = parties.figures()
  const summary = others === undefined ? figures : { ...figures, cost: { ...figures.cost, parties: others } }
  const { requested, recorded } = summary.counts
  if (requested < recorded) {
    throw new AppError("BAD_INPUT", `${requested} episodes cannot have been requested: ${recorded} jobs are on record`)
  }
  if (!service) return summary
  const judgment = readJudgment(folder)
  const firstReplies = replies?.summary()
  const buyer = await buyersOf(folder, plan, execution)
  const sales = cases?.sales()
  const colleagues = cases?.colleagues(plannedActions(plan))
  return {
    ...summary,
    ...(buyer && { warnings: [...(summary.warnings ?? []), ...buyerWarnings(buyer)] }),
    ...(judgment && { judgment }),
    ...(buyer && { buyer }),
    ...(sales && { sales }),
    ...(colleagues && { colleagues }),
    ...(firstReplies && { first_replies: firstReplies }),
  }
}

/** What a party's tokens cost, where the run says it. */
function priceOf<Party extends "buyer" | "shopper">(
  party: Party,
  execution: Manifest["execution"],
): Partial<Record<Party, Price>> {
  const parsed = Price.safeParse(execution[`${party}_price`])
  return parsed.success ? ({ [party]: parsed.data } as Record<Party, Price>) : {} // of one party
}

/** Planned cases with a colleague's action: every repeat of a script has its own. */
function plannedActions({ environment: { human }, jobs }: Manifest["plan"]): number {
  if (!isJsonObject(human) || !Array.isArray(human.planned)) return 0
  const drawn = new Set(human.planned.map((one) => (isJsonObject(one) ? one.case_id : undefined)))
  return jobs.filter(({ task_id }) => drawn.has(task_id)).length
}

/** The simulated buyers, where the plan has any. */
async function buyersOf(folder: string, plan: Manifest["plan"], execution: Manifest["execution"]) {
  const { role } = plan.environment
  if (!isJsonObject(role) || role.role !== "simulated") return undefined
  const { buyer_fault_limit: limit } = execution
  return summarizeBuyers(
    folder,
    new Set(plan.jobs.map(({ key }) => key)),
    typeof limit === "number" ? limit : undefined,
  )
}

/** What a first reply is held to where a run says nothing else. */
const FIRST_REPLY_TARGET_S = 30

/** Milliseconds. */
function goalOf({ first_reply_target_s: target }: Manifest["execution"]): number {
  return (typeof target === "number" ? target : FIRST_REPLY_TARGET_S) * 1000
}
