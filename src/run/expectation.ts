import { costOf } from "../core/cost.ts"
import type { Price, RunSpec } from "../core/run-spec.ts"
import type { Summary } from "../core/score.ts"

/** What a whole run will take, for all its episodes. */
export interface Expectation {
  readonly episodes: number
  readonly steps: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost?: { readonly currency: string; readonly amount: number }
  /** `recorded`: going by the run's own episodes so far. `assumed`: by figures that fit most shops and models, roughly. */
  readonly basis: "recorded" | "assumed"
}

/** Of an episode nobody has seen yet: model turns, and tokens of instructions with tools, of a page, of a reply. */
const ASSUMED = { steps: 8, instructions: 800, page: 700, reply: 150 } as const

/** What one episode may take; built-in models count no tokens. */
export interface Assumption {
  readonly steps: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** What `episodes` episodes will take: by `summary` of those on record if there is one with tokens, else as `assumed` for each. */
export function expectation(
  { price, assumed }: { readonly price?: Price; readonly assumed: Assumption },
  episodes: number,
  summary: Summary | null,
): Expectation {
  const figures = recorded(episodes, summary) ?? {
    steps: assumed.steps * episodes,
    prompt_tokens: assumed.prompt_tokens * episodes,
    completion_tokens: assumed.completion_tokens * episodes,
    basis: "assumed" as const,
  }
  return { episodes, ...figures, ...(price !== undefined && { cost: costOf(figures, price) }) }
}

function recorded(episodes: number, summary: Summary | null) {
  const steps = summary?.behavior.steps_mean
  const { prompt_tokens, completion_tokens } = summary?.cost.tokens ?? {}
  if (summary === null || steps === undefined || prompt_tokens === undefined || completion_tokens === undefined) {
    return undefined
  }
  const share = episodes / summary.counts.attempts
  return {
    steps: Math.round(steps * episodes),
    prompt_tokens: Math.round(prompt_tokens * share),
    completion_tokens: Math.round(completion_tokens * share),
    basis: "recorded" as const,
  }
}

/** Every turn sends the whole conversation again: instructions, and all pages and replies so far. */
export function assumedShopping({ runtime, model }: RunSpec): Assumption {
  const steps = Math.min(ASSUMED.steps, runtime.max_steps)
  return { steps, ...assumedTokens(steps, model.base_url !== undefined) }
}

/** Tokens of so many model calls in one conversation; `talks`: to an endpoint that counts them. */
export function assumedTokens(steps: number, talks: boolean): Omit<Assumption, "steps"> {
  const sent = steps * ASSUMED.instructions + ((steps * (steps + 1)) / 2) * (ASSUMED.page + ASSUMED.reply)
  return { prompt_tokens: talks ? sent : 0, completion_tokens: talks ? steps * ASSUMED.reply : 0 }
}
