import type { EpisodeEvent } from "../../../../../src/core/trace.ts"

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>
export type PageSeen = Of<"observation">
export type Reply = Of<"model_call">
export type Exchange = Of<"shopper">
type Feedback = Of<"feedback">["feedback"]

/** One step of an agent: the page it saw, what it replied, what that did. */
export type Step = {
  /** As recorded, from 1. */
  readonly number: number
  /** The page the agent had before it; null: none is on record. */
  readonly seen: PageSeen | null
  readonly replies: readonly Reply[]
  readonly action: string | null
  readonly feedback: Feedback | null
  readonly talk: readonly Exchange[]
  /** Limits, faults, and events of kinds that this version does not know. */
  readonly others: readonly EpisodeEvent[]
  /** Milliseconds since the start at its last event; null where no time was kept. */
  readonly at: number | null
  /** From the end of the step before to its own. */
  readonly took: number | null
}

export type Mark = "invalid" | "protocol_error" | "policy_failure" | "fault" | "shopper"

/** An episode as it is played back. `last`: the page it ended on. */
export type Playback = {
  readonly start: Of<"episode_start"> | null
  readonly steps: readonly Step[]
  readonly last: PageSeen | null
  /** What is known before the first step and is neither the task nor a page. */
  readonly before: readonly EpisodeEvent[]
}

/** Orders events by step; one pass, whatever is among them. */
export function playbackOf(events: readonly EpisodeEvent[]): Playback {
  let start: Of<"episode_start"> | null = null
  let page: PageSeen | null = null
  let time: number | null = null
  let opened: number | null = null
  const before: EpisodeEvent[] = []
  const steps: Open[] = []
  const at = (number: number): Open => {
    const open = steps.at(-1)
    if (open !== undefined && open.number >= number) return open
    const step = {
      number,
      seen: page,
      replies: [],
      action: null,
      feedback: null,
      talk: [],
      others: [],
      at: null,
      took: null,
    }
    steps.push(step)
    opened = time
    return step
  }
  const closeAt = (number: number, event: EpisodeEvent) => close(at(number), event, opened)
  for (const event of events) {
    const number = stepOf(event) ?? steps.at(-1)?.number ?? 0
    if (event.type === "episode_start") {
      start = event
      continue
    }
    if (event.type === "observation") {
      // The first page, or what a step led to; the page of an end from outside belongs to the last step as well.
      if (number > 0) closeAt(number, event)
      time = event.at_ms ?? time
      page = event
      continue
    }
    if (number === 0) {
      before.push(event)
      continue
    }
    add(at(number), event)
    closeAt(number, event)
  }
  return { start, steps, last: page, before }
}

/** A fault has no step of its own; its stage may name one, of which nothing else is on record. */
function stepOf(event: EpisodeEvent): number | null {
  if (typeof event.step === "number") return event.step
  const stage = event.type === "error" ? /^(?:model|environment)_step_([1-9]\d{0,8})$/.exec(String(event.stage)) : null
  return stage === null ? null : Number(stage[1])
}

/** What stands out about a step. */
export function marksOf(step: Step): readonly Mark[] {
  const marks = new Set<Mark>()
  for (const { outcome } of step.replies) if (outcome !== "reply") marks.add(outcome)
  if (step.feedback !== null && !step.feedback.valid) marks.add("invalid")
  if (step.others.some(({ type }) => type === "error")) marks.add("fault")
  if (step.talk.length > 0) marks.add("shopper")
  return [...marks]
}

/** What a step did, in a line: its action, else what was called. */
export function deedOf(step: Step): string {
  if (step.action !== null) return step.action
  for (const { tool_calls } of step.replies) {
    const call = tool_calls?.[0]?.function
    if (call !== undefined) return `${call.name} ${call.arguments}`
  }
  return step.replies.find(({ content }) => content !== undefined)?.content ?? ""
}

type Open = {
  -readonly [Key in keyof Step]: Step[Key] extends readonly (infer Item)[] ? Item[] : Step[Key]
}

function add(step: Open, event: EpisodeEvent): void {
  switch (event.type) {
    case "model_call":
      step.replies.push(event)
      return
    case "action":
      step.action = event.action
      return
    case "feedback":
      step.feedback = event.feedback
      return
    case "shopper":
      step.talk.push(event)
      return
    default:
      step.others.push(event)
  }
}

function close(step: Open, { at_ms }: EpisodeEvent, from: number | null): void {
  if (at_ms === undefined) return
  step.at = at_ms
  if (from !== null && at_ms >= from) step.took = at_ms - from
}
