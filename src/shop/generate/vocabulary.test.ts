import { describe, expect, it } from "vitest"
import { casefold } from "../../lib/casefold.ts"
import { Language } from "../catalog.ts"
import { fuzzyMatches } from "../fuzzy.ts"
import { type Kind, readChoice } from "./vocabulary.ts"
import { storeVoice } from "./voices.ts"

const HAN = /\p{Script=Han}/u

function textsOf(kind: Kind): string[] {
  const choices = [...kind.facets.flatMap((facet) => facet.choices), ...kind.features]
  return [
    kind.path,
    ...kind.domain.brands,
    ...kind.names,
    ...kind.asks,
    ...kind.scenes,
    ...kind.tags,
    ...kind.slogans,
    ...choices.flatMap(({ text, clauses }) => [text, ...clauses]),
    ...kind.axes.flatMap(({ name, values }) => [name, ...values.map(({ text }) => text)]),
  ]
}

/** Whether a product that has `other` would also pass for one with `wanted`, by the reward's rules. */
function passesFor(wanted: string, other: string): boolean {
  return fuzzyMatches(wanted, other) || casefold(other).includes(casefold(wanted))
}

it("a choice is read with its grammar, factor and clauses", () => {
  expect(readChoice("主动降噪 x1.4 | 降噪要强 | 地铁上也安静")).toEqual({
    text: "主动降噪",
    form: "plain",
    factor: 1.4,
    clauses: ["降噪要强", "地铁上也安静"],
  })
  expect(readChoice("+two USB ports")).toEqual({ text: "two USB ports", form: "with", factor: 1, clauses: [] })
})

describe.each(Language.options)("the vocabulary of the %s store", (language) => {
  const { kinds } = storeVoice(language)

  it("has twelve domains of five kinds, each with a path of its own", () => {
    const domains = new Map<string, number>()
    for (const { path } of kinds) {
      const domain = path.split("›")[0]!.trim()
      domains.set(domain, (domains.get(domain) ?? 0) + 1)
    }
    expect([...domains.values()]).toEqual(Array.from({ length: 12 }, () => 5))
    expect(new Set(kinds.map(({ path }) => path)).size).toBe(60)
  })

  it("no choice of a facet passes for a sibling", () => {
    const alike = kinds.flatMap(({ path, facets }) =>
      facets.flatMap(({ choices }) =>
        choices.flatMap(({ text: wanted }) =>
          choices
            .filter(({ text }) => text !== wanted && passesFor(wanted, text))
            .map(({ text }) => [path, wanted, text]),
        ),
      ),
    )
    expect(alike).toEqual([])
  })

  it("what every title of a kind may say leaves its choices open", () => {
    const given = kinds.flatMap(({ path, names, tags, slogans, facets, features }) => {
      const choices = [...facets.flatMap((facet) => facet.choices), ...features]
      const always = [...names, ...tags, ...slogans].map(casefold)
      return choices
        .filter(({ text }) => always.some((said) => said.includes(casefold(text))))
        .map(({ text }) => [path, text])
    })
    expect(given).toEqual([])
  })

  it("is written in its language, without blanks", () => {
    const wrong = kinds.flatMap(textsOf).filter((text) => text.trim() === "" || (language === "en" && HAN.test(text)))
    expect(wrong).toEqual([])
    if (language === "en") return
    const latin = kinds
      .flatMap(({ names, asks, scenes }) => [...names, ...asks, ...scenes])
      .filter((text) => !HAN.test(text))
    expect(latin).toEqual([])
  })

  it("has something to choose, to ask for and to pay in every kind", () => {
    for (const { path, price, facets, features, axes, names, asks, scenes, tags, slogans } of kinds) {
      expect(price[0], path).toBeGreaterThan(0)
      expect(price[1], path).toBeGreaterThan(price[0])
      expect(facets.length, path).toBeGreaterThanOrEqual(2)
      for (const { choices } of facets) expect(choices.length, path).toBeGreaterThanOrEqual(2)
      expect(features.length, path).toBeGreaterThanOrEqual(6)
      for (const { values } of axes) expect(values.length, path).toBeGreaterThanOrEqual(2)
      for (const list of [names, asks, scenes, tags, slogans, axes]) expect(list.length, path).toBeGreaterThan(0)
    }
  })
})
