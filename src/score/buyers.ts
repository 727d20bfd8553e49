import { BuyerFault, BuyerFidelity, type BuyerShare, type BuyerSummary } from "../core/buyer.ts"
import type { Summary } from "../core/score.ts"
import { wilsonInterval } from "../lib/intervals.ts"
import { readEpisodes } from "../store/read.ts"

/** Where an experiment says nothing else: a share of faults above it is warned of. */
const BUYER_FAULT_LIMIT = 0.05

/** Faults that make a turn a faulty one. Style varies, and an early end is of a case. */
const OF_TURNS: ReadonlySet<BuyerFault> = new Set(["leak", "invention", "contradiction", "empty_turn"])

/**
 * The simulated buyers of the run in `folder`, from its traces alone: the last attempt of each planned job. Undefined where no buyer was
 * measured. Pooled over turns; intervals take turns as independent.
 */
export async function summarizeBuyers(
  folder: string,
  jobs: ReadonlySet<string>,
  limit: number = BUYER_FAULT_LIMIT,
): Promise<BuyerSummary | undefined> {
  const last = new Map<string, BuyerFidelity>()
  for await (const { episode_id, evidence } of readEpisodes(folder)) {
    if (!jobs.has(episode_id)) continue
    const parsed = BuyerFidelity.safeParse(evidence.buyer)
    if (parsed.success) last.set(episode_id, parsed.data)
    else last.delete(episode_id)
  }
  return last.size === 0 ? undefined : buyerSummary([...last.values()], limit)
}

/** Adds up the buyers of at least one case. */
export function buyerSummary(buyers: readonly BuyerFidelity[], limit: number): BuyerSummary {
  const total = (of: (buyer: BuyerFidelity) => number) => buyers.reduce((sum, buyer) => sum + of(buyer), 0)
  const turns = total((buyer) => buyer.turns)
  const turnsWith = (wanted: (kind: BuyerFault) => boolean) =>
    total(({ faults }) => new Set(faults.filter(({ kind }) => wanted(kind)).map(({ turn }) => turn)).size)
  const ended = buyers.filter((buyer) => buyer.ended_by_buyer)
  const early = ended.filter(({ faults }) => faults.some(({ kind }) => kind === "early_end")).length
  const modes = new Set(buyers.map(({ mode }) => mode))
  return {
    measure: buyers[0]!.measure,
    mode: modes.size === 1 ? buyers[0]!.mode : "mixed",
    cases: buyers.length,
    turns,
    faulty_turns: share(
      turnsWith((kind) => OF_TURNS.has(kind)),
      turns,
    ),
    faults: Object.fromEntries(
      BuyerFault.options.map((kind) => [
        kind,
        kind === "early_end"
          ? share(early, ended.length)
          : share(
              turnsWith((found) => found === kind),
              turns,
            ),
      ]),
    ) as BuyerSummary["faults"],
    invalid_cases: share(buyers.filter(({ invalid }) => invalid).length, buyers.length),
    refused_drafts: share(
      total(({ refused }) => refused.length),
      total(({ drafts }) => drafts),
    ),
    reminders: total(({ reminders }) => reminders),
    held_back: total(({ held_back }) => held_back),
    simulated_deals: buyers.filter(({ simulated_deal }) => simulated_deal).length,
    limit,
  }
}

/** What to mind of a run's buyers when reading the agent's figures. */
export function buyerWarnings({
  faulty_turns,
  faults,
  invalid_cases,
  limit,
}: BuyerSummary): NonNullable<Summary["warnings"]> {
  const shares = [
    ["turns", "say what the buyer may not know or made up, contradict its card, or say nothing", faulty_turns],
    ["cases", "were left by the buyer before its part was done", faults.early_end],
    ["cases", "are invalid because of the buyer", invalid_cases],
  ] as const
  const above = shares.filter(([, , { rate }]) => rate !== undefined && rate > limit)
  if (above.length === 0) return []
  const told = above.map(([what, why, { count, of, rate }]) => `${count} of ${of} ${what} (${percent(rate!)}) ${why}`)
  return [
    {
      code: "buyer_faults",
      message: `the simulated buyer is at fault above the limit of ${percent(limit)}: ${told.join("; ")}; the figures say less about the agent`,
    },
  ]
}

function share(count: number, of: number): BuyerShare {
  const interval = wilsonInterval(count, of)
  return { count, of, ...(interval !== undefined && { rate: count / of, interval: { ...interval } }) }
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`
}
