import type { Random } from "../../../core/random.ts"
import type { Product } from "../../product.ts"

/** Whole sentences about another thing than the one that is wanted. `{other}` is what the store calls it. */
const ASIDES = [
  "家里已经有{other}了。",
  "之前买的{other}很好用，这次想添点别的。",
  "本来想买{other}，想想还是算了。",
  "朋友推荐的{other}不太适合我。",
  "上周刚下单了{other}，还差一样。",
  "{other}先放收藏夹，这次不买。",
  "别再给我推{other}了，我已经有了。",
  "昨天看的{other}就不考虑了。",
  "{other}送人了，现在轮到自己。",
]
/** Longer titles are cut where they pause: nobody says all of them. Characters. */
const MAX_NAME = 24

/** A sentence that mentions `other`, as shoppers do who tell what they have or do not want. */
export function chineseAside(other: Product, random: Random): string {
  return random.pick(ASIDES).replace("{other}", nameOf(other))
}

function nameOf({ title }: Product): string {
  const clean = title
    .replace(/[【[(（][^】\])）]*[】\])）]/gu, " ")
    .replace(/[，。；：！？,;:!?|/]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
  let name = ""
  for (const part of clean.split(" ")) {
    if (name !== "" && name.length + part.length > MAX_NAME) break
    name +=
      name !== "" && /[\p{Script=Latin}\d]$/u.test(name) && /^[\p{Script=Latin}\d]/u.test(part) ? ` ${part}` : part
  }
  return [...name].slice(0, MAX_NAME).join("")
}
