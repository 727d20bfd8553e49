import type { Amount } from "./amounts.ts"
import type { FactValue } from "./types.ts"

/** What a question asks for, as far as its words say: what a number in the answer then is. */
export type Asked = "price" | "stock" | "quantity" | null

const ASKS_PRICE =
  /多少钱|价格|价位|价钱|怎么卖|多少能(?:走|卖|拿|出|入)|多少(?:可以|能)?(?:拿|出|入手|带走)|几个钱|什么价|几块|几元|几钱|啥价|什么价|报价|咋卖|怎么收费|收费|卖多少|要多少(?![件个双条只盒箱包瓶])|how much(?! (?:stock|does (?:it|this|that|the \w+) weigh|is left|is there|do you have))|\bprice|\bcost|\bcharge|would i pay|set me back|\bpay for\b|\bthe damage\b|\bgoing rate\b|\bgo(?:es|ing)? for\b|\bworth\b|\bset me back\b|\bhow pricey\b|\bexpensive\b|便宜|更贵|贵[吗不些]|\bcheap(?:er|est)?\b|\bdearer\b|\bprici(?:er|est)\b/
const ASKS_QUANTITY =
  /订单.*(?:几|多少)|(?:买|拍|订|下单|购买)了?.{0,8}(?:几|多少)|[每一两二三四五六七八九十\d]\s?(?:整)?[箱盒包袋套提].{0,6}(?:几|多少|装)|\b(?:\d+|two|three|four|five|six|ten|a few) (?:full |whole )?(?:cartons|boxes|cases|packs)\b.*\bhow many\b|\bhow many\b.*\b(?:\d+|two|three|four|five|six|ten) (?:full |whole )?(?:cartons|boxes|cases|packs)\b|数量|件数|how many.*\b(?:order|bought|buy|purchas|get|got|in (?:a|each|the|one|my)|\bin #?[a-z]*-?\d{4,}|per)\b|quantity|per (?:carton|box|pack|case)|(?:full|whole|one|a) (?:carton|case)\b|in (?:a|each|every) (?:carton|box|pack|case)|my order/
export const ASKS_STOCK =
  /\bnumber of\b|in (?:your|the) warehouse|on the shel|最多能|最多可以|most i can|\blast (?:few|one|pair)|last of|手慢|有没|有吗|哪[个款种]有|哪些有|有.{0,10}吗|能买|能拍|买得到|能订|可以买|能发|还能|抢|来得及|充足|紧张|多不多|多吗|can i (?:still )?(?:get|order|buy|have|pick|grab|snag|take|purchase)|\bgot any|\bgot\b.*\?|is there|are there|still (?:have|sell|got|there|on|around|carry|selling)|should i (?:hurry|rush|wait)|do you (?:carry|sell|stock)|possible to order|run(?:ning)? out|hurry|有货|现货|库存|还有|剩|够不够|够吗|够用|有多少|能拍多少|存货|缺货|in stock|stock|available|availability|\bleft\b|enough|how many|inventory|\bcount\b|any more|sold out|do you have|have any/

const HOW_MANY =
  /几|多少|数|有啥|有什么|都有|清单|明细|内容|contents?\b|what(?:'s| is| was)? (?:in|inside)\b|inside|break ?down|\bsplit\b|itemi[sz]ed|一打|半打|填|amount|dozen|how many|\bcount\b|qty|number of|units/

/** How many there are for the buyer to have. */
const ASKS_MOST = /(?:最多|至多|顶多)(?:能|可以|还能|可)|\b(?:the most|how many (?:more )?can|max(?:imum)?)\b/

/** Kinds of things are counted, not things. */
export const ASKS_KINDS =
  /how many (?:different )?(?:colou?rs?|sizes?|styles?|options?|models?|versions?|flavou?rs?|kinds?|types?)|几(?:个|种|款)?(?:颜色|尺码|款式|型号|口味|规格|版本|样式)/

/** How many one may buy. */
const ASKS_LIMIT =
  /限购|限拍|限几|限买|\b(?:purchase|order|quantity|buying) (?:limit|maximum|cap)|\bmax(?:imum)? (?:order|per)|\blimit (?:per|on)/

export function askedIn(question: string): Asked {
  if (ASKS_KINDS.test(question)) return null
  if (
    ASKS_MOST.test(question) &&
    !ORDER_NUMBER.test(question) &&
    !/[每一整][箱盒包袋套提]|carton|per |each /.test(question)
  )
    return "stock"
  if (ASKS_LIMIT.test(question) && !ORDER_NUMBER.test(question)) return "quantity"
  if (ASKS_PRICE.test(question)) return "price"
  if (ASKS_QUANTITY.test(question) || (ORDER_NUMBER.test(question) && HOW_MANY.test(question))) return "quantity"
  return ASKS_STOCK.test(question) ? "stock" : null
}

/** A number's meaning; `alternate` is what it may mean as well, where its words leave that open. */
interface Meaning {
  readonly value: FactValue
  readonly alternate?: FactValue
  readonly word?: string
  /** Only the question says it, or not even that. */
  readonly open?: "asked" | "none"
}

const STOCK_WORDS =
  /库存|库里|余量|存货|存(?:着|有|了)?\s*$|剩|现货|现有|仅余|只余|可售|在库|有货|仓|货架|架上|手头|手上|(?:还|只|仅|共)能(?:再)?(?:卖|发|出|拍|买|供|订|拿|下单)|可(?:卖|发|供|拍|买|订|下单|购买|下|选购)|能(?:卖|拍|买|订|下单|购买)(?:的|数)|最后$|up for grabs|\bmay (?:still )?(?:order|buy|take|get)\b|\bcan (?:still )?(?:order|buy|take|get)\b|order up to|\b(?:left|remain(?:ing|s)?|in stock|stock|available|availability|inventory|warehouse|on hand|on the shelf|shelves|in store)\b/
const MAYBE_STOCK =
  /(?:还有|只有|仅有|就有|还能拍|有)\s*(?:最后)?$|\b(?:hold|have|carry|got|there are|there's|there is|just|only|last|down to)\s*(?:the |about |just |only )?$/
const ORDER_WORDS =
  /订单|(?<![可能])(?:购买|下单)(?!上限)|买了|订了|拍了|拍下|订购|下了|发出|已发|寄出|包裹|每[箱盒包袋套件提]|整箱|一箱|一盒装|[箱盒包袋]装|\border|bought|purchas|parcel|shipment|per (?:carton|box|pack|case|set)|each (?:carton|box|pack|case|set)|(?:carton|box|pack|case|set) (?:of|holds|has|contains)|in (?:a|each|every|one) (?:carton|box|pack|case)|shipped|cart\b|\b(?:a|one|full|whole|single|sealed) (?:full |whole |single |sealed )*(?:carton|box|pack|case|set)\b|\b(?:cartons|boxes|packs|cases|sets) (?:would|will|should|are|is|make|come|hold|have|mean|equal|=)|[一二两三四五六七八九十\d]+(?:整|大)?[箱盒包袋套提](?:就|里面|里|有|是|共|一共|=|装|才)*\s*$|下的|[您你](?:填|点|录|定|输入|要|选)(?:的|了)|\byou(?:'ve| have)? (?:put in|entered|picked|selected|added|typed|keyed)\b/
export const ORDER_NUMBER = /\b[a-z]{1,3}-?\d{5,}|(?<!\d)\d{8,}/
const PACK_TAIL =
  /^\s*(?:to|in|per|a|each|一|\/|每)\s?(?:a |each |the |one )?(?:pack|box|carton|case|set|箱|盒|包|袋|套)/
const PRICE_WORDS =
  /价|售|卖|收费|钱|费|\b(?:price|priced|cost|costs|total|pay|paid|charge|charged|fee|amount|worth|sells?|selling|retails?|going for|goes for|comes (?:to|in at)|listed at|runs?|rings? up|set you back|asking|tag)\b/
const PRICE_LEAD =
  /(?:价格?|售价|单价|现价|原价|卖|只要|仅需|只需|特价|活动价|到手|优惠价|总价|合计|总共|共计|运费|邮费|金额|总额|实付|应付|定价|标价|报价|券后|折后|收您?|price|priced at|costs?|cost you|total|comes to|come to|comes in at|going for|goes for|sells for|selling for|selling at|retails? (?:at|for)|listed at|yours for|pay|paid|charged?|fee|for just|for only|set you back|worth|amount|stays at|asking|runs(?: you)?)(?:\s*(?:是|为|在|只要|仅|才|就|了|:|is|of|at|are|was|you|just|only|to|for|currently|now|exactly|about|around|大概|大约|约|the))*\s*[:=]?\s*$/
const PRICE_TAIL =
  /^\s*(?:拿下|到手|带走|入手|搞定|就卖|即可|包邮|拿走|一口价|能拿|就能|apiece|a piece|flat|even|all in|per (?:pair|piece|unit|item|bottle|box)|each)/
const NOT_A_NOUN =
  /^(?:and|or|to|is|are|was|at|for|in|on|of|per|a|the|with|from|by|if|but|so|as|it|we|you|now|right|today|only|stars?|percent|times?|options?|ways?|questions?|steps?|more|less|am|pm|minutes?|each|apiece|flat|even|left|remaining|available|isn't|aren't|was|were|has|have|will|would|can|should|moment)$/

const CONTAINER = /^(?:箱|盒|包|袋|套|提|packs?|box(?:es)?|cartons?|cases?|sets?)$/
const HOLDS =
  /^\s?(?:里面|里)?(?:\d|[一二两三四五六七八九十]|有|装|是|共|含|就是|等于|=|is\b|are\b|has\b|have\b|holds?\b|contains?\b|makes?\b|comes?\b|of\b|means?\b|would\b|will\b)/
/** A number to be bought. */
const BOUGHT =
  /\b(?:with|for|buy(?:ing)?|tak(?:e|ing)|get(?:ting)?|order(?:ing)?|pick(?:ing)?|purchas(?:e|ing)|want|add(?:ing)?)\s+(?:just |only |exactly |the |a )*$|(?:买|拍|拿|要|订|来)(?:上)?$/
/** Before what one pack holds. */
const EACH_HOLDS =
  /\b(?:each|every|one)(?: one| of (?:them|those|these)| carton| box| case| pack| set)? (?:holds?|has|contains?|comes with|fits|packs?|includes?)(?: exactly| about)?\s*$|(?:每|一)[箱盒包袋套提](?:里面?|内)?(?:是|有|装|含|共|为|就|都|各)*\s*$/
/** So many in one variant: our system counts 13 in US 11. */
const COUNTED =
  /\b(?:have|has|got|counts?|counted|shows?|see|sees|holds?|lists?|registers?|reports?|says|tally|there are|there're|down to|left with|sitting on|stands at)\s+(?:about |just |only |exactly |still |around |a total of )*$/
const OF_ONE = /^\s(?:in|of)\s(?!total|all\b|the (?:order|box|carton|pack|case)|your|this order|each|every|a\b)/
/** How many one may have. */
const LIMITED =
  /限购|限拍|限买|\blimit(?:ed)?\b|最多限|(?:每(?:人|位|单|户|个?账号|个?id|个?用户)|[一单]个?(?:人|账号|id|用户)|一位).{0,10}(?:限|最多|只能)|\b(?:each|every|one|per) (?:customer|person|shopper|account|household|buyer)\b[^,.;]{0,24}(?:\bup to|\bat most|\bno more than|\bmaximum|\bmax|\bonly)/

/** So many that are to be paid for: 买满5件是2030元, `for 2 of pro that comes to $203`. */
const isPaidFor = (lead: string, tail: string) =>
  (/买满?\s*$|满\s*$/.test(lead) &&
    /^.{0,10}(?:是|共|一共|总共|合计|要|就|为|=|[,，])?\s*[¥￥]?\d+(?:\.\d+)?\s?元/.test(tail)) ||
  (/\b(?:for|buying|with)(?: all| the| those)? $/.test(lead) &&
    /\b(?:comes?|coming|adds?|makes?|totals?|is|it's|that's|would be|will be|you'd pay|you pay|costs?)\b.{0,16}[$¥€£]/.test(
      tail,
    ))

/** What cannot be had yet: 剩下11个得等补货, `for the remaining 11 we'd have to wait`. */
const isRest = (lead: string, tail: string) =>
  /(?:剩下的?|剩余的?|其余|另外|\b(?:remaining|other|rest))\s*$/.test(lead) &&
  /等|补货|分批|再发|稍后|\bwait|\blater\b|\bback\s?order|\bfollow\b/.test(tail)

/** Behind a number of what the shop has, whatever was said of orders before. */
const STORED =
  /^\s?(?:[a-z]+ )?(?:(?:in|on|at) (?:our |the |my )?(?:inventory|stock|warehouse|shelf|shelves|hand)|left\b|remaining\b|available\b)|^(?:的)?(?:现货|库存)/

/** Right before the number. */
const NEXT_TO = /(?:剩下?|库存|余量?|存货|余)(?:了|还|只|仅|有|是|为|就|大概|约|:)*\s*$/
const LAST = /(?:最后|\b(?:last|final|remaining))\s*$/

const clauseBefore = (before: string) => /[^,，。；;!！?？\n]*$/.exec(before)![0]
const clauseAfter = (after: string) => /^[^,，。；;!！?？\n]*/.exec(after)![0]

function stock(count: number): FactValue {
  return { kind: "stock", inStock: count > 0, count, level: null }
}

/** What a number of things means: so many that there are, or that are in an order or a pack; undefined: neither. */
export function countMeaning(
  { readings, low, word }: Pick<Amount, "readings" | "low" | "word">,
  before: string,
  after: string,
  asked: Asked,
): Meaning | undefined {
  const lead = clauseBefore(before)
  const tail = clauseAfter(after)
  const quantity: FactValue = { kind: "quantity", readings, low }
  if (CONTAINER.test(word) && HOLDS.test(tail)) return { value: quantity, word } // 一箱有六件: a carton is none in stock
  const there = stock(readings[0]!)
  if (isRest(lead, after)) return undefined
  if (isPaidFor(lead, after)) return { value: quantity, word }
  if (/^\s?in (?:each|every)\b/.test(after)) return { value: quantity, word } // of a pack
  if (LIMITED.test(lead) || /^\s?(?:per|a|each) (?:customer|person|account|household|order|buyer)/.test(after))
    return { value: quantity, word }
  const hasStockWords = STOCK_WORDS.test(lead) || STOCK_WORDS.test(tail)
  if (CONTAINER.test(word) && /carton|case|box|pack|箱|提/.test(word) && !hasStockWords && asked !== null)
    return { value: quantity, alternate: there, word }
  const isOrder =
    ORDER_WORDS.test(lead) ||
    ORDER_WORDS.test(`${lead} ${tail}`) ||
    /订单|order/.test(before) ||
    ORDER_NUMBER.test(`${lead} ${tail}`)
  if (hasStockWords) {
    if (!isOrder && NEXT_TO.test(lead)) return { value: there, word }
    if (STORED.test(tail) && !ORDER_WORDS.test(`${lead.replace(/^.*\. /, "")} ${tail}`))
      return { value: there, alternate: quantity, word }
    return isOrder ? { value: quantity, alternate: there, word } : { value: there, alternate: quantity, word }
  }
  if (isOrder) return { value: quantity, word }
  if (asked === "stock") return { value: there, alternate: quantity, word }
  if (asked === "quantity") return { value: quantity, alternate: there, word }
  if (MAYBE_STOCK.test(lead)) return { value: there, alternate: quantity, word }
  return { value: quantity, alternate: there, word }
}

/** Whether nothing behind a number says that it counts something else. */
function isEnd(after: string): boolean {
  return /^[ \t]*(?:$|\n|[ \t](?=[一-龥])|[,，。.!！~?？;；:：()（）"」|/]|[的呢哦啊呀吧啦哈噢喔了就起左上整而只]|元|块|包邮|一[个件双把台盒瓶只]|每|per\b|each\b|right now|at the moment|today|now\b|for\b|in\b|of\b|and\b|is\b|are\b|on\b|here\b|to\b|as\b|at [¥$€£]|@|units?\b|still\b|at most\b|max\b|tops\b|积分)/.test(
    after,
  )
}

/** What a number without a unit means, by the label before it, the noun behind it, or what was asked; undefined: nothing we know. */
export function bareMeaning(
  text: string,
  amount: Amount,
  before: string,
  after: string,
  asked: Asked,
): Meaning | undefined {
  const { readings, low } = amount
  const lead = clauseBefore(before)
  const value = readings[0]!
  if ((value === 1 && BOUGHT.test(lead)) || /\b(?:take|taking) $/.test(lead)) return undefined
  const price: Meaning = { value: { kind: "price", readings, low, currency: null } }
  const isNumeral = /[一二两三四五六七八九十几]/.test(text[amount.start]!)
  const decimals = /\.\d+$/.test(text.slice(amount.start, amount.end))
  if (decimals)
    return PRICE_WORDS.test(lead) ||
      asked === "price" ||
      PRICE_TAIL.test(after) ||
      /\.\d\d$/.test(text.slice(amount.start, amount.end))
      ? price
      : asked === null && low === null && isEnd(after)
        ? { ...price, open: "none" }
        : undefined
  if (isPaidFor(lead, after) || isRest(lead, after)) return undefined
  if (/^\s?in (?:total|all)\b/.test(after) && asked === "quantity")
    return { value: { kind: "quantity", readings, low } }
  if (LIMITED.test(lead) || /^\s?(?:per|a|each) (?:customer|person|account|household|buyer)/.test(after))
    return { value: { kind: "quantity", readings, low } }
  if (EACH_HOLDS.test(lead)) return { value: { kind: "quantity", readings, low } }
  if (
    /^\s*(?:more )?(?:left|remaining|in stock|available|on hand|more in\b|on the shel|in the warehouse|to go around|up for grabs|still here)\b/.test(
      after,
    )
  )
    return { value: stock(value) }
  if (Number.isInteger(value) && !ORDER_WORDS.test(`${lead} ${clauseAfter(after)}`)) {
    const isCounted =
      (COUNTED.test(lead) && OF_ONE.test(after)) ||
      (LAST.test(lead) && /^\s*(?:$|[,.!]|(?:of|in|are|we)\b)/.test(after))
    if (isCounted) return { value: stock(value), alternate: { kind: "quantity", readings, low } }
  }
  const behind = /^\s+([a-z-]+)/.exec(after)?.[1]
  const label =
    /([^\s:：=]+(?:\s+[^\s:：=]+){0,6})\s*(?:[:：=]|\b(?:is|are|at|of|was)|是|为|有|剩|还剩|只剩|仅剩|余)\s*(?:just |only |about |around |now |currently |只|仅|约|大约)*$/.exec(
      lead,
    )?.[1]
  if (label !== undefined) {
    if (
      /库存|余量|存货|剩|现货|可售|可卖|可发|可拍|\b(?:stock|inventory|remaining|left|availability|available)\b/.test(
        lead,
      )
    )
      return { value: stock(value) }
    if (/数量|件数|个数|双数|quantity|qty|\bcount\b|number of|how many/.test(lead))
      return countMeaning({ readings, low, word: "" }, before, after, asked)
    if (PRICE_WORDS.test(lead) && !/^\s(?:at|of|x)\s/.test(after) && (behind === undefined || NOT_A_NOUN.test(behind)))
      return price
  }
  if (PACK_TAIL.test(after)) return { value: { kind: "quantity", readings, low } }
  if (/(?:数量|件数|qty|quantity)\s*$/.test(lead)) return { value: { kind: "quantity", readings, low } }
  if (amount.bare && value === 1 && !/(?:只|仅|就|最后|only|just|last)\s*$/.test(lead)) return undefined
  if (/(?:剩余?|剩下|仅剩|只剩|还剩|库存|余)\s*$/.test(lead)) return { value: stock(value) }
  if (/(?:^|[\s个件码款色)）])[x×*]\s*$/.test(lead)) return { value: { kind: "quantity", readings, low } }
  const noun = /^\s+(?:[a-z-]+\s+){0,2}?([a-z]{2,})\b/.exec(after)
  if (/^\s*[x×*]\s*(?=[a-z一-龥])/.test(after)) return { value: { kind: "quantity", readings, low } }
  if (
    PRICE_LEAD.test(lead) &&
    !(amount.bare && isNumeral) &&
    value >= 5 &&
    (behind === undefined || NOT_A_NOUN.test(behind))
  )
    return price
  if (PRICE_TAIL.test(after) && value >= 5 && !/^\s*each (?:carton|box|pack)/.test(after)) return price
  if (noun !== null && behind !== undefined && !NOT_A_NOUN.test(behind) && !isNumeral)
    return countMeaning({ readings, low, word: behind }, before, after, asked)
  if (amount.bare && isNumeral) return undefined
  if (STOCK_WORDS.test(lead) && isEnd(after) && Number.isInteger(value))
    return { value: stock(value), alternate: { kind: "quantity", readings, low } }
  if (ORDER_WORDS.test(lead) && Number.isInteger(value) && value < 1000)
    return { value: { kind: "quantity", readings, low } }
  if (!isEnd(after)) return undefined
  if (/[满减返送第尾]\s*$|[-\d]$/.test(before.slice(-2)) || /^\s*(?:[-~到至]|to)\s*\d/.test(after)) return undefined
  if (asked === "price" && /\b(?:for|by) $/.test(lead) && value < 100) return undefined // for ten, multiply it by ten
  if (asked === "price" && value >= 5) return { ...price, open: "asked" }
  if (asked === "stock" && Number.isInteger(value)) return { value: stock(value), open: "asked" }
  const quantity: FactValue = { kind: "quantity", readings, low }
  if (asked === "quantity" && Number.isInteger(value)) return { value: quantity, open: "asked" }
  if (/[+x×*=]\s*$/.test(before.slice(-2)) || /^\s*[+x×*=]\s*\d/.test(after)) return undefined
  return asked === null && value >= 2 && low === null ? { value: quantity, open: "none" } : undefined
}
