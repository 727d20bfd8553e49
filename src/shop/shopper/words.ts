import type { Language } from "../catalog.ts"

/** What a shopper without a model says, and by which words it knows what it is asked. Part of the version `template`. */
export interface ShopperWords {
  readonly asks: {
    readonly budget: RegExp
    readonly features: RegExp
    readonly options: RegExp
    readonly all: RegExp
    readonly profile: RegExp
    readonly product: RegExp
  }
  /** Kinds of options, each by the words for it. */
  readonly axes: readonly RegExp[]
  readonly budget: (words: string) => string
  readonly upTo: (amount: string) => string
  readonly noBudget: string
  readonly features: (words: readonly string[]) => string
  readonly noFeatures: string
  readonly option: (axis: string | null, words: string) => string
  readonly noOption: string
  readonly asSaid: string
  readonly profile: (words: readonly string[]) => string
  readonly noProfile: string
  readonly noProduct: string
  readonly unclear: string
  readonly declined: string
  readonly tooDear: string
  readonly lacks: string
  readonly otherOption: string
  readonly otherKind: string
  readonly otherwise: string
  /** Between sentences. */
  readonly joint: string
}

const en: ShopperWords = {
  asks: {
    budget: /budget|price|spend|cost|how much|afford|expensive|cheap|\$|dollars?|bucks?/iu,
    features: /feature|attribute|qualit|material|requirement|must[- ]have|matter|important|need|look for|looking for/iu,
    options: /option|variant|configuration|which one/iu,
    all: /anything else|something else|what else|more about|tell me (?:more|everything)|other (?:wish|requirement|preference)/iu,
    profile: /\bwho\b|gender|\bage\b|how old|yourself/iu,
    product: /asin|exact product|product (?:name|id|title|code)|name of the product|which product|brand|model number/iu,
  },
  axes: [
    /colou?r|shade/iu,
    /\bsize\b|dimension|diameter/iu,
    /version|style|model\b/iu,
    /width/iu,
    /pack|quantity|count|set\b/iu,
    /capacity|volume/iu,
    /length/iu,
    /flavou?r|scent/iu,
  ],
  budget: (words) => `My budget: ${words}.`,
  upTo: (amount) => `up to $${amount}`,
  noBudget: "I have set no limit.",
  features: (words) => `I want: ${words.join("; ")}.`,
  noFeatures: "I asked for nothing in particular.",
  option: (axis, words) => (axis === null ? `I want: ${words}.` : `${axis}: ${words}.`),
  noOption: "Any will do as to that.",
  asSaid: "As to that I told you.",
  profile: (words) => `About me: ${words.join(", ")}.`,
  noProfile: "I would rather not talk about myself.",
  noProduct: "I cannot tell you which one to buy; I can only tell you what I am after.",
  unclear: "I do not know what to answer; ask me about my budget, or about what I am after.",
  declined: "No, I would not want to buy this.",
  tooDear: "It costs too much for me.",
  lacks: "It is not what I asked for.",
  otherOption: "You chose another than I asked for.",
  otherKind: "It is another kind of thing than I am after.",
  otherwise: "Let me leave it at what I said.",
  joint: " ",
}

const zh: ShopperWords = {
  asks: {
    budget: /预算|价|多少钱|花多少|贵|便宜|[元块]/u,
    features: /特点|特征|功能|要求|需求|材质|在意|看重|需要|属性/u,
    options: /规格|选项|款式|哪一?[种款个]/u,
    all: /其他|其它|别的|还有|补充/u,
    profile: /谁用|给谁|性别|年龄|多大年纪|您自己|你自己/u,
    product: /编号|商品名|哪[个件款]商品|品牌|牌子|型号|链接/u,
  },
  axes: [
    /颜色|色/u,
    /尺码|尺寸|大小|码/u,
    /版本|型号|款/u,
    /套餐|组合/u,
    /数量|几[个件双包]/u,
    /容量/u,
    /长度/u,
    /口味|香型/u,
    /规格/u,
  ],
  budget: (words) => `预算：${words}。`,
  upTo: (amount) => `不超过${amount}元`,
  noBudget: "这个我没有限制。",
  features: (words) => `我想要：${words.join("、")}。`,
  noFeatures: "我没有特别说过。",
  option: (axis, words) => (axis === null ? `我想要：${words}。` : `${axis}：${words}。`),
  noOption: "这一项都可以。",
  asSaid: "就是我说过的那样。",
  profile: (words) => `我的情况：${words.join("、")}。`,
  noProfile: "我自己的情况就不说了。",
  noProduct: "我说不出该买哪一个，只能告诉你我想要怎样的。",
  unclear: "我不知道怎么回答；可以问我预算，或者我想要怎样的。",
  declined: "这个我不想买。",
  tooDear: "对我来说太贵了。",
  lacks: "这不是我说的那种。",
  otherOption: "选的不是我说的那个。",
  otherKind: "这不是我想要的那类东西。",
  otherwise: "就按我说过的来吧。",
  joint: "",
}

const WORDS: Readonly<Record<Language, ShopperWords>> = { en, zh }

export function shopperWords(language: Language): ShopperWords {
  return WORDS[language]
}
