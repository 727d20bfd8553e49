import { chineseNumeral } from "./numerals.ts"

/** The colour that each of these characters names in a colour's name: 雾蓝 is a blue. */
const COLOURS = new Map([..."黑白灰蓝绿红粉紫黄银金橙"].map((character) => [character, `${character}色`]))
const BROWNS = /咖|焦糖|卡其|棕|驼|奶茶/u
const OFF_WHITES = /燕麦|象牙|云母|奶油|米卡/u
const LETTER_SIZES = new Map([
  ["S", "小码"],
  ["M", "中码"],
  ["L", "大码"],
  ["XL", "加大码"],
  ["NB", "新生儿码"],
])
const UNITS = new Map([
  ["ml", "毫升"],
  ["l", "升"],
  ["cm", "厘米"],
  ["mm", "毫米"],
  ["mah", "毫安"],
])
const COUNTERS = "个包双支本册件粒片只罐盒寸度"

/**
 * Other ways in which a shopper may say an option value: the colour that 雾蓝 is, 5斤 for 2.5kg, 三双 for 3双. Empty: none is known.
 * Whether one tells the value from its neighbours is for the caller to see.
 */
export function chineseSayings(axis: string, value: string): string[] {
  if (/颜色|色号|封面/u.test(axis)) return colourSayings(value)
  const size = /尺码/u.test(axis) ? LETTER_SIZES.get(value) : undefined
  if (size !== undefined) return [size]
  return [...weightSayings(value), ...bedSayings(value), ...measureSayings(value), ...countSayings(value)]
}

function colourSayings(value: string): string[] {
  const two = /^(\p{Script=Han})\/(\p{Script=Han})$/u.exec(value)
  if (two) return COLOURS.has(two[1]!) && COLOURS.has(two[2]!) ? [`${two[1]}${two[2]}拼色`] : []
  if (/[/+0-9]|混|拼|条纹|双色/u.test(value)) return []
  const named = [...value].filter((character) => COLOURS.has(character))
  if (named.length === 1) return [COLOURS.get(named[0]!)!].filter((saying) => saying !== value)
  if (named.length > 1) return []
  if (BROWNS.test(value)) return ["棕色系"]
  return OFF_WHITES.test(value) ? ["米白色系"] : []
}

/** Half kilograms are counted, as markets do: 2.5kg is 5斤. */
function weightSayings(value: string): string[] {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(kg|g)$/i.exec(value) ?? []
  if (unit === "") return []
  const jin = (Number(number) * (unit.toLowerCase() === "kg" ? 1000 : 1)) / 500
  if (jin === 0.5) return ["半斤"]
  if (Number.isInteger(jin) && jin >= 1) return [`${jin}斤`, `${chineseNumeral(jin)}斤`]
  const liang = jin * 10
  return Number.isInteger(liang) ? [`${chineseNumeral(liang)}两`] : []
}

/** `1.5m床` → 一米五的床. */
function bedSayings(value: string): string[] {
  const [, metres = "", tenths = ""] = /^(\d)\.(\d)m床$/.exec(value) ?? []
  if (metres === "") return []
  const whole = metres === "2" ? "两" : chineseNumeral(Number(metres))
  return [tenths === "0" ? `${whole}米床` : `${whole}米${chineseNumeral(Number(tenths))}的床`]
}

function measureSayings(value: string): string[] {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(value) ?? []
  const spelled = UNITS.get(unit.toLowerCase())
  return spelled === undefined ? [] : [`${number}${spelled}`]
}

function countSayings(value: string): string[] {
  const match = new RegExp(`^(\\d{1,3})([${COUNTERS}])$`, "u").exec(value)
  if (match) {
    const number = Number(match[1])
    return [`${number === 2 ? "两" : chineseNumeral(number)}${match[2]}`]
  }
  if (/^[一两]件装$/u.test(value)) return [value.startsWith("一") ? "单件" : "2件一起的"]
  if (/^一[只对]$/u.test(value)) return [value === "一对" ? "两只一起的" : "单只"]
  return []
}
