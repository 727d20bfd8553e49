import { expect, it } from "vitest"
import { parseFieldPolicy } from "./field-policy.ts"
import { fieldPolicies } from "./policies/index.ts"

const policy = {
  schema: "souk.field-policy/1",
  name: "books",
  version: 1,
  title: "title",
  views: [{ name: "page", collected: true }],
  fields: [
    { path: "title", class: "stable", view: "page", label: { zh: "书名", en: "title" } },
    { path: "price", class: "dynamic", label: { zh: "价格", en: "price" } },
    {
      path: "left",
      class: "derived",
      kind: "inventoryEstimate",
      stands_in_for: "price",
      label: { zh: "余", en: "left" },
    },
    { path: "margin", class: "hidden" },
  ],
}

it("reads a policy of one's own from its file, with its defaults", () => {
  const read = parseFieldPolicy(JSON.stringify(policy), "books.json")
  expect(read).toMatchObject({ name: "books", wrappers: [], never_in_stable: [] })
  expect(read.fields[0]).toMatchObject({ history: false, from: [] })
})

it("says what is wrong with a policy, and where", () => {
  const [title, price, left] = policy.fields
  for (const [change, told] of [
    [{ fields: [title, title] }, /books\.json[\s\S]*title is there twice[\s\S]*fields\[1\]/],
    [{ fields: [{ ...title, view: "cover" }] }, /there is no view cover; the policy has page/],
    [{ fields: [title, left] }, /price is not a dynamic field/],
    [{ title: "price" }, /price is not a stable field/],
    [{ fields: [title, { ...price, class: "secret" }] }, /fields\[1\]/],
    [{ extra: 1 }, /extra/],
  ] as const) {
    expect(() => parseFieldPolicy(JSON.stringify({ ...policy, ...change }), "books.json")).toThrow(told)
  }
  expect(() => parseFieldPolicy("{", "books.json")).toThrow(/books\.json is not JSON/)
})

it("comes with policies for two trades, which differ as data only", () => {
  const [retail, travel] = [fieldPolicies.retail(), fieldPolicies.travel()]
  for (const { views } of [retail, travel]) {
    expect(views.filter(({ collected }) => collected).map(({ name }) => name)).toEqual(["first", "second"])
  }
  const ofClass = (wanted: string) => travel.fields.filter((field) => field.class === wanted).map(({ path }) => path)
  expect(ofClass("stable")).toEqual(
    expect.arrayContaining(["title", "images", "category", "itinerary", "cost_included", "cost_excluded"]),
  )
  expect(ofClass("dynamic")).toEqual(["departures", "calendar_price", "remaining_seats", "promotions"])
  expect(ofClass("derived")).toEqual(["inventory_estimate"])
})
