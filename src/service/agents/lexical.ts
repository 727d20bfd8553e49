import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import type { ServiceAgent, ServiceDesk } from "../service-agent.ts"
import { ADDRESS, INTENTS, type Intent, NO, SAY, STOP, YES } from "./lexical/words.ts"
import { serveTurns } from "./turns.ts"

/** Version of its rules and words. */
const LEXICAL_SERVICE = "souk-lexical-service-1"
const ORDER_ID = /\b[A-Z]{2}\d{5}\b/gi

type ChangeTool = keyof (typeof SAY)["en"]["done"]

/** A change that waits for the customer's yes. */
interface Pending {
  readonly tool: ChangeTool
  readonly order: string
  readonly args: JsonObject
}

/**
 * A service agent without a model: it hears keywords, looks things up with the desk's tools, answers from what they say, asks before
 * it changes anything, keeps to the customer that the channel names, and calls a human for what it may not decide. Deterministic.
 */
export function lexicalServiceAgent(): ServiceAgent {
  return {
    identity: () => ({
      agent: "lexical",
      version: LEXICAL_SERVICE,
      words_sha256: sha256Hex(
        canonicalJson(
          [INTENTS, YES, NO, ADDRESS].map((words) =>
            JSON.stringify(words, (_, value) => (value instanceof RegExp ? value.source : value)),
          ),
        ),
      ),
    }),
    async connect(desk) {
      const clerk = new Clerk(desk)
      return serveTurns(desk, async (batch, signal) => {
        const said = batch.filter(({ sender, channel }) => sender === "buyer" && channel === "conversation")
        if (said.length === 0) return // colleagues' words want no answer
        const answers = said.map(({ id }) => id)
        const text = said.map((message) => message.text).join("\n")
        await desk.send(await clerk.answer(text, signal), { answers })
      })
    },
  }
}

/** One conversation as the agent remembers it. */
class Clerk {
  readonly #desk: ServiceDesk
  readonly #say: (typeof SAY)["zh"] | (typeof SAY)["en"]
  readonly #customer: string
  #calls = 0
  #order: string | undefined
  #product: JsonObject | undefined
  #pending: Pending | undefined
  /** What was asked for when something was still missing. */
  #intent: Intent | undefined

  constructor(desk: ServiceDesk) {
    this.#desk = desk
    this.#say = SAY[desk.language]
    this.#customer = textOf(desk.customer.customer_id)
  }

  async answer(text: string, signal: AbortSignal): Promise<string> {
    const { language } = this.#desk
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined && NO[language].test(text)) return this.#say.kept
    if (pending !== undefined && YES[language].test(text)) return this.#change(pending, signal)

    const heard = INTENTS[language].find(([, pattern]) => pattern.test(text))?.[0]
    const named = text.match(ORDER_ID)?.map((id) => id.toUpperCase()) ?? []
    for (const id of named) {
      if ((await this.#ownOrder(id, signal)) === undefined) return this.#say.notYours
      this.#order = id
    }
    const intent: Intent = heard ?? (named.length > 0 ? (this.#intent ?? "whereabouts") : (this.#intent ?? "product"))
    this.#intent = undefined
    switch (intent) {
      case "person":
        return this.#handOver(text, signal)
      case "cancel":
      case "address":
      case "exchange":
      case "return":
      case "compensation":
      case "whereabouts":
      case "orders":
        return this.#aboutOrder(intent, text, signal)
      default:
        return this.#aboutProduct(intent, text, signal)
    }
  }

  async #aboutOrder(intent: Intent, text: string, signal: AbortSignal): Promise<string> {
    const say = this.#say
    const listed = await this.#call("list_orders", { customer_id: this.#customer }, signal)
    const rows = objects(listed?.orders)
    if (rows.length === 0) return say.noOrders
    const ids = rows.map((row) => textOf(row.order_id))
    const id = this.#order ?? (ids.length === 1 && intent !== "orders" ? ids[0] : undefined)
    if (id === undefined) return this.#missing(intent, say.which(ids))
    this.#order = id
    const order = await this.#ownOrder(id, signal)
    if (order === undefined) return say.notYours
    const shown = this.#shown(order)
    const { status } = order
    const gone =
      typeof status === "string" && Object.hasOwn(say.cannot, status)
        ? say.cannot[status as keyof typeof say.cannot]
        : undefined
    switch (intent) {
      case "cancel":
        if (gone !== undefined) return gone(id)
        return this.#ask(
          { tool: "cancel_order", order: id, args: { order_id: id, reason: text } },
          say.ask.cancel_order(shown),
        )
      case "address": {
        if (gone !== undefined) return gone(id)
        const address = ADDRESS[this.#desk.language].exec(text)?.[1]?.trim()
        if (address === undefined) return this.#missing(intent, say.newAddress)
        return this.#ask(
          { tool: "change_address", order: id, args: { order_id: id, address } },
          say.ask.change_address(shown, address),
        )
      }
      case "return": {
        const sku_ids = objects(order.items).map((item) => textOf(item.sku_id))
        return this.#ask(
          { tool: "request_return", order: id, args: { order_id: id, sku_ids, reason: text } },
          say.ask.request_return(shown),
        )
      }
      case "exchange":
        return this.#exchange(order, shown, text, signal)
      case "compensation":
        return this.#handOver(text, signal, id)
      default:
        return this.#whereabouts(order)
    }
  }

