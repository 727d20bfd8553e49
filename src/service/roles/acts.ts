type Language = "zh" | "en"

/*
 * What somebody does with a message, by its words: asks, asks for a go-ahead, agrees, refuses, says goodbye. Used for the template
 * buyer's decisions, for holding goodbyes back, and for measuring. Both languages are always listened for where people mix them.
 */

const GO_AHEAD: Readonly<Record<Language, RegExp>> = {
  en: /(?<!\b(?:how|what|which|when|where) )\b(?:shall|should|may|can) (?:i|we) (?:go ahead|proceed|do (?:this|that|it|so)|cancel|change|open|start|submit|make|place|apply|process|send|arrange|issue|book)|(?<!\b(?:how|what|which|when|where) )\b(?:do you|would you) (?:want|like) (?:me|us) to\b|\bshall (?:i|we)\s*\?|\b(?:want|need) me to\b[^.?]*\?|\bplease (?:confirm|reply|say yes)|\b(?:can|could|do) you (?:please )?confirm\b|(?:\byou|\bto|^\W*)\s*confirm (?:that|this|it|the|your|by)\b|\b(?:ok(?:ay)?|ready|happy) (?:to|for (?:me|us) to) (?:proceed|go ahead)|\b(?:is|are|does) (?:that|this|it|these|all of that)(?: all)? (?:correct|right|ok(?:ay)?|fine|work|look (?:right|good))\b|\b(?:go ahead|proceed)\s*\?|\bare you sure\b|\byes\s*(?:\/|or)\s*no\b|\bif you (?:agree|confirm|say yes)\b|\bjust say (?:yes|the word)\b/i,
  zh: /请(?:您)?(?:先)?(?:回复|确认|核对)|是否(?:确认|需要|要|同意|继续|办理)|确认(?:吗|么|一下|后)|(?:可以|行|好|对|同意|需要)(?:吗|么|不)[？?。\s]*$|(?:要|需要|要不要|需不需要)(?:我|我们)?(?:现在)?(?:帮|替|为|给)您.{0,40}(?:吗|(?<![什怎多这那])么|？|\?)|(?:确认|确定)[^，。？?]{0,12}(?:吗|(?<![什怎多这那])么)|(?:要|想|现在|需要)(?:换|退|取消|改|申请|办理|登记|补发|下单|拍|催)[^，。？?]{0,8}(?:吗|(?<![什怎多这那])么)|您看(?:可以|行|这样)|同意(?:的话|后)|您确定|回复[“"「『]?(?:确认|是|好|同意)/,
}
const OFFER: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:anything|something|what|how) else\b|\b(?:any|some|other|more|further)(?: (?:other|more|further))? (?:questions?|help|concerns?)\b|\banything (?:more|further|other|about|on|regarding|i can|we can|you)\b|\b(?:can|could|may) (?:i|we) (?:do|help|assist|be of)\b[^?]*\b(?:more|further|anything|something|help|service|other)\b|\b(?:is|was) (?:that|this) (?:all|everything)\b(?! right)|\b(?:does|did) (?:that|this) (?:help|answer|clear|clarify|explain)|\b(?:is|are) (?:everything|all|that|things|it) clear\b|\bhow (?:can|may) (?:i|we) help\b|\bwhat can (?:i|we) do for you\b/i,
  zh: /还有(?:什么|其他|其它|别的|需要|要|没有|问题|疑问|事|啥|哪里)|(?:还|别的)需要(?:什么|别的|帮)|(?:都|还)?(?:清楚|明白|了解)(?:了)?(?:吗|么)|(?:其他|其它|别的)(?:问题|需要|帮助|可以|想|要|吩咐)|有什么(?:可以|能)?(?:帮|为您)/,
}
/** What is only asked for in case of something. */
const CONDITION =
  /^\W*(?:if|in case|should|whenever|once)\b|\b(?:if|should) (?:you|anything|something|there)\b|如果|如有|若|要是|有(?:任何)?(?:问题|需要)/i
