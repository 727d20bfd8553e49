import type { Random } from "../../../core/random.ts"
import { decimalAsin } from "../asin.ts"
import { choicesOf } from "../draft.ts"
import { readKind } from "../vocabulary.ts"
import type { StoreVoice } from "../voice.ts"
import { CHINESE_DOMAINS } from "./index.ts"

const LINES = {
  first: ["云", "初", "半", "晴", "暮", "浅", "青", "朝", "星", "微", "听", "拾", "知", "见", "小", "远"],
  second: ["野", "山", "汀", "光", "禾", "屿", "雨", "序", "和", "舟", "墨", "岚", "夏", "笙", "田", "白"],
}
const RESELLERS = ["好物集", "优选铺", "老街口", "万家百货", "小城生活", "阿七家", "顺路买", "满仓"]
const PROMOTIONS = ["新品", "热卖", "官方正品", "现货速发", "新款", "店长推荐"]
const MARKS = ["【新色】", "【热卖】", "【现货】", "（店长推荐）", "【预售】"]

export const CHINESE_STORE: StoreVoice = {
  language: "zh",
  kinds: CHINESE_DOMAINS.flatMap((domain) => domain.kinds.map((kind) => readKind(domain, kind))),
  asin: decimalAsin,

  series(kind, random) {
    if (kind.domain.models !== undefined) return modelNumber(kind.domain.models, random)
    if (random.chance(0.4)) return ""
    return `${random.pick(LINES.first)}${random.pick(LINES.second)}系列`
  },

  shopName(brand, random) {
    if (random.chance(0.25)) return `${random.pick(RESELLERS)}${random.pick(["专营店", "企业店", ""])}`
    return `${brand}${random.pick(["官方旗舰店", "旗舰店", "专卖店"])}`
  },

  markValue: (text, random) => `${text}${random.pick(MARKS)}`,

  title(draft, random) {
    const { kind, brand, series } = draft
    const name = random.pick(kind.names)
    const tag = random.pick(kind.tags.filter((tag) => !name.includes(tag)))
    const [a = "", b = "", c = ""] = random.shuffle(choicesOf(draft)).map(({ text }) => text)
    const model = series === "" || /系列$/.test(series) ? series : ` ${series}`
    switch (random.integer(0, 5)) {
      case 0:
        return tidy(`${brand}${name}${a}${b}${tag}${model}`)
      case 1:
        return tidy(`【${random.pick(PROMOTIONS)}】${brand}${a}${name}${tag} ${b} ${series}`)
      case 2:
        return tidy(`${brand} ${series} ${name} ${a} ${b} ${c}`)
      case 3:
        return tidy(`${tag}${name}${a}${b} ${brand}${model}`)
      case 4:
        return tidy(`${brand}${model} ${a}${name}${b}${tag.endsWith("款") ? tag : `${tag}款`}`)
      default:
        return tidy(`${brand}${name} ${a}/${b} ${tag} ${series}`)
    }
  },

  attributes(draft, random) {
    const facets = random.chance(0.15)
      ? draft.facets.map(({ text }, i) => `${draft.kind.facets[i]!.name}:${text}`)
      : draft.facets.map(({ text }) => text)
    return random.shuffle([...facets, ...draft.features.map(({ text }) => text)])
  },

  description(draft, title) {
    const facts = draft.facets.map(({ text }, i) => `${draft.kind.facets[i]!.name}：${text}`)
    const model = draft.series === "" ? [] : [`款号：${draft.series}`]
    const more = draft.features.length === 0 ? "" : `特点：${draft.features.map(({ text }) => text).join("、")}。`
    return `${title}。${[`品牌：${draft.brand}`, ...model, ...facts].join("；")}。${more}`
  },
}

function modelNumber(prefixes: readonly string[], random: Random): string {
  const number = random.chance(0.5) ? random.integer(1, 99) : random.integer(10, 99) * 10
  return `${random.pick(prefixes)}${number}${random.pick(["", "", "", "Pro", "S", "Plus"])}`
}

function tidy(title: string): string {
  return title.replace(/\s+/g, " ").trim()
}