  async #exchange(order: JsonObject, shown: string, text: string, signal: AbortSignal): Promise<string> {
    const id = textOf(order.order_id)
    const item = objects(order.items)[0]
    if (item === undefined) return this.#say.hello
    const product = await this.#call("get_product", { product_id: textOf(item.product_id) }, signal)
    const skus = objects(product?.skus).filter((sku) => sku.sku_id !== item.sku_id)
    const wanted = bestSku(skus, text, optionsOf(item))
    if (wanted === undefined) {
      const choice = this.#say.newOption(skus.map((sku) => this.#options(sku)).join(this.#say.list))
      return this.#missing("exchange", choice)
    }
    const args = { order_id: id, sku_id: textOf(item.sku_id), new_sku_id: textOf(wanted.sku_id) }
    if (order.status === "paid" || order.status === "unpaid") {
      return this.#ask(
        { tool: "change_item", order: id, args },
        this.#say.ask.change_item(shown, this.#options(wanted)),
      )
    }
    return this.#ask(
      { tool: "request_exchange", order: id, args: { ...args, reason: text } },
      this.#say.ask.request_exchange(shown, this.#options(wanted)),
    )
  }

  #whereabouts(order: JsonObject): string {
    const id = textOf(order.order_id)
    const { status } = this.#say
    const on = textOf(order.expected_on)
    switch (order.status) {
      case "shipped":
        return status.shipped(id, on, textOf(order.carrier))
      case "delivered":
        return status.delivered(id, textOf(order.delivered_at).slice(0, 10))
      case "cancelled":
        return status.cancelled(id)
      case "unpaid":
        return status.unpaid(id)
      default:
        return status.paid(id, on)
    }
  }

  async #aboutProduct(intent: Intent, text: string, signal: AbortSignal): Promise<string> {
    const say = this.#say
    const words = text.match(/[\p{L}\p{N}.-]+/gu)?.filter((word) => !STOP.has(word.toLowerCase().replace(/'/g, "")))
    const query = words?.join(" ") ?? ""
    const found =
      query === "" ? undefined : objects((await this.#call("search_products", { query }, signal))?.products)[0]
    if (found !== undefined) {
      this.#product = await this.#call("get_product", { product_id: textOf(found.product_id) }, signal)
    }
    const product = this.#product
    if (product === undefined) return intent === "product" ? say.hello : say.noProduct
    const skus = objects(product.skus)
    const sku = skus.length === 1 ? skus[0] : bestSku(skus, text)
    const title = textOf(product.title)
    const what = sku === undefined || skus.length === 1 ? title : `${title} ${this.#options(sku)}`
    if (intent === "product") {
      const details = isJsonObject(product.details) ? Object.entries(product.details) : []
      return say.details(title, details.map(([key, value]) => `${key} ${textOf(value)}`).join(say.list))
    }
    if (sku === undefined) {
      const from = objects([found?.price_from ?? null, found?.price_to ?? null])
      const options = skus.map((variant) => this.#options(variant)).join(say.list)
      if (from.length === 2) return say.range(title, this.#money(from[0]), this.#money(from[1]), options)
      return say.newOption(options)
    }
    const stock = typeof sku.stock === "number" ? sku.stock : 0
    if (intent === "stock") return stock > 0 ? say.stock(what, stock) : say.soldOut(what, textOf(sku.restock_on))
    return `${say.price(what, this.#money(sku.price))}${/优惠|便宜|打折|折扣|券|discount|cheaper|coupon|match/i.test(text) ? ` ${say.noDiscount}` : ""}`
  }

  /** The order, if it is the customer's. Whose it is says the shop's system, never the chat. */
  async #ownOrder(id: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const order = await this.#call("get_order", { order_id: id }, signal)
    return order !== undefined && order.customer_id === this.#customer && this.#customer !== "" ? order : undefined
  }

  /** Remembers what was wanted, since the next message only fills in what was missing. */
  #missing(intent: Intent, question: string): string {
    this.#intent = intent
    return question
  }

  #ask(pending: Pending, question: string): string {
    this.#pending = pending
    return question
  }

  async #change({ tool, order, args }: Pending, signal: AbortSignal): Promise<string> {
    const answer = await this.#desk.tools.call({ id: this.#nextCall(), name: tool, arguments: args }, { signal })
    return answer.ok ? this.#say.done[tool](order) : this.#say.refused(answer.content.replace(/^Error: /, ""))
  }

  async #handOver(text: string, signal: AbortSignal, order?: string): Promise<string> {
    const args = { summary: text, ...(order !== undefined && { order_id: order }) }
    await this.#call("open_ticket", args, signal)
    return this.#say.ticket
  }

  async #call(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
    const answer = await this.#desk.tools.call({ id: this.#nextCall(), name, arguments: args }, { signal })
    return answer.ok && isJsonObject(answer.data) ? answer.data : undefined
  }

  #nextCall(): string {
    this.#calls++
    return `call-${this.#calls}`
  }

  #shown(order: JsonObject): string {
    const items = objects(order.items).map((item) => `${textOf(item.title)} ${this.#options(item)}`.trim())
    return this.#say.order(textOf(order.order_id), items.join(this.#say.list), this.#money(order.total))
  }

  #options(sku: JsonObject): string {
    return this.#say.options(Object.values(optionsOf(sku)))
  }

  #money(value: unknown): string {
    return this.#say.money(isJsonObject(value) ? textOf(value.amount) : "")
  }
}

