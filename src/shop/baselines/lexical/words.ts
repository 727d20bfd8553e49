import type { Language } from "../../catalog.ts"

/** How requests are worded in one language, as far as a simple reader knows. Part of the version of `lexical`. */
export interface RequestWords {
  /** Courtesy, phrases around a wish, words about money: nothing to search for. */
  readonly filler: RegExp
  /** "One piece of" before a noun. */
  readonly counted: RegExp
  /** Where the thing itself is named: after such words … */
  readonly wanting: RegExp
  /** … or before such words. */
  readonly asking: RegExp
  /** What ends the name of the thing. */
  readonly ends: RegExp
}

const MEASURES = "[个件款副把台条支瓶盒袋包套张块双只本辆罐床对组根盏箱枚顶份部提]"

const zh: RequestWords = {
  filler: new RegExp(
    [
      "你好|您好|请问|麻烦|谢谢|拜托|不好意思|老板|客服",
      "(?:想|要|打算)?给.{1,4}(?:添置|买|挑|选|找)|(?:帮|替|给)我(?:找|挑|选|买|推荐)?",
      "我?(?:最近)?(?:想要?|打算|需要|准备)(?:买|入手|购买|找|挑|选)?|最近(?:在看|想买)|入手|购买|求?推荐",
      "有没有|有(?:合适|推荐)的|有的话直接下单|直接下单|合适的?|看看|要求|希望|最好是?|其他(?:无所谓|随意|都行)|无所谓|不限",
      "预算|价位|价格|价钱|控制在|左右|上下|以内|以下|不超过",
      "那种|那款|规格选|[的吗呢吧啊]",
    ].join("|"),
    "gu",
  ),
  counted: new RegExp(`(?<![\\p{L}\\p{N}])一${MEASURES}(?=\\p{L})`, "gu"),
  asking: /^(.{2,}?)有(?:合适|什么|没有)?(?:好)?的?推荐/u,
  wanting: new RegExp(
    `^.*(?:想要|想买|买|入手|推荐|添置|在看|需要|有没有|请问有|找|挑|^要|^求)(?:一?${MEASURES})?(.{2,})$`,
    "u",
  ),
  ends: /推荐|[吗呢吧]|有合适/u,
}

const en: RequestWords = {
  filler: new RegExp(
    `\\b(?:${[
      "hi|hello|hey|please|thanks|thank you|can you|could you|can anyone|does anyone|do you have|help me|recommend|trying to",
      "i|i'm|i'd|i've|im|we|we're|we'll|you|me|my|our|your|us|it|it's|its|this|that's|that|which|there|they|them",
      "a|an|the|some|any|one|of|in|on|at|to|for|from|by|with|and|or|but|so|as|if|not|no|is|are|be|been|being|was|do|does|don't",
      "am|want|wants|need|needs|looking|look|find|get|getting|buy|buying|buys|order|pick|shop|shopping|like|would|love|wish",
      "should|must|must-haves|has|have|having|had|can|could|will|just|really|very|good|best|something|anything|stay|keep|going",
      "budget|price|priced|cost|costs|under|below|within|around|about|between|than|less|more|up|max|maximum|dollars?|bucks?|usd|spend",
      "made|come|comes|also|too|when|where|who|all|matter|doesn't|money|object|thinking",
    ].join("|")})(?![\\w'-])`,
    "gu",
  ),
  counted: /(?!)/gu,
  asking: /(?!)/u,
  wanting:
    /^.*?(?:looking for|shopping for|need|want(?: to (?:buy|get|order))?|buy|order|find me|get me|get|recommend|help me pick|do you have)\s+(?:(?:a|an|some|the|my|new|good)\s+)*([a-z].{2,})$/u,
  ends: /[,:;?!()]|\s(?:that|that's|with|in|made|for|under|up|below|within|around|between|and|at|to|size|which|whose|please|\.)(?:\s|$)/u,
}

const WORDS: Readonly<Record<Language, RequestWords>> = { zh, en }

export function requestWords(language: Language): RequestWords {
  return WORDS[language]
}
