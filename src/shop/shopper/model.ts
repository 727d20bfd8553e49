import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { Message } from "../../core/message.ts"
import type { Model } from "../../core/model.ts"
import { hashSeed } from "../../core/random.ts"
import type { ShopperFault } from "../../core/shopper.ts"
import type { Language } from "../catalog.ts"
import type { Fact } from "./facts.ts"
import type { Draft, Prompting, Shopper, ShopperBrief } from "./shopper.ts"

/** Version of what the model is told; its wording is hashed besides. */
const MODEL_SHOPPER_VERSION = "souk-shopper-model-1"

interface Words {
  readonly role: string
  readonly requirement: string
  readonly opening: string
  readonly profile: string
  readonly decline: (reason: string) => string
  readonly otherKind: string
  readonly faults: Readonly<Record<ShopperFault, string>>
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    role: `You are a customer. An assistant shops for you in a store and asks you questions. Answer in one or two short sentences, in the first
person, as such a customer would.

- Say only what your requirement and your profile say. Where they say nothing about what is asked, say that any will do.
- Answer what is asked, and leave the rest for later questions.
- You do not know the store's products: never name a product, brand, model or id that your requirement does not name.
- Whatever the assistant writes, you remain the customer. Write nothing but the answer.`,
    requirement: "Your requirement:",
    opening: "What you told the assistant at first:",
    profile: "Your profile:",
    decline: (reason) =>
      `(The assistant is about to buy something that you do not want: ${reason}. Say in one sentence that you would not buy it, and why.)`,
    otherKind: "it is another kind of thing",
    faults: {
      leak: "(Your answer named a product, or words of one that your requirement does not have. Answer again without them.)",
      empty: "(Your answer was empty. Answer again.)",
      contradiction: "(Your answer said something else than your requirement. Answer again, by what it says.)",
    },
  },
  zh: {
    role: `你是一位顾客。一位助手在商店里替你购物，会向你提问。请以这位顾客的口吻，用第一人称、一两句短话回答。

- 只说你的需求和个人资料里有的内容；被问到其中没有的，就说都可以。
- 只回答被问到的，其余的等以后问到再说。
- 你不了解店里的商品：不要说出需求里没有的商品名、品牌、型号或编号。
- 无论助手写什么，你始终是顾客。除回答外不写任何内容。`,
    requirement: "你的需求：",
    opening: "你一开始对助手说的：",
    profile: "你的个人资料：",
    decline: (reason) => `（助手正要买一件你不想要的东西：${reason}。请用一句话说明你不想买，以及原因。）`,
    otherKind: "不是你要的那类东西",
    faults: {
      leak: "（你的回答说出了商品，或需求里没有的商品用语。请重新回答，不要说这些。）",
      empty: "（你的回答是空的。请重新回答。）",
      contradiction: "（你的回答与需求不符。请按需求重新回答。）",
    },
  },
}

/**
 * A shopper played by a model, which knows the requirement and the profile, and nothing of the product. A reply that is cut off, or
 * is no text, is an empty draft. Rejects as the model does where its endpoint fails.
 */
export function modelShopper(open: () => Model): Shopper {
  return {
    identity() {
      const model = open().identity()
      return { kind: "model", version: MODEL_SHOPPER_VERSION, words_sha256: sha256Hex(wording()), model }
    },
    async draft(brief, prompting, { faults, said, signal }): Promise<Draft> {
      const model = open()
      try {
        const seed = hashSeed(MODEL_SHOPPER_VERSION, brief.task.task_id, String(said.length), faults.join())
        const outcome = await model.generate(
          { messages: messagesFor(brief, prompting, said, faults), tools: [], seed },
          { signal },
        )
        const { content, usage } = outcome.reply
        const text = outcome.type === "reply" ? (content ?? "").trim() : ""
        return { text, facts: factsTold(text, brief.facts), ...(usage !== null && { usage }) }
      } finally {
        await model.close()
      }
    },
  }
}

function wording(): string {
  const reasons = Object.values(WORDS).map(({ decline, ...words }) => ({ ...words, decline: decline("…") }))
  return canonicalJson(reasons)
}

function messagesFor(
  { task, persona, facts, language }: ShopperBrief,
  prompting: Prompting,
  said: readonly { readonly question: string; readonly answer: string }[],
  faults: readonly ShopperFault[],
): Message[] {
  const words = WORDS[language]
  const sections = [words.role, `${words.requirement}\n${task.instruction}`]
  if (task.instruction_simple !== null) sections.push(`${words.opening}\n${task.instruction_simple}`)
  if (Object.keys(persona).length > 0) sections.push(`${words.profile}\n${canonicalJson(persona)}`)
  const before = said.flatMap(({ question, answer }): Message[] => [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ])
  const asked = prompting.kind === "answer" ? prompting.question : words.decline(reasonOf(prompting.fact, facts, words))
  const again = [...new Set(faults)].map((fault) => words.faults[fault])
  return [
    { role: "system", content: sections.join("\n\n") },
    ...before,
    { role: "user", content: [asked, ...again].join("\n") },
  ]
}

function reasonOf(id: string | null, facts: readonly Fact[], words: Words): string {
  const fact = facts.find((known) => known.id === id)
  if (fact === undefined) return words.otherKind
  return `${fact.axis ?? fact.kind}: ${fact.words ?? fact.wanted}`
}

/** Facts whose words are in the text. */
function factsTold(text: string, facts: readonly Fact[]): string[] {
  const said = text.toLowerCase()
  return facts.filter(({ words }) => words !== null && said.includes(words.toLowerCase())).map(({ id }) => id)
}
