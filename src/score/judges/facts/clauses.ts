/** A stretch of a message between two commas, or so. Positions are of the whole text. */
export interface Clause {
  readonly start: number
  readonly end: number
  /** Number of the sentence it is in. */
  readonly sentence: number
  /** Asked, not told. */
  readonly question: boolean
  /** Told for a case that may not come: 如果买两件, if you join. */
  readonly conditional: boolean
  /** The speaker is not sure, and says so: maybe, 也许. */
  readonly unsure: boolean
}

/** An emoji ends a sentence as a full stop does. */
const SENTENCE = /[。！？!?；;\n\r]+|\.(?=\s|$)|(?:[\u2600-\u27bf]|[\ud83c-\ud83e][\udc00-\udfff])\ufe0f?/g
const COMMA =
  /[,，](?!\d{3}(?!\d))|~+(?!\s?\d)|\s[-–—]\s|—+|(?<=[^\d]),|\b(?:but|plus|while|whereas|however|although|though|and|so|because|since)\b|而且|而(?!是)|但是?|不过|然而|另外|所以|因为/g

const CHOICE_ZH = /还是.*呢$|(?:哪|什么|怎么|几|多少|要不要|好不好).*呢$/
const ASKED_ZH =
  /[吗呢么]\s*$|(?:多少|几[件个天号]|哪[款个种天]|什么|是不是|有没有|要不要|能否|可否|是否|好不好|行不行|对不对|对吧|是吧)/
