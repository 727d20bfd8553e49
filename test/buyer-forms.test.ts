import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { ConversationMessage } from "../src/core/conversation.ts"
import { buyerFaults } from "../src/service/roles/fidelity.ts"
import type { Script } from "../src/service/script.ts"
import { tinyScript } from "../src/testing/tiny-service.ts"

/*
 * Surface forms of each fault, in the buyer's second message, after the agent asked to go ahead. The checks were mended by them, so that
 * they say what is kept, and not how many faults of others would be caught.
 */
const FORMS: Record<string, Record<string, string[]>> = JSON.parse(
  readFileSync(new URL("fixtures/buyers/seen.json", import.meta.url), "utf8"),
)

const SCRIPTS: Readonly<Record<string, { readonly script: Script; readonly before: readonly [string, string] }>> = {
  en: {
    script: tinyScript(["please cancel my air fryer order SK10021", "yes, go ahead", "how much do I get back?"], {
      goal: "Cancel SK10021 and learn what is refunded.",
      buyer: {
        name: "Maya Ellison",
        about: "Found a better one elsewhere. Ordered the black 4 qt one on 2026-03-01. Lives in Boston.",
      },
      gold: {
        outputs: ["121.95"],
        turns: [[{ say: "Refund 121.95 within 5 days, ticket T88231, carrier Northline, ships 2026-03-08." }]],
      },
    }),
    before: ["please cancel my air fryer order SK10021", "I would cancel SK10021 (air fryer). Shall I go ahead?"],
  },
  zh: {
    script: tinyScript(["SK50021这个吸尘器我不想要了，帮我取消", "确认，取消吧", "能退多少钱"], {
      language: "zh",
      goal: "取消SK50021，知道退多少钱。",
      buyer: { name: "林晓", about: "买重了。3月1日下的单，白色标准版。住在长沙。" },
      gold: { outputs: ["269"], turns: [[{ say: "退款269元，3月8日发货，工单T88231，承运北线快递。" }]] },
    }),
    before: [
      "SK50021这个吸尘器我不想要了，帮我取消",
      "您要取消订单SK50021，款项原路退回。请回复“确认”，我就为您办理。",
    ],
  },
}

function faultsOf(language: string, text: string): string[] {
  const { script, before } = SCRIPTS[language]!
  const said = (turn: number, sender: string, words: string) =>
    ConversationMessage.parse({ id: `${sender}${turn}`, turn, sender, at: "2026-03-02T09:00:00+08:00", text: words })
  const messages = [said(1, "buyer", before[0]), said(1, "agent", before[1]), said(2, "buyer", text)]
  return buyerFaults({ messages, end_reason: "message_limit" }, script)
    .filter(({ turn, kind }) => turn === 2 && kind !== "style_drift")
    .map(({ kind }) => kind)
}

const KINDS = ["leak", "invention", "contradiction", "early_end", "empty_turn"]
const rows = ["en", "zh"].flatMap((language) => KINDS.map((kind) => [language, kind] as const))

it.each(rows)("faults of a buyer that were seen are found again: %s, %s", (language, kind) => {
  const forms = FORMS[language]![kind]!
  const missed = forms.filter((text) => faultsOf(language, text).length === 0)
  expect(forms.length).toBeGreaterThanOrEqual(15)
  expect(missed.length / forms.length, missed.join(" | ")).toBeLessThanOrEqual(0.05)
  const otherwise = forms.filter((text) => !missed.includes(text) && !faultsOf(language, text).includes(kind))
  expect(otherwise.length / forms.length, otherwise.join(" | ")).toBeLessThanOrEqual(0.1)
})

it.each(["en", "zh"])("words of a buyer that keeps to its card are left alone: %s", (language) => {
  const alarms = FORMS[language]!.clean!.filter((text) => faultsOf(language, text).length > 0)
  expect(alarms).toEqual([])
})
