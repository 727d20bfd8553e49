/** A statement that something can be had, or cannot. */
export interface StockMention {
  readonly start: number
  readonly end: number
  readonly inStock: boolean
  /** `plenty` and `low` say something of the number too. */
  readonly level: "plenty" | "low" | null
}

const OUT =
  /(?:暂时|目前|已经|已|全部|都|正|处于|还)?(?:缺货|断货|无货|没货|没有货|没有现货|没现货|无现货|没有库存|没库存|无库存|售罄|售完|售空|卖完|卖光|卖没|卖断|抢光|抢完|抢空|脱销|告罄|空仓|断码|断色|缺码|没有了|没了|下架|已空|补货中|在补货|等待补货|待补货|需要预订|没得卖|拍不了|买不到|暂停销售|停售|库存不足|清空|暂缺|木有|没啦|无存货|卖得一[件个]不剩|(?:被)?(?:拍|抢|订|买|卖|下)(?:完|光|没|走)了?|缺着|断着|断了(?!货)|断供|没得(?:卖|拍|买|发)|空了|清了|没存货|没剩|(?:拍|买|订|下)不(?:了|到)|一[件个双条只支盒箱包袋瓶罐台把]货?[也都]?(?:不剩|没剩|没有剩?|没了|没)|见底|全没了|空仓|不够货|库存见底|库存为零|库存为0|库存是0|库存0|零库存)|\b(?:(?:currently |temporarily |completely |all |totally )?(?:out[- ]of[- ]stock|sold[- ]out|unavailable|out of it|back-?ordered|on back-?order)|no (?:more )?stock|zero stock|none left|not (?:one|a single)(?: [\w,-]+(?:\.\d+)?){0,4} (?:left|remains|in stock|available)|not (?:one|a single one) (?:left|remains)|none in stock|none remaining|none available|nothing left|gone|run out|ran out|fresh out|all out|out (?=until|for now|right now|at the moment|currently)|out$|(?:no|not a single|none of)(?: [\w,-]+(?:\.\d+)?){0,6} (?:left|remaining|in stock|available|on hand)|(?:don't|do not|haven't|didn't) (?:currently )?(?:have|got|find|see|stock|carry)(?: [\w,-]+(?:\.\d+)?){0,6} (?:left|in stock|available|on hand|right now|at the moment|anymore|any more)|(?:aren't|isn't|are not|is not) any|(?:don't|do not|haven't|didn't) (?:currently )?(?:have|got|find|see) (?:any|a single)|no more(?: of)?|sold through|sold the last|last one (?:just )?sold|stock is empty|shelf is empty|shelves are empty|exhausted|(?:dropped|gone|fallen|run|down|drops?|went) (?:down )?to (?:zero|nothing|none|nil|0\b)|(?:at|is|shows?|reads?|says) (?:zero|nil)(?! (?:for|cost|fee|charge))|(?:can't|cannot|can not|unable to) (?:supply|provide|source)|bought up|(?:run|ran) dry|wiped out|cleared out|all gone|all sold|flew off the shel(?:f|ves)|snapped up|cleaned out|none to (?:sell|offer|ship)|out at the moment|awaiting (?:a )?restock|need(?:s|ing)? (?:a )?restock(?:ing)?|to be restocked|being replenished|off sale|off the shelf|being restocked|waiting for (?:a )?restock|(?:cannot|can't) (?:be ordered|order|ship)|no longer (?:carried|carry)|depleted|zero (?:units|left)|discontinued|no units|stock is (?:at )?(?:zero|0\b)|we're out|we are out)\b/g
const IN =
  /(?:有现成的|多得很|多得是|多的是|库里(?:就|还|都|正好)?有|仓库?里(?:就|还|都|正好)?有|手头就有|备有|(?:拍|买|订)得(?:到|了)|能买到?|能下单|可以买|仓里有|正常售卖|正常在售|正常发货|在架|上架中|补上了|到货了|补货了|充裕|够的|还多着|有不少|有很多|管够|有现货|现货|有货|有库存|有存货|仓库有|库存充足|货源充足|库存充裕|存货充足|库存很多|大量库存|备货充足|充足|在售|可以下单|可下单|随时可拍|可以拍|可拍|能拍|不缺货|不断货|未售罄|没卖完|没有缺货|没断货|没售罄|还有的|还有货|还有库存|都有的|可以直接拍|随时能发|随时可发|随时发货|当天能发|能直接发|秒发|库存紧张|库存不多|所剩不多|所剩无几|数量有限|快卖完|快没了)|\b(?:(?:in[- ]stock|available(?: (?:now|for|to|right now|at the moment|today))?|on hand|ready to ship|ready to go|good to go|go ahead and order|(?:can|could) (?:be )?ship(?:ped)? (?:today|right away|tomorrow|now|immediately)|you can order|we do have|we do(?=[,. !]|$)|still (?:here|there)|on the shel(?:f|ves)|in the warehouse|there(?:'s| is) (?:still )?stock|(?:is|are|it's|they're) back(?= and|[,.!]|$| on the shelf| now| in the shop| for sale)|(?:would|will|should) go through|back on sale|there(?:'s| is| are) enough|lots of|plenty(?: left| of them| in stock| available| of stock)?|well[- ]stocked|fully stocked|lots left|still have (?:it|some|them|that one|those)|have (?:it|them|some)|do have|can be ordered|low on stock|running low|low in stock|low stock|few left|almost gone|nearly sold out|almost sold out|nearly gone|limited stock|stocked))\b/g
const PLENTY = /管够|多着|不少|充足|充裕|很多|大量|plenty|well[- ]stocked|fully stocked|lots left/
const LOW = /紧张|不多|无几|有限|快|running low|low|few left|almost|nearly|limited/
const NOT_ZH = /(?:不会|不至于|不是|没有|并非|并没有|没|不再|未|不|无|暂无|并未|非)\s*$/
const NOT_EN =
  /\b(?:not|won't be|won't|isn't|aren't|no longer|never|wasn't|don't|doesn't|do not|does not|isnt|not currently|n't|no|neither|hardly|haven't|hasn't)\s+(?:currently |yet |still |really |actually |have (?:it |any |them )?(?:currently |left )?|be |any |any more |presently |even |completely |been )?$/
/** `not available until Friday`, 等到有货: what is to come. */
const LATER =
  /^\s*(?:后|之后|时|以后|的话|再|会通知|会联系|通知|提醒|登记|when|once|again|soon)|^\s*(?:until|from|on(?! (?:our|my|the (?:site|system|shelf)|this))|by)\b/
const LATER_BEFORE =
  /(?:等|到|一旦|再|重新|恢复|才|后|once|when|until|back|will be|be back)\s*(?:有|it's |it is |they're |we're |is )?$|(?:后|起|开始|届时|到时候?)(?:就|即|便|都|又|您)*$|\bfrom [a-z0-9 ]{3,16} on(?:wards?)?,? (?:you )?$/

/** The statements about stock in a folded text, left to right. What will be in stock later is none. */
export function findStock(text: string): StockMention[] {
  const out = Array.from(text.matchAll(OUT), (match) => mention(text, match, false))
  const has = Array.from(text.matchAll(IN), (match) => mention(text, match, true))
  const covered = (one: StockMention) =>
    out.some(
      (other) => other.start < one.end && one.start < other.end && other.end - other.start >= one.end - one.start,
    )
  return [...out, ...has.filter((one) => !covered(one))]
    .filter((one) => !isLater(text, one))
    .sort((one, other) => one.start - other.start)
}

function mention(text: string, match: RegExpExecArray, positive: boolean): StockMention {
  const start = match.index
  const word = match[0]
  const before = text.slice(Math.max(0, start - 24), start)
  const denied =
    NOT_EN.test(before) ||
    (positive && /\b(?:zero|0|none|nothing)(?: (?:is|are|left))?\s*$/.test(before)) ||
    /(?:不是|并非|并不是|没有说)\s*$/.test(before) ||
    (NOT_ZH.test(before) && !/^(?:不|没|未|无)/.test(word))
  const almost = !positive && /(?:快|快要|即将|接近|almost|nearly|close to|about to be)\s*(?:要)?$/.test(before)
  const level = PLENTY.test(word) ? "plenty" : LOW.test(word) ? "low" : null
  return {
    start,
    end: start + word.length,
    inStock: almost ? true : denied ? !positive : positive,
    level: denied ? null : almost ? "low" : level,
  }
}

/** What is feared, not told: 以免缺货, before it sells out. */
const FEARED =
  /(?:以免|避免|怕|防止|万一|容易|可能会|担心|卖完就|before (?:it is|it's|they are|they're|it|they)|in case (?:it's|it is|it))\s*$/

/** Behind a word that then is of something else: gone ahead, no more than that, have it coming in. */
const OTHER_BEHIND: readonly (readonly [word: RegExp, behind: RegExp])[] = [
  [/^gone$/, /^ (?:ahead|through|over|up|down|out|to|with|back|live|on|from|into|by|past|missing)\b/],
  [/^no more(?: of)?$/, /^ (?:than|to|questions|fees?|charges?|discounts?|changes|news|updates?)\b/],
  [
    /^(?:have it|have them|have some|do have|we do have)$/,
    /^ (?:as|right here|here(?! in| at)|coming|down|listed|marked|arriving|scheduled|delivered|shipped|shipping|leaving|going|at|for|on|set|sent|back|with|under|noted|that|planned|booked|due|out|reaching|landing|in on|arrive|an?|the|several|two|three|your|news|to|good|bad|been|it as|questions?|orders?|until)\b/,
  ],
  [
    /^(?:we do|you can order)$/,
    /^ (?!in stock|still|now|today|it\b|one\b|them\b|right away|away|[a-z0-9, -]{1,24} (?:right away|right now|straight away|today|now)\b)[a-z]/,
  ],
  [
    /^(?:(?:don't|do not|haven't|didn't).*(?:any|a single)|(?:aren't|isn't|are not|is not) any)$/,
    /^ (?!(?:of (?:it|them|those|that)|left|in stock|more|units?|pieces?|pairs?|available|right now|at the moment)\b)[a-z]/,
  ],
  [/(?:买|拍|订|下)完了?$/, /^(?:还|后|之后|再|就|只|您|也|都?剩|[,，]?(?:还|就|只)?剩)/], // 买完还剩27元
  [/(?:拍|买|订|下)不(?:了|到)$/, /^(?:这么|那么|\d|[一二两三四五六七八九十百]+[个件双把盒箱包袋套台只条瓶罐支])/], // 买不了20把
  [
    /卖完|卖光|没了$|没有了$/,
    /^(?:不一定|就|为止|即止|可能|也|之?后|未必|是否|再)|^(?:问题|关系|事|别的|其他|异议|疑问)/,
  ],
]
/** Not so many: that there are some is left open. */
const SO_MANY =
  /\b(?:have|got|find|see|stock|carry) (?:another |all |that many|as many|so many|enough|(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)(?= (?:of|more|left|in stock|available|on hand|right now|at the moment|units?|pieces|pairs|\w+s\b)))/
/** 9盒下不了单: so many cannot be had, and fewer may. */
const SO_MANY_BEFORE =
  /[\d一二两三四五六七八九十]\s?[件个双把盏盒箱包袋套台只条瓶罐支](?:的话)?(?:是|就|都|也|可能|恐怕)?$/
/** Before a word that then is of what is to come: 8天后就补货了. */
const COMING_BEFORE = /(?:后|就|会|将|能|可以?|再|等|才|[号日天]|周[一二三四五六日天末]?|月底|预计|大概|左右)\s*$/

function isLater(text: string, { start, end, inStock }: StockMention): boolean {
  if (FEARED.test(text.slice(Math.max(0, start - 16), start))) return true
  const word = text.slice(start, end)
  if (SO_MANY.test(word)) return true
  if (/不(?:了|到)$/.test(word) && SO_MANY_BEFORE.test(text.slice(Math.max(0, start - 8), start))) return true
  if (
    /\b(?:promo(?:tion)?s?|sales?|discounts?|coupons?|offers?|deals?|codes?|date|tracking|reason|records?|notes?)\b/.test(
      word,
    )
  )
    return true
  const behind = text.slice(end, end + 24)
  if (OTHER_BEHIND.some(([pattern, next]) => pattern.test(word) && next.test(behind))) return true
  if (/^(?:补货了|到货了|补上了)$/.test(word) && COMING_BEFORE.test(text.slice(Math.max(0, start - 8), start)))
    return true
  return (
    inStock && (LATER.test(text.slice(end, end + 12)) || LATER_BEFORE.test(text.slice(Math.max(0, start - 28), start)))
  )
}

/** Words that may say something else: that an order was made, that nothing was found. */
const WEAK =
  /^(?:have it|have them|have some|do have|we do have|we do|gone|no more(?: of)?|nothing left|out(?: of it)?|all out|lots of|go ahead and order|good to go|ready to go|you can order|(?:is|are|it's|they're) back|(?:would|will|should) go through|there(?:'s| is| are) enough|don't.*|do not.*|haven't.*|didn't.*|aren't any|isn't any|are not any|is not any|exhausted|stocked|yes|(?:会|已经?|都)?(?:补货了|到货了|补上了|卖完|卖光|没有了|没了|没啦|木有|拍不了|买不到|(?:被)?(?:拍|抢|订|买|卖|下)(?:完|光|没|走)了?|断了|空了|清了|(?:拍|买|订|下)不了|清空|见底|够的|管够|可以买|能买到?|能拍|可拍|可以拍|能下单|下架|停售))$/

export function isWeakStock(word: string): boolean {
  return WEAK.test(word)
}

/** What a tool's word for stock says: `in_stock`, `sold out`, 有货; undefined where it says nothing. */
export function stockWord(text: string): boolean | undefined {
  const words = text.toLowerCase().replaceAll("_", " ").trim()
  if (/^(?:yes|true|instock|available|active|on sale|有|是|正常|在售|上架)$/.test(words)) return true
  if (/^(?:no|false|outofstock|soldout|unavailable|inactive|none|无|否|没有|下架)$/.test(words)) return false
  return findStock(words)[0]?.inStock
}
