/** What people call a colour with a fancier name. */
const COLORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:navy|indigo)$/i, "dark blue"],
  [/\b(?:slate|glacier|sky|dusty|spa|pale) blue$/i, "blue"],
  [/^(?:ocean|lagoon)$/i, "blue"],
  [/\bforest green$|^(?:forest|pine|spruce|moss)$/i, "dark green"],
  [/^(?:sage|mint)$|\bsage green$/i, "light green"],
  [/^(?:burgundy|wine|plum|oxblood)$/i, "dark red"],
  [/^(?:brick red|cherry|brick)$/i, "red"],
  [/^(?:blush|rose|dusty rose|coral)$/i, "pink"],
  [/^(?:charcoal|slate|graphite)$/i, "dark gray"],
  [/^(?:silver|stone|heather gray)$/i, "light gray"],
  [/^(?:cream|ivory|oat|oatmeal|pearl|bone white)$/i, "off-white"],
  [/^(?:camel|tan|sand|khaki|mocha|cognac|walnut)$/i, "brown"],
  [/^(?:burnt orange|rust|terracotta)$/i, "orange"],
  [/^(?:lavender|lilac)$/i, "purple"],
  [/^(?:mustard|hi-vis yellow)$/i, "yellow"],
  [/^matte black$/i, "black"],
]
const LETTER_SIZES: Readonly<Record<string, string>> = {
  XS: "extra small",
  S: "small",
  M: "medium",
  L: "large",
  XL: "extra large",
  XXL: "double extra large",
  "2XL": "double extra large",
  "3XL": "triple extra large",
}
const UNITS: Readonly<Record<string, string>> = {
  oz: "ounce",
  qt: "quart",
  gal: "gallon",
  lb: "pound",
  in: "inch",
  ct: "count",
}
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ")

/**
 * Other ways in which a shopper may say an option value: what colour Charcoal is, `12-ounce` for 12 oz, `a pack of two`. Empty: none
 * is known. Whether one tells the value from its neighbours is for the caller to see.
 */
export function englishSayings(axis: string, value: string): string[] {
  if (/colou?r|shade/i.test(axis)) return colorSayings(value)
  const size = /size/i.test(axis) ? LETTER_SIZES[value.toUpperCase()] : undefined
  if (size !== undefined) return [size]
  return [...measureSayings(value), ...countSayings(axis, value)]
}

function colorSayings(value: string): string[] {
  const two = /^([a-z]+)\/([a-z]+)$/i.exec(value)
  if (two) return [`${two[1]!.toLowerCase()} with ${two[2]!.toLowerCase()}`]
  return COLORS.flatMap(([name, color]) => (name.test(value) && value.toLowerCase() !== color ? [color] : []))
}

function measureSayings(value: string): string[] {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(value) ?? []
  const spelled = UNITS[unit.toLowerCase()]
  return spelled === undefined ? [] : [`${number}-${spelled}`]
}

function countSayings(axis: string, value: string): string[] {
  const [, number = "", unit = ""] = /^(\d{1,2})[ -](pack|piece|person|cup|count)$/i.exec(value) ?? []
  const word = NUMBERS[Number(number)]
  if (unit !== "" && word !== undefined && Number(number) > 0) {
    return [/pack/i.test(unit) ? `${word} in a pack` : `${word} ${unit.toLowerCase()}${number === "1" ? "" : "s"}`]
  }
  if (/^(?:count|pairs|pieces|books|pack)$/i.test(axis) && /^\d+$/.test(value)) {
    if (value === "12") return ["a dozen"]
    return NUMBERS[Number(value)] === undefined ? [] : [`${NUMBERS[Number(value)]} of them`]
  }
  return /^(?:pair|duo|set of 2|twin pack)$/i.test(value) ? ["two of them"] : []
}