const ASKS: Readonly<Record<Language, RegExp>> = {
  en: /\?|\b(?:please|kindly|could you|can you) (?:tell|(?:send|give) (?:me|us|your|a (?:photo|picture))|provide|share|let)\b|\blet me know\b|\bi (?:would )?need (?:your|the)\b/i,
  zh: /[?？]|吗\s*[。！!~～]*$|请(?:您)?(?:把|将|提供|告诉|告知|发|说)|麻烦(?:您)?(?:提供|发|告诉|说)|方便(?:提供|告诉|发)/,
}
const AGREES: Readonly<Record<Language, RegExp>> = {
  en: /^\W*(?:(?:oh|ok(?:ay)?|well|hm+|ah|great|perfect|and|so)\b[,.! ]*)*(?:yes|yep|yeah|yup|ya|sure|please do|go ahead|do (?:it|that|so)|confirm(?:ed)?|correct|right|that'?s (?:right|fine|correct|ok(?:ay)?)|sounds good|fine|agreed|absolutely|of course|definitely|i (?:confirm|agree)|by all means|proceed|works for me|make it so|please)\b|^\W*ok(?:ay)?\W*$|\byes\b.{0,24}$/i,
  zh: /^[\s，,。.！!~]*(?:那就?|嗯+|哦+|啊)?[，, ]*(?:好|行|可以|是的|是|对|嗯|确认|同意|没问题|没错|麻烦|办吧|就这样办|成|ok|OK|中|要的|换吧|退吧|取消吧|改吧)|(?:确认|同意)[。！!]?$/,
}
const REFUSES: Readonly<Record<Language, RegExp>> = {
  en: /^\W*(?:h+m+,?|oh,?|ok(?:ay)?,?|well,?|ah,?|actually,?|sorry,?|and)?\W*(?:no|nope|nah|don'?t|do not|wait|stop|never ?mind|hold on|not (?:now|yet|that)|keep it|forget it|cancel that|leave it|wrong)\b/i,
  zh: /^[\s，,]*(?:嗯+|额|呃|那|哦|啊)?[，, ]*(?:不|别|先不|算了|等等|等一下|等会|慢着|先别|没必要|错了|没有)/,
}
const LEAVES: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:good ?)?bye+\b|\bsee (?:you|ya)\b|\b(?:talk|speak|chat) (?:to you )?(?:later|soon|again)\b|\bthat(?:'s| is|’s|ll be|'ll be| will be| was) (?:all|it|everything)(?: for (?:now|today)| from me| i (?:need|needed|wanted))?\b|\bnothing (?:else|more|further)\b|\bi(?:'m| am|’m) (?:done|all set|off|leaving|out)\b|\b(?:have|enjoy) (?:a|the|your) (?:\w+ )?(?:day|evening|night|weekend|one|afternoon|morning|rest)\b|\b(?:gotta|got to|have to|need to|must|should) (?:go|run|leave|dash)\b|\bcheers\W*$|\btake care\b|\bgood ?night\b|\bi(?:'ll| will|’ll) (?:leave (?:it|you)|let you go|go now|be off|stop here|log off|sign off)\b|\bclos(?:e|ing) (?:the|this) (?:chat|conversation)\b|\b(?:end|leave|leaving|ending)(?: of)? (?:(?:the|this|our) )?(?:chat|conversation)\b|\b(?:so long|farewell|ciao|ttyl|cya|later(?:s)?[.! ]*$)|\b(?:signing|logging|heading) off\b|\bwe(?:'re| are|’re) (?:done|finished|good)(?: here)?\b|\bcatch you later\b|\buntil next time\b|\bno (?:more|further|other) questions\b|\ball (?:good|done|sorted|set)\b[^?]*$/i,
  zh: /再见|再会|再會|拜拜|拜啦|拜了|拜~|bye|回头(?:见|聊|再)|回聊|下次(?:再)?(?:聊|见|说)|改天(?:再)?(?:聊|说)|先这样(?:吧|了|啦)?|就这样(?:吧|了|啦)|没(?:别的|其他|其它|什么)?(?:的)?(?:事|问题)(?:儿)?(?:情)?了|没(?:别的|其他|其它)(?:的)?了|没有(?:别的|其他|其它)?(?:的)?(?:事|问题|疑问)(?:儿)?(?:情)?了|(?:我|先)(?:先)?(?:走|撤|下|溜|忙|闪)(?:了|啦)|不聊了|不说了|不打扰了|不打扰(?:你|您)了|祝(?:您|你|好)|晚安|88\b|886|先忙(?:去)?了|告辞|到此为止|聊到这|到这(?:儿|里)吧|到这吧|结束(?:吧|对话|聊天|了)|(?:可以)?关(?:闭|了)?(?:对话|聊天|窗口)|下线了|有空再聊|不用回(?:了|复)/i,
}

/** Whether a yes is wanted before something is done. */
export const asksToGoAhead = (text: string, language: Language): boolean =>
  sentences(text).some(
    (sentence) => GO_AHEAD[language].test(sentence) && WANTS_YES.test(sentence) && !OFFER[language].test(sentence),
  )
const WANTS_YES =
  /[?？]|\b(?:please|reply|let me know|just say|if you (?:agree|confirm|say)|yes\s*(?:\/|or)\s*no)\b|吗|么|请|是否|回复|同意|您看|您确定/i

/** Whether an answer is wanted. A mere offer of more help wants none. */
export function asks(text: string, language: Language): boolean {
  return sentences(text).some((sentence) => {
    if (OFFER[language].test(sentence) || (CONDITION.test(sentence) && !/[?？]/.test(sentence))) return false
    return ASKS[language].test(sentence) || GO_AHEAD[language].test(sentence)
  })
}

const CONTENT: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:which|what(?:'s|’s)?|who|whom|whose|where|when|why|how)\b[^?]*\?|\bor\b[^?]*\?|\b(?:could|can|may|might|would|will) (?:you|i) (?:please |kindly )?(?:tell|send|give|provide|share|have|get|ask|know|describe|let)\b|\b(?:please|kindly) (?:tell|(?:send|give) (?:me|us|your|a (?:photo|picture))|provide|share|describe|let)\b|\bi (?:would |will |'ll )?need (?:your|the)\b|\blet me know (?:your|the|which|what|how|when|where|whether)\b|\bgo ahead, (?:what|which|i)/i,
  zh: /(?:哪|什么|多少|几|谁|怎么|怎样|如何|为何|还是|贵姓|何时|或者)[^。！]*(?:[?？呢吗]|$)|请(?:您)?(?:先|再)?(?:把|将|提供|告诉|告知|发|说|讲|描述|补充)|麻烦(?:您)?(?:先|再)?(?:把|提供|发|告诉|说)|方便(?:提供|告诉|发|说|告知|问)|您(?:请)?[说讲][。！]?$|(?:号码?|地址|姓名|电话|名字|尺码|颜色|原因)(?:是|呢)?[?？]|(?:号|地址|照片|姓名|电话)(?:麻烦|请)?(?:发|报|说)(?:我|给我|一下)/,
}
const IS_THAT =
  /\b(?:is|was|are|were|does|do|did) (?:that|this|it|these|those)\b[^?]{0,12}\b(?:what|how|when|where|who)\b/i

