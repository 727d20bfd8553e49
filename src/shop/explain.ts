import type { Language } from "./catalog.ts"
import type { Goal } from "./goal.ts"
import type { AttributeMatch, OptionMatch } from "./match.ts"
import type { Findings, RewardDetail } from "./reward.ts"
import type { BudgetKind } from "./task.ts"

/** Why a purchase scored what it did: the facts as data, and the same in sentences. */
export type Explanation = {
  readonly language: Language
  /** One finding a line. */
  readonly text: string
  readonly type: { readonly shared_categories: string[]; readonly shared_terms: string[] }
  readonly attributes: AttributeMatch[]
  readonly options: OptionMatch[]
  readonly price: {
    /** The price that was used; null: not known. */
    readonly used: number | null
    /** The selection that set it, where one did. */
    readonly axis: string | null
    readonly upper: number | null
    readonly within: boolean | null
    readonly budget: BudgetKind | null
    /** The words the budget was read from. */
    readonly evidence: string
  }
}

/** Tells a reward's findings. Part of the private outcome: it quotes the goal. */
export function explain(goal: Goal, detail: RewardDetail, findings: Findings, language: Language): Explanation {
  const { price, evidence } = detail.price_resolution
  const facts = {
    type: { shared_categories: findings.type.shared_categories, shared_terms: findings.type.shared_terms },
    attributes: findings.attributes,
    options: findings.options,
    price: {
      used: price,
      axis: typeof evidence.price_axis === "string" ? evidence.price_axis : null,
      upper: goal.price_upper,
      within: goal.price_upper === null || price === null ? null : price <= goal.price_upper,
      budget: goal.budget?.kind ?? null,
      evidence: goal.budget?.evidence ?? "",
    },
  }
  const say = language === "zh" ? chinese : english
  const lines = [
    say.type(detail, facts.type),
    ...facts.attributes.map(say.attribute),
    ...facts.options.map(say.option),
    say.price(detail, facts.price),
    say.budget(facts.price),
    say.total(detail),
  ]
  return { language, text: lines.join("\n"), ...facts }
}

interface Phrases {
  type(detail: RewardDetail, type: Explanation["type"]): string
  attribute(match: AttributeMatch): string
  option(match: OptionMatch): string
  price(detail: RewardDetail, price: Explanation["price"]): string
  budget(price: Explanation["price"]): string
  total(detail: RewardDetail): string
}

const chinese: Phrases = {
  type({ r_type, category_match, title_score }, { shared_categories, shared_terms }) {
    const why = category_match
      ? `类目路径有共同节点：${shared_categories.join("、")}`
      : `标题词重合 ${percent(title_score)}${shared_terms.length > 0 ? `（${shared_terms.join("、")}）` : ""}`
    return `品类 ${r_type}：${why}。`
  },
  attribute({ wanted, matched, where, nearest, ratio }) {
    if (!matched)
      return `属性“${wanted}”：未满足，${nearest === null ? "商品没有属性" : `最接近的是“${nearest}”（${ratio}）`}。`
    if (where === "attributes") return `属性“${wanted}”：满足，商品属性“${nearest}”（${ratio}）。`
    const places = { title: "标题", bullets: "卖点", description: "描述", text: "文字" } as const
    return `属性“${wanted}”：满足，商品${places[where ?? "text"]}中有原文。`
  },
  option({ wanted, axis, matched, exact_offered, selected_axis, selected_value, ratio }) {
    const place = axis === null ? "" : `（${axis}）`
    if (selected_value === null) return `规格“${wanted}”${place}：未满足，没有可比的选择。`
    const chosen = `选择了“${selected_axis}=${selected_value}”`
    if (matched) return `规格“${wanted}”${place}：满足，${chosen}。`
    return `规格“${wanted}”${place}：未满足，${chosen}（${exact_offered ? "该商品有一模一样的规格值" : `相似度 ${ratio}`}）。`
  },
  price({ price_resolution: { method } }, { used, axis }) {
    const how = {
      invalid_selected_options: "所选规格无法读取",
      multiple_price_affecting_axes: "不止一个规格影响价格",
      price_axis_unselected: `决定价格的“${axis}”没有选择`,
      selected_variant_price_missing: `“${axis}”的所选值没有标价`,
      selected_price_axis: `由“${axis}”的所选值决定`,
      constant_option_price: "所有标价的规格同价",
      single_listing_price: "商品只有一个标价",
      price_not_deterministic: "没有唯一的价格",
    }[method]
    return used === null ? `价格：无法确定，${how}。` : `价格：${used}，${how}。`
  },
  budget({ upper, within, budget, evidence }) {
    const quote = evidence === "" ? "" : `（“${evidence}”）`
    if (upper !== null) {
      const verdict = within === null ? "价格未知，按超出计" : within ? "在预算内" : "超出预算"
      return `预算上限：${upper}${quote}，${verdict}。`
    }
    const kinds: Partial<Record<BudgetKind, string>> = {
      floor_only: "只说了下限",
      unit_price: "说的是单价，不是总价",
      explicitly_none: "明确不限预算",
      ambiguous: "说法有歧义",
    }
    return `预算：${kinds[budget ?? "not_stated"] ?? "没有提到"}${quote}，价格不作限制。`
  },
  total({ r_strict, r_type, r_att, r_option, r_price }) {
    return `得分 ${decimal(r_strict)} = 品类 ${r_type} × 属性 ${decimal(r_att)} × 规格 ${decimal(r_option)} × 价格 ${r_price}。`
  },
}

