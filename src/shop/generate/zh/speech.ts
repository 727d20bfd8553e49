import type { Random } from "../../../core/random.ts"
import { dropEmptyClauses, fill } from "../sentence.ts"
import type { Request, Sayable, Spoken, WantedOption } from "../shopper.ts"
import { budgetWords } from "./budget-words.ts"

/**
 * Whole requests. `{np}` 一副头戴式耳机, `{ask}` 头戴式耳机, `{pre}` one attribute before the noun (`主动降噪的`), `{attrs}` the
 * (other) attributes, `{words}` all of them bare, `{opts}` options, `{values}` bare option values, `{budget}`, `{scene}`.
 */
const TEMPLATES: Readonly<Record<string, string>> = {
  want: "想买{np}，{attrs}，{opts}，{budget}。",
  scene_want: "{scene}，想买{np}，{attrs}，{opts}，{budget}。",
  any: "有没有{pre}{ask}推荐？{attrs}，{opts}，{budget}。",
  beg: "求推荐{np}：{attrs}，{opts}，{budget}，谢谢！",
  budget_first: "{budget}，想入手{np}，{attrs}，{opts}。",
  list: "帮我找{np}。要求：{attrs}；{opts}；{budget}。",
  keywords: "{ask} {words} {values} {budget}",
  keywords_budget: "{words} {ask} {values}，{budget}",
  scene_ask: "{scene}。{ask}有推荐的吗，{attrs}，{opts}，{budget}。",
  looking: "最近在看{ask}，{attrs}，{opts}，{budget}，有合适的吗？",
  please: "麻烦帮我挑{np}，{opts}，{attrs}，{budget}。",
  rest_open: "要{np}，{opts}，{attrs}，{budget}，其他无所谓。",
  option_first: "{np}，{opts}，{budget}。{attrs}。",
  order_now: "给我找{np}，{attrs}，{opts}，{budget}，有的话直接下单。",
  scene_pre: "{scene}，想要{pre}{ask}，{attrs}，{opts}，{budget}",
  pre_want: "想买{pre}{ask}，{attrs}，{opts}，{budget}，麻烦看看。",
  is_there: "请问有{pre}{ask}吗？{opts}，{attrs}。{budget}。",
  need: "需要{np}，{attrs}，{opts}。{budget}。",
}
const SHORT: Readonly<Record<string, string>> = {
  short_want: "想买{np}，{attrs}，{opts}，{budget}。",
  short_find: "帮我找{np}，{opts}，{attrs}，{budget}。",
  short_any: "有没有合适的{ask}？{attrs}，{opts}，{budget}。",
  short_budget: "{budget}，给我买{np}，{attrs}，{opts}。",
  short_pick: "给我挑{np}，{attrs}，{opts}，{budget}，谢谢。",
  short_words: "{ask}，{words}，{values}，{budget}",
}
const LITERAL = ["要{a}的", "要{a}", "最好是{a}的", "{a}的那种", "{a}的", "想要{a}的"]

export function chineseRequest(request: Request, random: Random): Spoken {
  const names = Object.keys(TEMPLATES).filter((name) => {
    return request.noun.scenes.length > 0 || !TEMPLATES[name]!.includes("{scene}")
  })
  return speak(request, random, random.pick(names), TEMPLATES)
}

export function shortChineseRequest(request: Request, random: Random): Spoken {
  const spoken = speak(request, random, random.pick(Object.keys(SHORT)), SHORT)
  return spoken.text === request.noun.bare ? speak(request, random, "short_want", SHORT) : spoken
}

function speak(
  request: Request,
  random: Random,
  phrasing: string,
  templates: Readonly<Record<string, string>>,
): Spoken {
  const template = templates[phrasing]!
  const { noun, attributes, options, budget } = request
  const brand = request.mentionsBrand ? `${noun.brand}的` : ""
  const [before, others] = template.includes("{pre}") ? [attributes.slice(0, 1), attributes.slice(1)] : [[], attributes]
  const filled = fill(template, {
    np: noun.phrase.replace(noun.bare, `${brand}${noun.bare}`),
    ask: before.length > 0 ? noun.bare : `${brand}${noun.bare}`,
    pre: before.map(({ text }) => `${text}的`).join(""),
    attrs: attributeClauses(others, random),
    words: attributes.map(({ text }) => text).join(" "),
    opts: options.map((option) => optionClause(option, random)).join("，"),
    values: options.map(({ spoken }) => spoken).join(" "),
    budget: budgetWords(budget, random),
    scene: noun.scenes.length > 0 ? random.pick(noun.scenes) : "",
  })
  return { text: dropEmptyClauses(filled, { ends: "。？！", joins: "，：；" }), phrasing }
}

/** `要主动降噪、可折叠的，充一次能听50个小时`. */
function attributeClauses(attributes: readonly Sayable[], random: Random): string {
  const literal: string[] = []
  const clauses: string[] = []
  for (const { text, clauses: known } of attributes) {
    if (known.length > 0 && random.chance(0.75)) clauses.push(random.pick(known))
    else literal.push(text)
  }
  const together = literal.length === 0 ? [] : [random.pick(LITERAL).replace("{a}", literal.join("、"))]
  return random.shuffle([...together, ...clauses]).join("，")
}

/** `颜色要雾蓝`, `穿42码`, `500ml的`. */
function optionClause({ axis, spoken, paraphrased }: WantedOption, random: Random): string {
  if (paraphrased) return random.pick([`要${spoken}的`, `最好是${spoken}的`, `想要${spoken}的`])
  if (/尺码|鞋码/.test(axis)) return random.pick([`${spoken}码`, `尺码${spoken}`, `要${spoken}码的`, `穿${spoken}码`])
  if (/颜色|色号|封面|图案/.test(axis)) {
    return random.pick([
      `${axis.slice(0, 2)}要${spoken}`,
      `要${spoken}的`,
      `${spoken}那款`,
      `最好${spoken}`,
      `${axis}选${spoken}`,
    ])
  }
  if (/容量|重量|净含量|规格|尺寸|口径|数量|件数|册数|颗粒数/.test(axis)) {
    return random.pick([`要${spoken}的`, `${spoken}的`, `${axis}要${spoken}`, `${axis}选${spoken}`])
  }
  return random.pick([`${axis}选${spoken}`, `要${spoken}的`, `${axis}要${spoken}`])
}
