/*
 * What a buyer says it has, ordered or waits for, against the goods of its card: a blender, where the card speaks of a backpack.
 */

/** Names of goods; those of one line may stand for each other. */
const GOODS: readonly (readonly string[])[] = [
  "air fryer|fryer|炸锅",
  "blender|juicer|mixer|food processor|榨汁机|破壁机|料理机|搅拌机",
  "toaster|烤面包机|吐司机",
  "oven|microwave|烤箱|微波炉",
  "kettle|水壶|电热水壶",
  "rice cooker|电饭煲|电饭锅",
  "coffee maker|coffee machine|espresso machine|咖啡机",
  "vacuum|hoover|吸尘器|扫地机|扫地机器人",
  "earbuds?|earphones?|headphones?|headset|buds|耳机",
  "keyboard|键盘",
  "mouse|鼠标",
  "monitor|显示器|屏幕",
  "lamp|台灯|灯",
  "speaker|音箱|音响",
  "phone case|手机壳",
  "tablet|ipad|平板",
  "laptop|笔记本",
  "smart ?watch|手表|手环",
  "tent|帐篷",
  "sleeping bag|睡袋",
  "backpack|rucksack|背包|书包|双肩包",
  "suitcase|luggage|行李箱|拉杆箱",
  "helmet|头盔",
  "tumbler|mug|flask|thermos|water bottle|保温杯|水杯|杯子",
  "lunch ?box|饭盒|便当盒|餐盒",
  "tees?|t-?shirts?|shirts?|tops?|t恤|衬衫|上衣|短袖",
  "hood(?:y|ies|ie)s?|sweaters?|jumpers?|卫衣|毛衣",
  "jackets?|coats?|外套|大衣|羽绒服",
  "jeans|pants|trousers|shorts|leggings|裤子?|长裤|牛仔裤",
  "dress(?:es)?|skirts?|连衣裙|裙子",
  "sneakers|shoes?|boots?|sandals|鞋子?|运动鞋",
  "socks?|袜子",
  "lipsticks?|口红|唇膏",
  "sunscreen|防晒",
  "moisturi[sz]er|serum|面霜|精华",
  "shampoo|洗发水",
  "drinking fountain|water fountain|饮水机",
  "jerky|牛肉干|肉干",
  "desk|书桌|桌子",
  "chair|椅子?",
  "rug|carpet|地毯",
  "pillow|枕头",
  "yoga mat|瑜伽垫",
  "roof box|车顶箱",
  "camera|相机",
  "drone|无人机",
  "stroller|婴儿车",
].map((line) => line.split("|"))

const ANY = GOODS.flat().join("|")
const HAVING = new RegExp(
  `\\b(?:my|the|this|that|those|these|still no|(?:ordered|bought|got|received|returning|return|cancel|exchange) (?:an?|some|two|both)) (?:\\w+ ){0,2}?(${GOODS.flat()
    .filter((name) => /^[a-z]/.test(name))
    .join("|")})\\b(?! (?:page|store|shop|section|aisle|category))`,
  "i",
)
const HAVING_ZH = new RegExp(
  `(?:我的|我那|那个|这个|这款|这副|这条|这台|这双|那双|那台|那条|买的|订的|订单里的|单里的|SK\\d+的?)[^，。！？?]{0,3}?(${GOODS.flat()
    .filter((name) => /^[\u4e00-\u9fff]/.test(name))
    .join("|")})`,
  "i",
)
const ORDER = /[A-Z]{2}\d{4,}/
/** What is elsewhere, or was had before. */
const ELSEWHERE =
  /\b(?:elsewhere|another|other|better|instead|old|instead of|like|than|match(?:es|ing)?)\b|别的|别处|另|旧|以前|搭配|配/i

/** The words with which `sentence` speaks of other goods than `informed` does. `known` (lower case): that and what the shop has said. */
export function otherGoodsOf(sentence: string, known: string, informed: readonly string[]): string[] {
  const card = informed.join("\n")
  if (ELSEWHERE.test(sentence) || !(new RegExp(ANY, "i").test(card) || ORDER.test(card))) return []
  const match = HAVING.exec(sentence.replaceAll("’", "'")) ?? HAVING_ZH.exec(sentence)
  const name = match?.[1]?.toLowerCase()
  if (match === null || name === undefined) return []
  const same = GOODS.filter((names) => new RegExp(`^(?:${names.join("|")})$`, "i").test(name))
  return same.some((names) => new RegExp(names.join("|"), "i").test(known)) ? [] : [match[0]]
}
