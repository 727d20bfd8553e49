/** Names of colours and sizes that mean the same: what a text calls 红色 the data may call `red`. The first is the one we keep. */
const COLORS = [
  "red 红色 红 大红 crimson",
  "blue 蓝色 蓝",
  "green 绿色 绿",
  "black 黑色 黑",
  "white 白色 白",
  "yellow 黄色 黄",
  "pink 粉色 粉 粉红色 粉红",
  "purple 紫色 紫",
  "gray 灰色 灰 grey",
  "brown 棕色 棕 咖啡色 咖色 褐色",
  "orange 橙色 橙 橘色 橘",
  "beige 米色 米白色 米白 杏色",
  "navy 藏青色 藏青 藏蓝色 藏蓝 navy blue",
  "silver 银色 银",
  "gold 金色 金",
  "khaki 卡其色 卡其",
  "teal 青色",
  "cream 奶油色 奶白色",
  "ivory 象牙白 象牙色",
  "burgundy 酒红色 酒红",
  "olive 军绿色 军绿 橄榄绿",
  "charcoal 炭灰色 炭灰",
]
const SIZES = [
  "xs 加小号 xs码",
  "s 小号 小码 small s码 s号",
  "m 中号 中码 medium m码 m号",
  "l 大号 大码 large l码 l号",
  "xl 加大号 加大 extra large x-large xl码 xl号",
  "xxl 2xl xxl码 2xl码 double xl",
  "xxxl 3xl 3xl码 xxxl码",
]
const PHRASES = /(?:navy blue|extra large|double xl)|\S+/g

const CANON: ReadonlyMap<string, string> = new Map(
  [...COLORS, ...SIZES].flatMap((row) => {
    const words = row.match(PHRASES)!
    return words.map((word) => [word, words[0]!] as const)
  }),
)
const COLOR_NAMES = new Set(COLORS.map((row) => row.split(" ")[0]!))
const SIZE_NAMES = new Set(SIZES.map((row) => row.split(" ")[0]!))

/** A label's name as we keep it: `红色` and `Red` are `red`, `M码` is `m`. Takes folded text. */
export function canonical(label: string): string {
  const plain = label.trim().replace(/^size (?=[a-z]+$)/, "")
  return CANON.get(plain) ?? plain
}

/** The axis of a colour or a size; undefined for other labels. */
export function lexicalAxis(label: string): "color" | "size" | undefined {
  const name = canonical(label)
  return COLOR_NAMES.has(name) ? "color" : SIZE_NAMES.has(name) ? "size" : undefined
}

/** All spellings in texts of a kept name. */
export function spellings(name: string): readonly string[] {
  const row = [...COLORS, ...SIZES].find((words) => words.startsWith(`${name} `))
  return row === undefined ? [name] : row.match(PHRASES)!
}

/** Every colour's and size's spellings, with their kept name. */
export const LEXICON: readonly { readonly axis: "color" | "size"; readonly name: string; readonly spelling: string }[] =
  [...CANON].map(([spelling, name]) => ({
    axis: COLOR_NAMES.has(name) ? ("color" as const) : ("size" as const),
    name,
    spelling,
  }))
