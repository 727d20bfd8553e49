import type { Json } from "../../core/json.ts"
import type { Random } from "../../core/random.ts"
import { parseBudget } from "../budget.ts"
import type { Product } from "../product.ts"
import { scorePurchase } from "../reward.ts"
import { RulesName } from "../rules.ts"
import type { BudgetPlan, Noun, Request, Sayable, ShopperVoice, WantedOption } from "./shopper.ts"
import { chooseWant, type Want } from "./want.ts"

/** Version of everything that shapes a written task: a change of any text or draw changes it. */
export const TASK_WRITER_VERSION = "souk-task-writer-1"

/** A task for a product, without ids. */
export interface WrittenTask {
  readonly instruction: string
  readonly instruction_simple: string | null // null: written without a persona
  readonly persona: Json
  readonly attributes: readonly string[]
  readonly options: readonly string[]
  readonly option_axes: readonly string[]
  readonly price_upper: number | null
  readonly labels: Readonly<Record<"domain" | "difficulty" | "phrasing", string>>
  /** A configuration that earns the full reward. */
  readonly selection: ReadonlyMap<string, string>
}

const ATTEMPTS = 12
/** Ids of so many characters give a product away when a text holds them. */
const LONG_ID = 6

/**
 * Writes a task for `product` that `peers` (what a search is likely to find as well) make neither trivial nor arbitrary.
 * `shopper` names the person who asks, and makes it a task with persona; null: without one.
 *
 * What comes back can be solved under both rule profiles, its texts say what its goal holds by the `souk` budget parser, and name
 * neither the product's id nor its title (unless that is just what such a thing is called). Null when no attempt gets there: the product offers nothing to ask for.
 */
export function writeTask(
  random: Random,
  product: Product,
  { peers, voice, shopper }: { peers: readonly Product[]; voice: ShopperVoice; shopper: string | null },
): WrittenTask | null {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const noun = voice.noun(product, random)
    const want = chooseWant(random, product, { peers, sayables: voice.sayables(product, noun), sayings: voice.sayings })
    if (want === null) continue
    const mentionsBrand = noun.brand !== "" && random.chance(0.12)
    const request: Request = { noun, ...pick(want), mentionsBrand }
    const task = express(random, product, { want, request, voice, shopper })
    if (isSound(task, product, { budget: want.budget, noun, voice })) return task
  }
  return null
}

function pick({ attributes, options, budget }: Want): Pick<Want, "attributes" | "options" | "budget"> {
  return { attributes, options, budget }
}

function express(
  random: Random,
  product: Product,
  { want, request, voice, shopper }: { want: Want; request: Request; voice: ShopperVoice; shopper: string | null },
): WrittenTask {
  const full = voice.request(request, random)
  const spare = shopper === null ? null : holdBack(random, request)
  const short = spare === null ? null : voice.shortRequest(spare.said, random)
  const { budget } = want
  return {
    instruction: full.text,
    instruction_simple: short?.text ?? null,
    persona:
      spare === null
        ? null
        : voice.persona(
            { key: shopper!, request, category: product.category, price: want.price, hidden: spare.hidden },
            random,
          ),
    attributes: want.attributes.map(({ text }) => text),
    options: want.options.map(({ value }) => value),
    option_axes: want.options.map(({ axis }) => axis),
    price_upper: "upper" in budget ? budget.upper : null,
    labels: {
      domain: product.category.split("›")[0]!.trim(),
      difficulty: difficulty(want, spare?.hidden ?? null),
      phrasing: short?.phrasing ?? full.phrasing,
    },
    selection: want.selection,
  }
}

/** What a shopper says at first, and what only the persona tells. At least one thing is held back. */
function holdBack(
  random: Random,
  request: Request,
): { said: Request; hidden: { attributes: readonly Sayable[]; options: readonly WantedOption[] } } {
  const says = { attributes: 0.35, options: 0.55 }
  const attributes = request.attributes.filter(() => random.chance(says.attributes))
  const options = request.options.filter(() => random.chance(says.options))
  if (attributes.length === request.attributes.length && options.length === request.options.length) attributes.pop()
  const hidden = {
    attributes: request.attributes.filter((attribute) => !attributes.includes(attribute)),
    options: request.options.filter((option) => !options.includes(option)),
  }
  return { said: { ...request, attributes, options, mentionsBrand: false }, hidden }
}

function difficulty({ attributes, options, budget }: Want, hidden: { attributes: readonly unknown[] } | null): string {
  const points = attributes.length + 2 * options.length + ("upper" in budget ? 1 : 0) + (hidden === null ? 0 : 2)
  return points <= 5 ? "easy" : points <= 7 ? "medium" : "hard"
}

function isSound(
  task: WrittenTask,
  product: Product,
  { budget, noun, voice: { language } }: { budget: BudgetPlan; noun: Noun; voice: ShopperVoice },
): boolean {
  const texts = [task.instruction, ...(task.instruction_simple === null ? [] : [task.instruction_simple])]
  const title = product.title.toLowerCase()
  const telling = product.asin.length >= LONG_ID ? product.asin : null // the id `1` is in half of all amounts
  const namesTitle = (text: string) => title !== noun.bare.toLowerCase() && text.toLowerCase().includes(title)
  if (texts.some((text) => text === "" || namesTitle(text))) return false
  if (telling !== null && texts.some((text) => text.includes(telling))) return false
  if (!texts.every((text) => readsAs(budget, text, language))) return false
  return RulesName.options.every((rules) => {
    const goal = { ...task, asin: product.asin, name: product.title, category: product.category }
    return scorePurchase({ goal, product, selected: task.selection, rules, language }).reward_detail.r_success === 1
  })
}

/** Whether the budget parser finds in `text` what was meant; where no budget is meant, neither profile may find one. */
function readsAs(budget: BudgetPlan, text: string, language: ShopperVoice["language"]): boolean {
  const read = parseBudget(text, { rules: "souk", language })
  const sameUpper = (upper: number) => read.upper !== null && Math.abs(read.upper - upper) < 0.005
  switch (budget.kind) {
    case "upper":
      return read.kind === "upper" && !read.approximate && sameUpper(budget.upper)
    case "approximate":
      return read.kind === "upper" && read.approximate && sameUpper(budget.upper)
    case "range":
      return read.kind === "range" && sameUpper(budget.upper)
    case "explicitly_none":
    case "not_stated":
      return read.kind === budget.kind && parseBudget(text, { rules: "v8", language }).upper === null
  }
}
