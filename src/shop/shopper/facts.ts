import { parseBudget } from "../budget.ts"
import type { Language } from "../catalog.ts"
import type { ShopTask } from "../task.ts"

/** One thing that a shopper wants, in the words in which they put it. */
export interface Fact {
  /** `budget`, `attribute:0`, `option:1`: kind, and place in the task's list. */
  readonly id: string
  readonly kind: "budget" | "attribute" | "option"
  /** Of an option: the axis it belongs to, where that is known. */
  readonly axis: string | null
  /** As the goal has it; of a budget the words it was read from. */
  readonly wanted: string
  /** As the full requirement words it; null: in words that the agent was told at first. */
  readonly words: string | null
}

/**
 * What the shopper of a task wants, each in words of the full requirement and no others: a wish that the requirement names in other
 * words than the goal is told by those of its words that are left when everything else is accounted for.
 */
export function factsOf(task: ShopTask, language: Language): Fact[] {
  const { instruction, attributes, options, option_axes = [] } = task
  const { souk: budget } = task.budget
  const wishes = [
    ...attributes.map((wanted, i) => ({ id: `attribute:${i}`, kind: "attribute" as const, axis: null, wanted })),
    ...options.map((wanted, i) => ({
      id: `option:${i}`,
      kind: "option" as const,
      axis: option_axes[i] ?? null,
      wanted,
    })),
  ].filter(({ wanted }) => wanted.trim() !== "")
  const price = parseBudget(instruction, { rules: "souk", language }).evidence
  let left = price === "" ? instruction : blank(instruction, price)
  const found = new Map<string, string>()
  for (const { id, wanted } of wishes.toSorted((a, b) => b.wanted.length - a.wanted.length)) {
    const words = wordsIn(left, wanted) ?? wordsIn(instruction, wanted)
    if (words === null) continue
    found.set(id, words)
    left = blank(left, words)
  }
  const axes = option_axes.filter((axis) => axis !== null)
  const rest = restOf(left, task.instruction_simple ?? instruction, axes, language)
  const facts: Fact[] = wishes.map((wish) => ({ ...wish, words: found.get(wish.id) ?? wordsAmong(rest, wish.axis) }))
  const { evidence, upper, kind } = budget
  if (upper !== null || kind === "floor_only") {
    facts.push({ id: "budget", kind: "budget", axis: null, wanted: evidence, words: evidence === "" ? null : evidence })
  }
  return facts
}

/** Stands for what is accounted for. */
const GAP = "\ufffc"

function blank(text: string, part: string): string {
  return text.replace(part, GAP)
}

/** How `text` spells `wanted`, as words of their own; null: not at all. */
function wordsIn(text: string, wanted: string): string | null {
  const escaped = wanted
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
  return new RegExp(`(?<![\\p{Script=Latin}\\d])${escaped}(?![\\p{Script=Latin}\\d])`, "iu").exec(text)?.[0] ?? null
}

const PARTS: Readonly<Record<Language, RegExp>> = {
  zh: /[\ufffc,，.。;；:：!！?？、\s]+/u,
  en: /\ufffc|[,;:!?()]|\.(?!\d)|\b(?:and|with|in|that's|that|for|made of|which)\b/iu,
}

/** Courtesies, and words around a wish: alone they say nothing. */
const FILLER: Readonly<Record<Language, RegExp>> = {
  zh: /你好|您好|请问|麻烦|谢谢|看看|其他|无所谓|都行|随意|有的话|直接下单|有没有|有合适的|推荐|想要|想买|想|要求|要|最好是?|那种|那款|帮我|给我|找|挑|选|买|需要|希望|选|穿|一[个件款副把台条支瓶盒袋包套张块双只本辆罐床对组根盏箱枚顶份部提]|[的吗呢吧啊了是有在我]/gu,
  en: /\b(?:hi|hello|hey|thanks|thank you|please|can|could|you|anyone|do|does|have|has|having|had|recommend|looking|shopping|trying|find|get|need|needs|want|wants|i'd|i'm|i've|it's|its|i|it|stay|keep|me|my|like|to|a|an|the|one|some|be|is|are|must|must-haves|should|of|on|or|for|in|with)\b/giu,
}

/** Parts of what is left that say something that the agent was not told at first. */
function restOf(left: string, simple: string, axes: readonly string[], language: Language): string[] {
  const telling = (text: string) => {
    const named = axes.reduce((said, axis) => said.replaceAll(axis.toLowerCase(), " "), text.toLowerCase())
    return named
      .replace(FILLER[language], " ")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  }
  const known = telling(simple)
  const knownPieces = new Set(piecesOf(known))
  return left.split(PARTS[language]).flatMap((part) => {
    const said = telling(part)
    const pieces = piecesOf(said)
    const news = pieces.filter((piece) => !knownPieces.has(piece))
    return said === "" || known.includes(said) || news.length * 2 < pieces.length ? [] : [part.trim()]
  })
}

/** Words, and pairs of neighbouring Han characters. */
function piecesOf(text: string): string[] {
  const words = text.match(/[^\s\p{Script=Han}]+/gu) ?? []
  const runs = text.match(/\p{Script=Han}+/gu) ?? []
  return [
    ...words,
    ...runs.flatMap((run) => Array.from(run, (_, i) => run.slice(i, i + 2)).slice(0, Math.max(1, run.length - 1))),
  ]
}

/** Those that name the axis, else all of them. */
function wordsAmong(rest: readonly string[], axis: string | null): string | null {
  const name = axis?.toLowerCase()
  const named = name === undefined ? [] : rest.filter((part) => part.toLowerCase().includes(name))
  const chosen = named.length > 0 ? named : rest
  return chosen.length === 0 ? null : chosen.join(", ")
}
