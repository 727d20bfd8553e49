import type { Conversation } from "../../channel/conversation.ts"
import type { LoggedEvent } from "../../channel/events.ts"
import type { ConversationMessage } from "../../core/conversation.ts"
import { AppError, messageOf } from "../../core/errors.ts"
import { addUsage, type Usage } from "../../core/model.ts"
import type { Emit } from "../../core/trace.ts"
import type { ContextProvider } from "../context.ts"
import type { ServiceDesk } from "../service-agent.ts"
import type { TargetSetup } from "../target.ts"

/** A colleague whom the agent can ask to take over. */
export interface HumanColleague {
  /** `text`: what the colleague says to the buyer when the conversation is taken up again. */
  handOff(
    request: { readonly caseId: string; readonly reason: string; readonly conversation: Conversation },
    signal: AbortSignal,
  ): Promise<{ readonly confirmed: boolean; readonly text?: string }>
}

/** The agent's end of a conversation, with what the session needs to know of it. */
export interface AgentSeat {
  readonly desk: ServiceDesk
  /** Tokens of the agent's turns so far. */
  usage(): { model_calls: number } & Usage
  /** What the colleague who took over last wants to say to the buyer; given once. */
  colleagueText(): string | undefined
}

/** `signal`: the case is over, and nothing more is taken, sent or counted as a failure. */
export function seatAgent({
  setup: { script, caseId, tools, emit, clock },
  conversation,
  human,
  context,
  signal,
}: {
  readonly setup: TargetSetup
  readonly conversation: Conversation
  readonly human: HumanColleague | undefined
  readonly context: ContextProvider | undefined
  readonly signal: AbortSignal
}): AgentSeat {
  const total: { model_calls: number } & Usage = { model_calls: 0 }
  let colleagueText: string | undefined
  const desk: ServiceDesk = {
    conversationId: conversation.id,
    language: script.language,
    timeZone: script.time_zone,
    customer: script.identity,
    tools: {
      schemas: tools.schemas,
      call: (request, call) => tools.call(request, { turn: conversation.agentTurn, ...call }),
    },
    emit,
    signal,
    now: () => clock.now(),
    history: () => conversation.messages().filter(({ delivery }) => delivery !== "failed"),
    take: (until, options) => {
      const either = AbortSignal.any([until, signal])
      return conversation.take(either, { ...options, note: context && ((batch) => noteOn(context, batch, either)) })
    },
    consumed: (ids) => {
      if (!conversation.closed) conversation.consumed(ids)
    },
    send: async (text, options) => {
      if (signal.aborted) throw new AppError("CONFLICT", "The case is over: nothing is sent any more")
      const { id } = await conversation.send(text, options)
      return { message_id: id }
    },
    handOff: async (reason) => {
      const answer = await (human === undefined
        ? { confirmed: script.handoff?.confirmed ?? true, text: script.handoff?.text }
        : human.handOff({ caseId, reason, conversation }, signal))
      if (!answer.confirmed) return { confirmed: false }
      colleagueText = answer.text
      await conversation.setReception("handed_off", reason)
      return { confirmed: true }
    },
    endTurn: ({ reason, error, usage }) => {
      total.model_calls += usage?.model_calls ?? 0
      addUsage(total, usage)
      if (conversation.closed) return
      // What breaks because the agent is being stopped is no failure of the agent.
      const stopped = signal.aborted && reason === "error"
      conversation.endTurn({
        reason: stopped ? "aborted" : reason,
        ...(error !== undefined && !stopped && { error }),
        ...(usage !== undefined && { usage }),
      })
    },
  }
  /** Words reach the agent whether or not there is a note on them. */
  async function noteOn(provider: ContextProvider, batch: readonly ConversationMessage[], until: AbortSignal) {
    try {
      return await provider.note({ conversation, language: script.language, batch }, until)
    } catch (error) {
      const { code, retryable } = error instanceof AppError ? error : { code: "INTERNAL", retryable: false }
      if (!until.aborted) emit({ type: "error", stage: "context", code, message: messageOf(error), retryable })
      return undefined
    }
  }
  return {
    desk,
    usage: () => ({ ...total }),
    colleagueText() {
      const text = colleagueText
      colleagueText = undefined
      return text
    },
  }
}

/** Tells viewers of a conversation's event; `turn` is the buyer turn under way. */
export function tell(
  event: LoggedEvent,
  { conversation, turn, emit }: { readonly conversation: Conversation; readonly turn: number; readonly emit: Emit },
): void {
  const { at } = event
  switch (event.type) {
    case "received":
      emit({ type: "message", step: event.message.turn, message: event.message })
      return
    case "delivery": {
      const message = conversation.message(event.message_id)
      if (message !== undefined) emit({ type: "message", step: message.turn, message })
      return
    }
    case "reception":
      emit({ type: "reception", step: turn, turn, at, reception: event.reception, reason: event.reason })
      return
    case "turn_end": {
      const { reason, error } = event
      const failure = error === undefined ? {} : { code: error.code, message: error.message }
      emit({ type: "turn_end", step: turn, turn, at, reason, ...failure })
      return
    }
    default:
  }
}
