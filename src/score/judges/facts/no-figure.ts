import type { Amount } from "./amounts.ts"

/** What stands before a number that names something: 工号1024, option 2, apt 12. */
const NAMED_BEFORE =
  /(?:工号|尾号|尾数|末尾|后[四4]位|末[四4]位|电话|热线|号码|编号|单号|邮编|微信|qq|验证码|房号|第|型号|货号|\b(?:extension|ext\.?|agent|id|no\.?|code|ticket|case|ref(?:erence)?|option|step|size|page|version|model|type|number|line|level|class|grade|us|eu|uk|room|floor|apt|suite|unit|gate|chapter|mk|v|gen|zip|since|(?<!put )in)|\b(?:minute|hour|day|week|month|time) or)\s*[:#]?\s*$/
/** What stands behind one: times of day, floors, houses, ordinals. */
const NAMED_AFTER =
  /^\s?(?:点|时|分(?!钱)|秒|号|楼|层|栋|室|幢|单元|遍|次|位|岁|码|寸|级|星|周岁|路|街|种|样|类|档|年|th\b|st\b|nd\b|rd\b|am\b|pm\b|a\.m|p\.m|o'clock|:\d|(?:[a-z]+\s){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|square)\b)/
/** Things that are counted and are none of the shop's goods: 两个建议, three ways. */
const TALK =
  /^(?!\s?(?:of|in)\s(?:the\s)?size\s\w)\s?(?:of\s+)?(?:建议|方案|选择|选项|办法|方法|问题|地址|步骤|链接|渠道|理由|原因|要求|条件|活动|方式|时间段|人|朋友|孩子|宝宝|客人|同事|颜色|色|尺码|规格|款式|版本|口味|关键|消息|字|字符|汉字|订单|包裹|快递|运单|都|均|也|全|包(?:政策|服务|凭证)|对[一1]|好消息|(?:[a-z]+\s)?(?:options?|ways?|questions?|steps?|choices?|things?|reasons?|colou?rs?|sizes?|models?|styles?|results?|people|persons?|stars?|moments?|minutes?|hours?|days?|weeks?|months?|years?|friends?|kids|times?|messages?|suggestions?|methods?|orders?|parcels?|packages?|shipments?|possibilities|versions?|flavou?rs?)\b)/

/** 一个也不剩, 一件都没有: none. */
const NOT_ONE = /^\s?(?:货)?(?:也|都|均)?(?:已经)?(?:没|不剩|不留|无)/

/** Whether a number that has no currency and no unit is part of a name, a time or an address, or counts what is only talk. */
export function isNoFigure(text: string, { start, end, type, readings }: Amount): boolean {
  if (type !== "bare" && type !== "count") return false
  const before = text.slice(Math.max(0, start - 16), start)
  const after = text.slice(end, end + 40)
  if (TALK.test(after)) return true
  const digits = text.slice(start, end).replace(/\D+$/, "")
  if (/^0\d/.test(digits) || (/^\d{5}$/.test(digits) && /[,，] ?[a-z]{2} $/.test(before))) return true // a postcode
  if (text[start] === "几" && !/(?:剩|只|就|仅|还有|才|最后)\s*$/.test(before)) return true // 要几盒呀
  if (readings[0] === 1 && type === "count" && /(?:元|块|块钱|\d)\s?[/每]?\s?$/.test(before)) return true // 213元一盒
  if (
    readings[0] === 1 &&
    type === "count" &&
    /^[一1]./.test(text.slice(start, end)) &&
    /^(?:是|有|剩|还剩|余|:|,)?\s?[¥$]?(?:\d|[一二两三四五六七八九十])/.test(after)
  )
    return true // 一个12件,一个3件
  if (readings[0] === 1 && (NOT_ONE.test(after) || /[另那这哪某同前后上下头每任]$/.test(before))) return true
  if (type === "count") return /[款种样位类单]$/.test(text.slice(start, end))
  if (
    /\b(?:all|both|these|those|other|either of|any of the)\s*$/.test(before) &&
    /^\s(?:are|is|in stock|available|of)\b/.test(after)
  )
    return true
  if (/\bof (?:these|those)\s*$/.test(before) && /^\s*(?:[,.!?;)]|$)/.test(after)) return true // one of those two
  if (/^(?:19|20)\d\d$/.test(digits) && Number.isInteger(readings[0]))
    return /(?:in|since|of|,|年)\s*$/.test(before) || /^\s?年/.test(after)
  return NAMED_BEFORE.test(before) || NAMED_AFTER.test(after)
}