const TAG =
  /^\s*(?:对吗|是吗|对吧|是吧|对不对|是不是|好吗|可以吗|行吗|right|correct|yes|ok|okay|is that right|is that correct|isn't it|is it|does that work|am i right)\s*$/
const ASKED_EN =
  /^\s*(?:(?:so|and|or|also|just to confirm|sorry|hi|ok|okay|great|sure)[, ]+)*(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|may|have|has|how|what|which|when|where|who|why)\b/
const IF =
  /如果|若是|若(?!干)|要是|假如|假设|万一|倘若|一旦|[买拍订付满参加办入退换等下].{0,10}的话|除非|只要(?=.*就)|\bif\b|\bunless\b|\bin case\b|\bonce you\b|\bshould you\b|\bsuppose\b|\bassuming\b|\bwere you to\b|\bprovided\b/
/** `If you are looking for the red one`: a wish that makes nothing depend on it. */
const WISH =
  /(?:想要|要的是|想买|看中|喜欢|问的是|指的是|说的是|需要|想了解|想知道|关心|in case you)|\byou(?:'re| are)? (?:want|wanted|need|like|prefer|mean|meant|were looking|looking|asking|interested|wondering|curious|thinking)/
/** `If you go for the red one`: a choice, on which its price does not depend. */
const CHOSEN =
  /(?:如果|要是|若是|假如|若)[您你]?(?:想|是|打算)?(?:选|挑|要|看中|换成?|拿)(?:择|购)?(?![满够了]|[\d一二两三四五六七八九十几])|\bif you(?:'d| would| do| were to)? (?:go for|go with|choose|chose|pick|picked|prefer|preferred|opt for|fancy|like)\b/
const SO_MANY =
  /[\d一二两三四五六七八九十几]\s?[件个双盒把盏只台张套支瓶条折]|\b(?:two|three|four|five|six|\d+) (?!dollars)[a-z]+s\b/

/** On these nothing depends: if you can: …, if possible. */
const POLITE_IF =
  /^\s*(?:(?:yes|sure|only|well)[, ]+)?if (?:so|possible|you (?:can|could|may|have (?:the )?(?:time|patience)|don't mind|like))\s*(?::|$)|\bif (?:needed|possible|that helps|anything|i may|i'm not mistaken)\b/
const UNSURE =
  /估摸着|说不准|拿不准|记不清|记不太清|不敢确定|可能|也许|或许|说不定|不太?确定|不太清楚|不清楚|印象中|好像|似乎|估摸|不敢保证|待确认|还没确认|\b(?:maybe|perhaps|might(?! want| like| prefer| need)|possibly|not (?:entirely |quite |completely |really )?sure|probably|presumably|off the top of my head|can't say for certain|unsure|not certain|i think|i believe|i guess|could be|may be|if i recall|not confirmed)\b/
/** Of others one may be unsure, and sure of what is one's own. */
const THEIRS = /别家|别人|人家|他们|直播间|其他店|对方|同行|\bthey\b|\bother (?:shops?|stores?|sellers?)\b|\btheir\b/
const OURS = /^(?:但|不过)?(?:我们|咱们|我家|本店|我这边|我们这边|系统|后台)|^(?:but )?(?:our|ours|we)\b/
const REPORTED =
  /(?:[您你](?:刚才|刚刚|之前|前面)?(?:所)?(?:说|提到|提|问|看到|写|发|报|讲|听说|以为|认为|记得|期望|想要)(?:的|到|过|是|了)*(?:那个|这个)?(?:价格?|价钱|数量|库存|日期|时间)?(?:是|为|,)?\s*[¥$]?|(?:别家|别的店|其他店|其它店|隔壁|同行|竞品|某宝|别人家?).{0,12}[¥$]?|\byou(?:'ve| have)? (?:just )?(?:said|say|mentioned|mention|wrote|asked(?: for| about)?|saw|see|quoted|told (?:me|us)|claimed|thought|think|remember|heard|expected|were told)(?:,? (?:a|an|the|it|that|this|was|were|is|price|of|at|for|as|only|costs?|number|figure|about|just))*\s*[¥$£€]?|\byour (?:message|question|claim|note) (?:says|said|mentions)(?: (?:a|the|it|is|was|that))*\s*[$]?|(?:other|another|different|rival) (?:shop|store|seller|site|place)s?.{0,24}|elsewhere.{0,16}|competitors?.{0,20})$/

const REPORTED_BEHIND =
  /^["」』]?\s?(?:(?:is what|which|that|price|figure|quote)? ?you(?:'ve| have| had| might have| may have)? (?:mentioned|mention|said|say|saw|seen|see|wrote|remembered|remember|recalled|recall|heard|hear|read|found|quoted|quote|thought|think|expected|believed|were (?:told|quoted|given|hoping)|noted|came across|got elsewhere|hoped)|from (?:the|that|your) (?:forum|friend|ad|post|rumou?r|review|screenshot)|是[您你](?:说|看|写|记|听)|是别|是其他)/
/** Who is not the shop: 群里说, that forum says. */
const HEARSAY =
  /\b(?:whoever|who) told you[^,.;:]{0,16}$|(?:群里|群友|网上|网友|论坛|朋友|别人|同事|邻居|评论区?|有人|人家|传言|谣传|传闻|听说|小红书|抖音|微博|贴吧|帖子)[^,，。:]{0,6}(?:说|写|讲|传|发|提|称)?的?(?:是|只剩|还剩|剩下?|有)?\s*$|\b(?:forums?|friends?|someone|somebody|reddit|internet|rumou?rs?|reviews?|reviewers?|posts?|threads?|blogs?|colleagues?|neighbou?rs?|others)\b[^,.;:]{0,16}\b(?:says?|said|claim(?:s|ed)?|told you|mentions?|mentioned|wrote|posted|quote[sd]?|thinks?|has it at)\b[^,.;:]{0,16}$/

/** Whether what stands from `at` to `end` is somebody else's word, by what is right beside it: 您说的299元, the $199 you remember, 群里说. */
export function isReported(text: string, clause: Clause, at: number, end: number): boolean {
  const before = text.slice(clause.start, at)
  return REPORTED.test(before) || HEARSAY.test(before) || REPORTED_BEHIND.test(text.slice(end, end + 48))
}

/** Cuts a folded text into clauses. `original` is the same text unfolded: its 、 joins what a comma would cut. */
export function findClauses(text: string, original: string): Clause[] {
  const clauses: Clause[] = []
  let sentence = 0
  let start = 0
  for (const end of [...ends(text, SENTENCE), text.length]) {
    if (end < start) continue
    clauses.push(...ofSentence(text, original, start, end, sentence++))
    start = end
  }
  return clauses
}

function ends(text: string, pattern: RegExp): number[] {
  return Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)
}

function ofSentence(text: string, original: string, start: number, end: number, sentence: number): Clause[] {
  const body = text.slice(start, end)
  const cuts = Array.from(body.matchAll(COMMA), (match) => ({
    at: match.index,
    end: match.index + match[0].length,
  })).filter(({ at }) => original[start + at] !== "、")
  const spans: { start: number; end: number }[] = []
  let from = start
  for (const cut of cuts) {
    const to = start + (/[a-z一-龥]/.test(body[cut.at]!) ? cut.at : cut.end)
    if (to > from && body.slice(from - start, to - start).trim() !== "") spans.push({ start: from, end: to })
    from = to
  }
  if (end > from) spans.push({ start: from, end })
  const asks = /[?？]\s*$/.test(body.trim())
  let condition = false
  let unsure = false
  const clauses = spans.map((span, index): Clause => {
    const words = text
      .slice(span.start, span.end)
      .replace(/[。！？!?；;，,\s]+$/g, "")
      .trim()
    const isLast = index === spans.length - 1
    condition ||=
      IF.test(words.replace(POLITE_IF, "").replace(SO_MANY.test(words) ? /$^/ : CHOSEN, "")) &&
      !(WISH.test(words) && !/\d|[一二两三四五六七八九十]/.test(words))
    unsure = (unsure && !OURS.test(words)) || (UNSURE.test(words) && !THEIRS.test(words))
    const question =
      (isLast && asks) ||
      (ASKED_ZH.test(words) && (asks || /[吗么]$/.test(words))) ||
      (asks && ASKED_EN.test(words)) ||
      CHOICE_ZH.test(words)
    return {
      ...span,
      sentence,
      question,
      conditional: condition,
      unsure,
    }
  })
  return withTags(text, withConditions(text, clauses))
}

/** `It would be $70, if you buy ten`: what could be depends on a condition that comes behind. */
function withConditions(text: string, clauses: readonly Clause[]): Clause[] {
  return clauses.map((clause, index) => {
    const isWould = /\bwould\b|\bcould\b|可以给|可以帮|能给您/.test(text.slice(clause.start, clause.end))
    return isWould && clauses[index + 1]?.conditional === true ? { ...clause, conditional: true } : clause
  })
}

/** `It is $299, right?`: what stands before the tag is asked too. */
function withTags(text: string, clauses: readonly Clause[]): Clause[] {
  return clauses.map((clause, index) => {
    const next = clauses[index + 1]
    const isAsked = next !== undefined && TAG.test(text.slice(next.start, next.end).replace(/[?？\s]+$/g, ""))
    return isAsked ? { ...clause, question: true } : clause
  })
}

const DENIED =
  /(?:不是|并非|并不是|而不是|不再是|绝非|不等于|不止|非|没说是|不为|没有)\s*(?:原先的|之前的|原来的|您?[说看]到?的|这个|那个)?\s*[¥$]?\s*$|\b(?:not|no|nothing (?:at|for|under)|none at|isn't|is not|wasn't|was not|aren't|never|no longer|rather than|instead of|not the|don't see|do not see|don't have|don't cost|doesn't cost|does not cost|won't be|will not be)(?: (?:the|a|at|for|priced at|on|in|actually|really|going to be|be|it's|it is))*\s*[¥$£€]?\s*$/

const FILLED_ZH =
  "(?:的|这个|那个|这种|那种|这|那|,|您?说?的?)?(?:成交|拿货|说法|数字?|数量|价位|价格|价钱|价|日期|时间|消息|信息|库存|传言|要求|优惠|幅度)?(?:已经|早就|其实|是|就|肯定|都|也|确实|真的?|实在|恐怕|我们?|咱们?|本店|小店|这边|这里|客服|目前|现在|暂时|可|有点|的话)*"
/** What a figure is told to be behind it: wrong, old, or more than the speaker may do. */
const DISPUTED_BEHIND = new RegExp(
  `^${FILLED_ZH}(?:不对|不准|不正确|不实|不属实|不成立|不真实|有误|有出入|错误|错了|错的|假的|谣传|误传|谣言|旧的|老价|旧价|过时|作废|不是(?:现在|目前|今天|我们|真|准|正确|系统)|低于(?:成本|进价|底价)|亏本|太低|以前的|之前的|过去的|早先的|原先的|昨天的|昨晚的|上周的|去年的|(?:卖|给|发|寄|送|到|补|拿|做|办|减|便宜|降|优惠|少|抹|批|申请|退|赔|让|打|答应|接受|承诺|保证)不(?:了|到|下来?|动|起)|没法(?!再|便宜|少|优惠|降)|没办法(?!再|便宜|少|优惠|降)|没权限|没有权限|无权|不行|不可以|不可能|不能(?:卖|给|成交|做|答应|承诺)|不卖|不接受|无法(?:卖|给|成交|做|答应|承诺|申请|接受|提供|满足))` +
    `|^(?: (?!but|and|so|because|while|though|although)[a-z'-]+){0,6}? (?:(?:is|was|are|were)(?: not|n't| never)|has never been|(?:is|are) no longer|(?:does|did|do|would|will)(?: not|n't)|won't|isn't|doesn't) (?:quite |really |actually |something )?(?:(?:the |our |today's |a |an )?(?:current |real |actual |right |correct |valid )?(?:price|figure|number|date|count|stock|offer)|right|correct|accurate|true|current|valid|possible|doable|feasible|an option|on the table|what we|what our|what i|up to me|in my power|within my|mine to|i can|we can|match|apply|hold|exist|work\\b|happen)` +
    `|^(?: (?!but|and|so|because|while|though|although)[a-z'-]+){0,6}? (?:(?:is|was|are|were|seems|looks|sounds)(?: just| simply| far| way| a bit| sadly)? (?:wrong|incorrect|mistaken|inaccurate|false|untrue|outdated|out of date|an old|old\\b|off the table|beyond|out of (?:my|our|the)|above my|more than (?:i|we) (?:can|may)|impossible|not (?:for me|mine)|a typo|a mistake|a rumou?r|too low|too much)|got it wrong|is mistaken|(?:i|we) (?:can't|cannot|can not|couldn't|am not|are not|aren't) |(?:can't|cannot|can not) (?:be done|happen|be (?:offered|given|matched|approved)))`,
)
const DISPUTED_BEFORE =
  /\b(?:wrong|incorrect|mistaken|inaccurate|untrue|false|misinformed|misread|misquoted|outdated|out of date)\b[^,.;:]{0,24}$|\b(?:ignore|forget|disregard|never mind|beyond me to|beyond my power to|not up to me to|(?:decline|refuse) to)\b[^,.;:]{0,24}$|(?:卖|给|减|便宜|降|优惠|少|抹|让)不(?:了|到)[^,，。:]{0,4}$|(?:不可能|不会|不能|没法|没办法|无法|不好)(?:再)?(?:是|卖|给|让|减|便宜|优惠|少|降|抹)[^,，。:]{0,4}$|(?:别信|不要信|误传|谣传|误报|看错|记错)[^,，。:]{0,6}$/

/** Whether what stands from `at` to `end` is called wrong, or declined, by the words around it: 3月12号不准确, $20 off is beyond me. */
export function isDisputed(text: string, clause: Clause, at: number, end: number): boolean {
  return DISPUTED_BEFORE.test(text.slice(clause.start, at)) || DISPUTED_BEHIND.test(text.slice(end, clause.end))
}

const CANNOT =
  /给不到|做不到|到不了|不能|无法|没办法|没法|不可以|cannot|can't|can not|unable to|won't be able|not able to|not allowed/

const NO_POWER =
  /没有?权限|无权|不能承诺|无法承诺|没法承诺|不能保证|无法保证|(?:cannot|can't|unable to|not able to|no authority to) (?:promise|guarantee|offer|give)/

/** Whether what starts at `at` is something that cannot be done: 无法退50元, I cannot promise $50. */
export function isImpossible(text: string, clause: Clause, at: number): boolean {
  return CANNOT.test(text.slice(clause.start, at)) || NO_POWER.test(text.slice(clause.start, clause.end))
}

/** Whether what starts at `at` is denied by the words right before it, in its clause. */
export function isDenied(text: string, clause: Clause, at: number): boolean {
  return DENIED.test(text.slice(clause.start, at))
}
