import { expect, it } from "vitest"
import { tinyScript } from "../../testing/tiny-service.ts"
import { buyerCard } from "./card.ts"
import { otherGoodsOf } from "./goods.ts"
import { turnsDown } from "./turning.ts"

const CARD = buyerCard(tinyScript(["please cancel my tent, AB12345", "yes"], { goal: "Cancel the tent." }))
const ZH = buyerCard({ ...tinyScript(["裤子换成加绒的", "可以，换吧"], { goal: "换成加绒款。" }), language: "zh" })

it.each([
  ["Actually no, I've decided to keep it", "I would cancel AB12345. Shall I go ahead?", CARD, 1],
  ["yes please", "I would cancel AB12345. Shall I go ahead?", CARD, 0],
  ["no, not that one, I mean AB12345", "Shall I cancel AB99999?", CARD, 0],
  ["no thanks", "Shall I send you a voucher?", CARD, 0],
  ["no", "I have cancelled it.", CARD, 0],
  ["那不换了，还是按原来的发吧", "加绒219元，多40元，请问确认吗？", ZH, 1],
  ["好的，换吧", "加绒219元，多40元，请问确认吗？", ZH, 0],
] as const)("turns down what it came for: %s", (draft, heard, card, found) =>
  expect(turnsDown(draft, card, heard)).toHaveLength(found),
)

it.each([
  ["where is my blender", 1],
  ["where is my tent", 0],
  ["I found a better lamp elsewhere", 0],
  ["SK10022的键盘还没到", 1],
] as const)("other goods: %s", (text, found) =>
  expect(otherGoodsOf(text, CARD.informed.join("\n").toLowerCase(), CARD.informed)).toHaveLength(found),
)
