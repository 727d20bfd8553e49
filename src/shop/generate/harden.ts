import type { Random } from "../../core/random.ts"
import { parseBudget } from "../budget.ts"
import type { Language } from "../catalog.ts"
import { choices } from "../moves.ts"
import type { Product } from "../product.ts"
import { scorePurchase } from "../reward.ts"
import { RulesName } from "../rules.ts"
import { englishAside } from "./en/asides.ts"
import type { WrittenTask } from "./write-task.ts"
import { chineseAside } from "./zh/asides.ts"

/** Of tasks that the first hit of a search solves, these are left so: a store has easy shoppers too. */
const EASY_SHARE = 0.2
/** So many other things are mentioned, one after the other, until the first hit is another one. */
const ATTEMPTS = 10

const HARDER: Readonly<Record<string, string>> = { easy: "medium", medium: "hard" }

const ASIDES: Readonly<Record<Language, (other: Product, random: Random) => string>> = {
  zh: chineseAside,
  en: englishAside,
}

/** What is needed of a store to see how far a search alone gets. */
export interface Neighbourhood {
  readonly language: Language
  /** The product that a search lists first; undefined: it lists none. */
  firstHit(query: string): Product | undefined
  /** Products that a shopper may mention beside the wanted one, likeliest first. */
  others(random: Random): Iterable<Product>
}

/**
 * A task that searching for its text and taking the first hit does not solve, where that can be had: in a store of few and different
 * things any request names its product too well. The shopper then also mentions something else of the store, as people do who tell what
 * they have already or do not want. Goal and budget stay what they were; a share of tasks stays easy.
 */
export function harden(random: Random, task: WrittenTask, product: Product, near: Neighbourhood): WrittenTask {
  if (random.chance(EASY_SHARE) || !isSolvedByFirstHit(task, product, near)) return task
  let attempts = 0
  for (const other of near.others(random)) {
    if (attempts++ === ATTEMPTS) break
    const aside = ASIDES[near.language](other, random)
    const harder = withAside(task, aside, { before: random.chance(0.5), language: near.language })
    if (saysTheSame(task, harder, product, near.language) && !isSolvedByFirstHit(harder, product, near)) return harder
  }
  return task
}

function withAside(
  task: WrittenTask,
  aside: string,
  { before, language }: { before: boolean; language: Language },
): WrittenTask {
  const space = language === "en" ? " " : ""
  const add = (text: string) => (before ? `${aside}${space}${text}` : `${ended(text, language)}${space}${aside}`)
  const { instruction_simple: short } = task
  return {
    ...task,
    instruction: add(task.instruction),
    instruction_simple: short === null ? null : add(short),
    labels: {
      ...task.labels,
      difficulty: HARDER[task.labels.difficulty] ?? task.labels.difficulty,
      phrasing: `${task.labels.phrasing}_aside`,
    },
  }
}

function ended(text: string, language: Language): string {
  return /[.?!。？！]$/.test(text) ? text : `${text}${language === "en" ? "." : "。"}`
}

/** The first hit, each axis at its first value: whether that earns full success, by either text under either profile. */
function isSolvedByFirstHit(task: WrittenTask, product: Product, { firstHit, language }: Neighbourhood): boolean {
  const goal = { ...task, asin: product.asin, name: product.title, category: product.category }
  return textsOf(task).some((text) => {
    const hit = firstHit(text)
    if (hit === undefined) return false
    const selected = new Map(choices(hit, []).map(({ name, values }) => [name, values[0]!.text]))
    return RulesName.options.some((rules) => {
      return scorePurchase({ goal, product: hit, selected, rules, language }).reward_detail.r_success === 1
    })
  })
}

/** Both texts of the harder task state the budget they stated before, and none gives the product away. */
function saysTheSame(task: WrittenTask, harder: WrittenTask, product: Product, language: Language): boolean {
  const title = product.title.toLowerCase()
  const before = textsOf(task)
  return textsOf(harder).every((text, i) => {
    if (text.toLowerCase().includes(title) && !before[i]!.toLowerCase().includes(title)) return false
    return RulesName.options.every((rules) => {
      const [was, is] = [before[i]!, text].map((said) => parseBudget(said, { rules, language }))
      return was!.kind === is!.kind && was!.upper === is!.upper
    })
  })
}

function textsOf({ instruction, instruction_simple }: WrittenTask): string[] {
  return instruction_simple === null ? [instruction] : [instruction, instruction_simple]
}