/** The variant whose options the text names best; where it leaves an axis open, the one that is as `like` there. */
function bestSku(
  skus: readonly JsonObject[],
  text: string,
  like: Readonly<Record<string, string>> = {},
): JsonObject | undefined {
  const lower = text.toLowerCase()
  let best: { sku: JsonObject; named: number; same: number } | undefined
  for (const sku of skus) {
    const options = Object.entries(optionsOf(sku))
    const named = options.filter(([, value]) => mentions(lower, value.toLowerCase())).length
    const same = options.filter(([axis, value]) => like[axis] === value).length
    if (named === 0) continue
    if (best === undefined || named > best.named || (named === best.named && same > best.same))
      best = { sku, named, same }
  }
  return best?.sku
}

/** Whether a value occurs in the text as a word of its own: `M` not within `medium`. */
function mentions(text: string, value: string): boolean {
  for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + 1)) {
    const before = text[from - 1] ?? " "
    const after = text[from + value.length] ?? " "
    if (!(/[a-z0-9]/.test(before) && /^[a-z0-9]/.test(value)) && !(/[a-z0-9]/.test(after) && /[a-z0-9]$/.test(value)))
      return true
  }
  return false
}

function optionsOf(value: JsonObject): Readonly<Record<string, string>> {
  return isJsonObject(value.options) ? (value.options as Record<string, string>) : {}
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
