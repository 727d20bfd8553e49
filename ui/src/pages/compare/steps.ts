import type { EpisodeView } from "../../../../src/server/views.ts"

/** One step of an episode, as it is laid beside another's. */
export type Step = {
  /** Whose it is: `agent`, or who spoke; `malformed` is a reply that was none. */
  readonly who: string
  /** The action, or the words. */
  readonly text: string
  /** What came of it, or was looked up before it. */
  readonly note: string | undefined
  /** What stays aligned: steps are only laid beside those of the same turn. Of shopping all are of one. */
  readonly turn: number
}

/** Two steps beside each other; a side that has no more is undefined. */
export type StepPair = { readonly first: Step | undefined; readonly second: Step | undefined; readonly same: boolean }

/** Steps of both sides next to each other: of shopping by number, of a conversation by turn and place in it. */
export function alignSteps(first: EpisodeView, second: EpisodeView): { pairs: StepPair[]; firstDifferent: number } {
  const sides = [stepsOf(first), stepsOf(second)] as const
  const turns = [...new Set([...sides[0], ...sides[1]].map(({ turn }) => turn))].sort((a, b) => a - b)
  const pairs = turns.flatMap((turn) => {
    const [a, b] = [sides[0].filter((step) => step.turn === turn), sides[1].filter((step) => step.turn === turn)]
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i): StepPair => {
      const [one, other] = [a[i], b[i]]
      return { first: one, second: other, same: one?.who === other?.who && one?.text === other?.text }
    })
  })
  return { pairs, firstDifferent: pairs.findIndex(({ same }) => !same) }
}

function stepsOf(view: EpisodeView): readonly Step[] {
  return view.suite === "service" ? messagesOf(view) : actionsOf(view)
}

/** What was said between the parties, with the tools that were called before it. */
function messagesOf({ episode }: EpisodeView): Step[] {
  const steps: Step[] = []
  let called: string[] = []
  for (const event of episode.events) {
    if (event.type === "tool") called.push(event.tool.name)
    if (event.type !== "message" || event.message.channel === "private") continue
    const { sender, text, turn } = event.message
    const note = sender === "agent" && called.length > 0 ? called.join(", ") : undefined
    if (sender === "agent") called = []
    steps.push({ who: sender, text, note, turn })
  }
  return steps
}

/** What reached the environment and what it said, and replies that did not. */
function actionsOf({ episode }: EpisodeView): Step[] {
  const steps: Step[] = []
  for (const event of episode.events) {
    const last = steps.at(-1)
    if (event.type === "model_call" && event.outcome !== "reply") {
      steps.push({
        who: "malformed",
        text: (event.code ?? event.outcome).replaceAll("_", " "),
        note: event.message,
        turn: 0,
      })
    } else if (event.type === "action") {
      steps.push({ who: "agent", text: event.action, note: undefined, turn: 0 })
    } else if (event.type === "feedback" && last !== undefined) {
      steps[steps.length - 1] = { ...last, note: event.feedback.message }
    }
  }
  return steps
}
