import type { Actor, ActorCall, Move } from "../core/actor.ts"
import type { Observation } from "../core/environment.ts"
import { sha256Hex } from "../core/fingerprint.ts"
import type { JsonObject } from "../core/json.ts"
import type { Message, ToolDefinition } from "../core/message.ts"
import { type Model, type ModelOutcome, type ModelReply, wireCall } from "../core/model.ts"
import type { SkillProvider } from "../core/skill.ts"
import { modelCall } from "./model-call.ts"
import { ACTION_PROTOCOL, actionOf, toolsFor, toolTemplates } from "./moves.ts"
import { type Prompt, promptIdentity, protocolFeedback, systemMessage, taskMessage } from "./prompt.ts"
import { NO_SKILLS, skillBlock, skillsIdentity } from "./skill.ts"

/** What of an agent, besides its model, may change results. */
export function agentIdentity(prompt: Prompt, skills: SkillProvider = NO_SKILLS): JsonObject {
  return {
    action_protocol: ACTION_PROTOCOL,
    tools_sha256: sha256Hex(toolsText(prompt)),
    prompt: promptIdentity(prompt),
    skills: skillsIdentity(skills, prompt.language),
  }
}

/** Texts that all episodes of an agent share: its instructions, and its tools but for what changes from page to page. */
export function agentTexts(prompt: Prompt): string[] {
  return [prompt.system, toolsText(prompt)]
}

function toolsText({ language, talks }: Prompt): string {
  return JSON.stringify(toolTemplates(language, { talks }))
}

/**
 * An actor made of a model and a prompt. It keeps the conversation: system and task first, then for every turn the model's call and
 * the page it led to. Each turn offers the page's tools and takes exactly one call. A malformed reply is told what was wrong with
 * it and costs the step; a reply cut off by its length ends the episode.
 */
export function createAgent({
  model,
  prompt,
  skills = NO_SKILLS,
}: {
  readonly model: Model
  readonly prompt: Prompt
  readonly skills?: SkillProvider
}): Actor {
  const messages: Message[] = []
  let answering: string | undefined // id of the call whose result the next page is
  const say = (message: Message, { emit }: ActorCall) => {
    messages.push(message)
    emit({ type: "model_message", message })
  }

  return {
    async begin(context, call) {
      const { instruction, persona, observation } = context
      const selected = await skills.select(context, { signal: call.signal })
      if (selected.length > 0) call.emit({ type: "skills_selected", skills: selected })
      say(systemMessage(prompt, persona, skillBlock(selected, prompt.language)), call)
      say(taskMessage(prompt, instruction, observation.text), call)
    },

    async act(observation, { step, seed }, call): Promise<Move> {
      const tools = toolsFor(observation, prompt.language)
      const answer = await model.generate({ messages: [...messages], tools, seed }, { signal: call.signal })
      const turn = judge(answer, tools)
      call.emit(modelCall(turn.type === "action" ? { ...turn, type: "reply" } : turn, tools, step))
      switch (turn.type) {
        case "policy_failure":
          return { type: "policy_failure", code: turn.code }
        case "protocol_error":
          for (const message of repair(turn, tools, prompt)) say(message, call)
          return { type: "protocol_error", code: turn.code }
        case "action": {
          const { content, tool_calls } = turn.reply
          say({ role: "assistant", content, tool_calls: tool_calls.map(wireCall) }, call)
          answering = tool_calls[0]?.call_id
          return { type: "action", action: turn.action }
        }
        default:
          return turn satisfies never
      }
    },

    observe({ text }: Observation, call) {
      if (answering === undefined) return
      say({ role: "tool", tool_call_id: answering, content: text }, call)
      answering = undefined
    },

    close: () => model.close(),
  }
}

type Turn =
  | { readonly type: "action"; readonly action: string; readonly reply: ModelReply }
  | Exclude<ModelOutcome, { type: "reply" }>

/** A model's reply as a turn: what the adapter let through may still not be a move. */
function judge(outcome: ModelOutcome, tools: readonly ToolDefinition[]): Turn {
  if (outcome.type !== "reply") return outcome
  const { reply } = outcome
  const malformed = (code: string, message: string): Turn => ({ type: "protocol_error", code, message, reply })
  const [call, ...more] = reply.tool_calls
  if (call === undefined && !reply.content?.trim()) return malformed("empty_response", "the reply is empty")
  if (call === undefined || more.length > 0) {
    return malformed("tool_call_count", `expected exactly one tool call, got ${reply.tool_calls.length}`)
  }
  if (!tools.some((tool) => tool.function.name === call.name)) {
    return malformed("unavailable_tool", `there is no tool ${JSON.stringify(call.name.slice(0, 80))} on this page`)
  }
  const action = actionOf(call)
  if (action === undefined) {
    return malformed("invalid_tool_arguments", `${call.name} takes exactly one argument, a text that is not blank`)
  }
  return { type: "action", action, reply }
}

/** The messages that tell the model what was wrong: as results of its calls if it made any, else from the user. */
function repair(
  { code, message, reply }: Extract<Turn, { type: "protocol_error" }>,
  tools: readonly ToolDefinition[],
  prompt: Prompt,
): Message[] {
  const feedback = protocolFeedback(prompt, { code, message, tools: tools.map((tool) => tool.function.name) })
  if (reply.tool_calls.length > 0) {
    return [
      { role: "assistant", content: reply.content, tool_calls: reply.tool_calls.map(wireCall) },
      ...reply.tool_calls.map((call): Message => ({ role: "tool", tool_call_id: call.call_id, content: feedback })),
    ]
  }
  const said: Message[] = reply.content?.trim() ? [{ role: "assistant", content: reply.content }] : []
  return [...said, { role: "user", content: feedback }]
}
