import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ConversationMessage } from "../../core/conversation.ts"
import { intentTier } from "./annotation.ts"
import { lexicalInsights } from "./lexical.ts"

const { signal } = new AbortController()
const said = (texts: readonly string[]) =>
  texts.map((text, index) =>
    ConversationMessage.parse({ id: `m${index}`, turn: index + 1, sender: "buyer", at: "2026-03-01T01:00:00Z", text }),
  )

/** The estimate for the last of `texts`, the others said before. */
async function intent(language: "zh" | "en", ...texts: string[]): Promise<number> {
  const all = said(texts)
  return (await lexicalInsights().analyze({ language, words: all.slice(-1), said: all }, signal)).intent
}

describe("lexical insights", () => {
  it.each([
    ["zh", "我不买了，太贵", "先看看，随便看", "你好", "这款多少钱", "有现货吗，什么时候能到", "好的我要了，怎么付款"],
    [
      "en",
      "Never mind, I don't want it",
      "Just looking, maybe later",
      "Hello",
      "How much is it?",
      "Is it in stock, and when would it arrive?",
      "OK, I'll take it. How do I pay?",
    ],
  ] as const)("words nearer to buying score higher: %s", async (language, ...texts) => {
    const scores = await Promise.all(texts.map((text) => intent(language, text)))
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(new Set(scores).size).toBe(scores.length)
    expect([intentTier(scores[0]!), intentTier(scores.at(-1)!)]).toEqual(["low", "high"])
  })

  it("a refusal is no order, whatever words it uses", async () => {
    expect(await intent("zh", "那我不下单了")).toBeLessThan(await intent("zh", "你好"))
    expect(await intent("en", "I won't order it now")).toBeLessThan(await intent("en", "Hello"))
  })

  it("what was said before counts, less and less", async () => {
    const fresh = await intent("en", "Hm")
    const after = await intent("en", "Is it in stock?", "Hm")
    const later = await intent("en", "Is it in stock?", "Hm", "Hm")
    expect(after).toBeGreaterThan(later)
    expect(later).toBeGreaterThan(fresh)
  })

  it("names what it goes by in the language of the case", async () => {
    const cuesOf = async (language: "zh" | "en", text: string) => {
      const words = said([text])
      return (await lexicalInsights().analyze({ language, words, said: words }, signal)).cues
    }
    expect(await cuesOf("zh", "有货吗，多少钱")).toEqual(["问库存", "问价"])
    expect(await cuesOf("en", "How much, and is it in stock?")).toEqual(["stock", "price"])
    expect(await cuesOf("en", "Good morning")).toEqual([])
  })

  it("is from 0 to 1 and always the same, for any words", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("zh" as const, "en" as const),
        fc.array(fc.string(), { minLength: 1 }),
        async (language, texts) => {
          const score = await intent(language, ...texts)
          expect(score >= 0 && score <= 1).toBe(true)
          expect(await intent(language, ...texts)).toBe(score)
        },
      ),
    )
  })
})
