/** Traditional and formal characters that occur in amounts and price words, each followed by the plain one we read. */
const PAIRS =
  "預预 價价 錢钱 塊块 萬万 億亿 兩两 幾几 圓元 圆元 內内 過过 還还 這这 個个 別别 無无 沒没 斷断 單单 總总 費费 額额 貴贵 買买 賣卖 給给 對对 錯错 " +
  "條条 雙双 張张 臺台 歲岁 訂订 優优 減减 運运 郵邮 裡里 間间 來来 餘余 許许 應应 該该 須须 從从 會会 儘尽 說说 話话 問问 題题 關关 係系 隨随 夠够 頂顶 " +
  "極极 東东 選选 種种 購购 長长 寬宽 開开 樣样 約约 帶带 實实 後后 當当 麼么 紅红 壹一 贰二 貳二 叁三 參三 肆四 伍五 陆六 陸六 柒七 捌八 玖九 拾十 佰百 仟千"
const PLAIN: ReadonlyMap<string, string> = new Map(PAIRS.split(" ").map((pair) => [pair[0]!, pair[1]!]))
const SIGNS: Readonly<Record<string, string>> = {
  "\u3000": " ",
  "\u00a0": " ",
  "\u3001": ",", // the comma of enumerations
  "\uffe5": "¥",
  "\uffe1": "£",
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
  "\u301c": "~",
}
const FOLDED = new RegExp(
  `[${[...PLAIN.keys()].join("")}${Object.keys(SIGNS).join("")}A-Z\\uff01-\\uff0b\\uff0d-\\uff5e]`,
  "g",
)

/**
 * `text` in one spelling: half-width, lower-case, simplified, one kind of dash. Every character keeps its place, so that positions
 * found here cut the original. The full-width comma stays: it never groups thousands.
 */
export function foldText(text: string): string {
  return text.replace(FOLDED, (character) => {
    const plain = SIGNS[character] ?? PLAIN.get(character)
    if (plain !== undefined) return plain
    if (character >= "A" && character <= "Z") return character.toLowerCase()
    return String.fromCharCode(character.charCodeAt(0) - 0xfee0).toLowerCase()
  })
}