const english: Phrases = {
  type({ r_type, category_match, title_score }, { shared_categories, shared_terms }) {
    const why = category_match
      ? `the category paths share ${shared_categories.join(", ")}`
      : `the titles share ${percent(title_score)} of the wanted terms${shared_terms.length > 0 ? ` (${shared_terms.join(", ")})` : ""}`
    return `Kind of product ${r_type}: ${why}.`
  },
  attribute({ wanted, matched, where, nearest, ratio }) {
    if (!matched) {
      const why = nearest === null ? "the product has no attributes" : `nearest is "${nearest}" (${ratio})`
      return `Attribute "${wanted}": not met, ${why}.`
    }
    if (where === "attributes") return `Attribute "${wanted}": met by "${nearest}" (${ratio}).`
    const places = { title: "title", bullets: "bullet points", description: "description", text: "text" } as const
    return `Attribute "${wanted}": met, word for word in the product's ${places[where ?? "text"]}.`
  },
  option({ wanted, axis, matched, exact_offered, selected_axis, selected_value, ratio }) {
    const place = axis === null ? "" : ` (${axis})`
    if (selected_value === null) return `Option "${wanted}"${place}: not met, nothing comparable was chosen.`
    const chosen = `"${selected_axis}=${selected_value}" was chosen`
    if (matched) return `Option "${wanted}"${place}: met, ${chosen}.`
    return `Option "${wanted}"${place}: not met, ${chosen} (${exact_offered ? "though exactly this value is offered" : `similarity ${ratio}`}).`
  },
  price({ price_resolution: { method } }, { used, axis }) {
    const how = {
      invalid_selected_options: "the selections cannot be read",
      multiple_price_affecting_axes: "more than one option axis moves the price",
      price_axis_unselected: `"${axis}", which sets the price, was not chosen`,
      selected_variant_price_missing: `the chosen "${axis}" carries no price`,
      selected_price_axis: `set by the chosen "${axis}"`,
      constant_option_price: "every priced option costs the same",
      single_listing_price: "the product has one listing price",
      price_not_deterministic: "there is no single price",
    }[method]
    return used === null ? `Price: not known, ${how}.` : `Price: ${used}, ${how}.`
  },
  budget({ upper, within, budget, evidence }) {
    const quote = evidence === "" ? "" : ` ("${evidence}")`
    if (upper !== null) {
      const verdict = within === null ? "price not known, counted as over it" : within ? "within it" : "over it"
      return `Budget: up to ${upper}${quote}, ${verdict}.`
    }
    const kinds: Partial<Record<BudgetKind, string>> = {
      floor_only: "only a lower bound was named",
      unit_price: "a unit price was named, not a total",
      explicitly_none: "explicitly none",
      ambiguous: "ambiguous",
    }
    return `Budget: ${kinds[budget ?? "not_stated"] ?? "not stated"}${quote}, any price will do.`
  },
  total({ r_strict, r_type, r_att, r_option, r_price }) {
    return `Reward ${decimal(r_strict)} = kind ${r_type} × attributes ${decimal(r_att)} × options ${decimal(r_option)} × price ${r_price}.`
  },
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function decimal(share: number): string {
  return String(Math.round(share * 1000) / 1000)
}
