import type { Language } from "./document.ts"

/** Measures by what they are called in files. What is not here is called by that name, in words; parts of a reward always are. */
const LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { duration_ms: "duration, ms" },
  zh: {
    success: "成功",
    reward: "奖励",
    steps: "步数",
    protocol_errors: "协议错误",
    invalid_actions: "无效动作",
    actions: "动作",
    valid_actions: "有效动作",
    searches: "搜索",
    unique_queries: "不同的搜索词",
    query_chars: "搜索词字数",
    product_opens: "打开商品",
    unique_products: "不同的商品",
    product_revisits: "重看商品",
    exposed_products: "列表中见到的商品",
    first_product_rank: "首个打开的商品的名次",
    backtracks: "返回",
    paginations: "翻页",
    option_selections: "选择规格",
    option_changes: "改选规格",
    reasoning_chars: "思考字数",
    generated_tokens: "生成的词元",
    tokens_per_turn: "每轮词元",
    first_turn_tokens: "首轮词元",
    tokens: "词元",
    duration_ms: "用时（毫秒）",
    simulated_deal: "成交",
    purchase_intent: "购买意向",
  },
}

const COMPONENTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    r_type: "kind of product",
    r_att: "features",
    r_option: "options",
    r_price: "price",
    r_loose: "lenient reward",
    r_strict: "strict reward",
    r_success: "success by the strict reward",
  },
  zh: {
    r_type: "品类",
    r_att: "特点",
    r_option: "规格",
    r_price: "价格",
    r_loose: "宽松奖励",
    r_strict: "严格奖励",
    r_success: "按严格奖励的成功",
  },
}

/** A part of a reward, in words. */
export function componentLabel(name: string, language: Language): string {
  return COMPONENTS[language][name] ?? name
}

export function measureLabel(name: string, language: Language): string {
  return LABELS[language][name] ?? (name.startsWith("r_") ? name : name.replaceAll("_", " "))
}