/** Whether an answer is wanted that is more than a yes or a no: a choice, a number, a reason, something to be sent. */
export function asksForContent(text: string, language: Language): boolean {
  return contentQuestions(text, language).length > 0
}

/** Sentences of `text` that ask for more than a yes or a no. */
export function contentQuestions(text: string, language: Language): string[] {
  return sentences(text).filter((sentence) => {
    if (OFFER[language].test(sentence) || (CONDITION.test(sentence) && !/[?？]/.test(sentence))) return false
    return CONTENT[language].test(sentence) && !IS_THAT.test(sentence)
  })
}

export const agrees = (text: string, language: Language): boolean =>
  !REFUSES[language].test(text) && AGREES[language].test(text)
export const refuses = (text: string, language: Language): boolean => REFUSES[language].test(text)
export const saysGoodbye = (text: string, language: Language): boolean => LEAVES[language].test(text)

/** Whether the words only say that nothing was understood, or offer help in general. */
export const wasNotUnderstood = (text: string, language: Language): boolean => LOST[language].test(text)
const LOST: Readonly<Record<Language, RegExp>> = {
  en: /\bhow (?:can|may) (?:i|we) help\b|\b(?:did(?:n'?t| not)|do(?:n'?t| not)|could(?:n'?t| not)) (?:quite )?(?:understand|catch|get) (?:that|you|what)\b|\b(?:rephrase|clarify|say that again)\b/i,
  zh: /有什么(?:可以|能)帮|没(?:有)?(?:听|看)?(?:太)?(?:懂|明白)|不太明白|再说一遍|换个说法/,
}

/** The words up to where the goodbye begins; undefined: there is none. */
export function beforeGoodbye(text: string, language: Language): string | undefined {
  const at = text.search(LEAVES[language])
  return at < 0 ? undefined : text.slice(0, at)
}

/** Sentences of a message, each with its own punctuation and blanks. Joined again they are the message. */
export function sentences(text: string): string[] {
  return text
    .split(/(?<=[!?。！？\n;；])(?![!?。！？\n;；])|(?<=(?<!\b(?:Mr|Mrs|Ms|Dr|St|No(?=\.\s*\d)))\.)(?=\s)/)
    .filter((part) => part !== "")
}
