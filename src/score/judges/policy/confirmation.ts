import type { ToolRecord } from "../../../core/conversation.ts"
import type { Json } from "../../../core/json.ts"
import type { PolicyRule } from "../../../core/policy.ts"
import { type CaseView, isDone, messageEvidence, type Outcome, plain, type Said, toolEvidence } from "./view.ts"

type Rule = Extract<PolicyRule, { type: "confirm_before_write" }>

const YES =
  /是的?(?:$|[\s,，。.!！~的呢哦啊])|好的?|可以|行(?:$|[\s,，。.!！~的吧啊])|确认|确定|同意|没问题|嗯|对(?:$|[\s,，。.!！~的呀啊])|没错|就这样|麻烦|办吧|取消吧|退吧|换吧|改吧|\b(?:yes|yep|yup|yeah|sure|ok(?:ay)?|confirm(?:ed)?|go ahead|please do|proceed|do it|correct|sounds good|that's (?:right|fine|it)|that works|agreed|absolutely|exactly|fine|right|perfect|great|of course|please)\b/
const NO =
  /不(?!错|客气|好意思|用谢|过)|先别|别(?!的|人)|等等|等一下|算了|没(?:有)?同意|\b(?:no(?! problem)|nope|don't|do not|not yet|wait|hold on|rather not|stop|never mind|instead)\b/

/** Before each call that changed something the agent said what it would do, and the buyer's next words were a yes. */
export function confirmation({ tools, details }: Rule, view: CaseView): Outcome {
  const writes = view.record.tools.filter(
    (tool) => isDone(tool) && (tools === undefined ? tool.write === true : tools.includes(tool.name)),
  )
  if (writes.length === 0) return { state: "not_applicable", reason: "Nothing was changed", evidence: [] }
  for (const write of writes) {
    const fault = faultOf(write, details, view)
    if (fault !== undefined) return fault
  }
  return { state: "pass", reason: "Every change was announced and agreed to", evidence: writes.flatMap(toolEvidence) }
}

function faultOf(write: ToolRecord, details: readonly string[], view: CaseView): Outcome | undefined {
  const before = view.record.messages.filter(({ at, turn }) => at <= write.at && turn <= write.turn)
  const answers = view.buyer.filter(({ message }) => before.includes(message) && message.turn === write.turn)
  const first = answers[0]?.message
  const announced = view.agent.filter(({ message }) => message.turn < write.turn && before.includes(message))
  const asked = announced.at(-1)
  if (first === undefined || asked === undefined) {
    return fail(
      "no_confirmation",
      `${write.name} was called before the agent had said what it would do`,
      write,
      answers,
    )
  }
  const agreed = answers.some(({ text }) => YES.test(text)) && !answers.some(({ text }) => NO.test(text))
  if (!agreed)
    return fail("no_confirmation", `${write.name} was called without the buyer's yes`, write, [asked, ...answers])
  const told = announced.map(({ text }) => plain(text)).join("\n")
  const missing = details.filter(
    (name) => !valuesOf(write.arguments[name]).every((value) => told.includes(plain(value))),
  )
  if (missing.length === 0) return undefined
  return fail("details_not_stated", `${write.name}: the agent had not named ${missing.join(", ")}`, write, [asked])
}

function valuesOf(value: Json | undefined): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(valuesOf)
  return typeof value === "object" ? Object.values(value).flatMap(valuesOf) : [String(value)]
}

function fail(code: string, reason: string, write: ToolRecord, said: readonly Said[]): Outcome {
  return { state: "fail", code, reason, evidence: [...messageEvidence(...said), ...toolEvidence(write)] }
}
