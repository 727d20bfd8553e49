import type { CaseRecord, ReadRef, RequiredFact } from "../../../../../src/core/case-record.ts"
import type { ToolRecord } from "../../../../../src/core/conversation.ts"

/** How the agent came by a fact that a verdict needs, or did not. */
export type Known = {
  readonly fact: RequiredFact
  /** The first answered call that is about it and has it. */
  readonly read: ToolRecord | undefined
}

/** A read that a verdict needs, and the call that made it. */
export type Read = { readonly ref: ReadRef; readonly call: ToolRecord | undefined }

export function knownFacts({ judge_inputs, tools }: CaseRecord): Known[] {
  return judge_inputs.required_facts.map((fact) => ({ fact, read: tools.find((tool) => tells(tool, fact)) }))
}

/** Reads of the case and of its checks, each once. */
export function neededReads({ judge_inputs, tools }: CaseRecord): Read[] {
  const refs = [...judge_inputs.required_reads, ...judge_inputs.checks.flatMap(({ required_reads }) => required_reads)]
  const once = new Map(refs.map((ref) => [JSON.stringify(Object.entries(ref).sort()), ref]))
  return [...once.values()].map((ref) => ({
    ref,
    call: tools.findLast((tool) => isRead(tool, ref)),
  }))
}

/** Whether the call asks for what the read wants: the same command about the same things. */
function isRead({ name, arguments: asked }: ToolRecord, { command, ...about }: ReadRef): boolean {
  return name === command && Object.entries(about).every(([key, value]) => value === undefined || asked[key] === value)
}

/** Whether an answer has the fact of a key such as `item:88:price`: it is about that thing, and has a member of that name. */
function tells({ ok, class: from, arguments: asked, content, data }: ToolRecord, { key }: RequiredFact): boolean {
  const [, ...rest] = key.split(":")
  const field = rest.at(-1)
  const id = rest.length > 1 ? rest[0] : undefined
  if (!ok || from === "miss" || field === undefined) return false
  const about = id === undefined || Object.values(asked).includes(id) || content.includes(`"${id}"`)
  return about && hasMember(data ?? parsed(content), field.split(".").at(-1)!)
}

function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasMember(item, name))
  if (typeof value !== "object" || value === null) return false
  return Object.entries(value).some(([key, member]) => {
    if (key === "evaluationReplay") return false
    return (key === name && member !== null && member !== undefined) || hasMember(member, name)
  })
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
