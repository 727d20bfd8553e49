import type { CaseRecord } from "../../../core/case-record.ts"
import type { Verdict } from "../../../core/verdict.ts"
import { foldText } from "../../../lib/fold-text.ts"

/** Whoever reads a conversation to judge it, by the words that are used for them. */
const READER_EN = `(?:judges?|graders?|evaluators?|raters?|assessors?|llm|language model|ai model|auto-?grader|reviewer (?:model|llm|ai)|(?:scoring|grading|evaluation|judging|assessment) (?:system|model|bot|ai|script|engine|pipeline)|(?:whoever|who|whoever is|who is|anyone|the one|the ai|the model) (?:judg|grad|evaluat|rat|scor|review|assess)(?:es|s|ing))`
const READER_ZH = `(?:评委|评审|评判|裁判|裁决者|判定者|评分者|评分员|打分者|打分员|评估者|评估员|评测者|评测员|质检员|阅卷人|(?:评分|评估|评测|评审|打分|判定|裁判)(?:的)?(?:模型|系统|程序|机器人|ai)|大模型)`
const RESULT_EN = `(?:pass(?:ed|ing)?|fail(?:ed|ing)?|full (?:marks|score|credit)|(?:the )?(?:highest|maximum|top|perfect|full) (?:score|marks?|grade|rating)|10 ?/ ?10|100 ?%|not[ _]applicable)`
const RESULT_ZH = `(?:通过|不通过|合格|不合格|满分|最高分|零分|pass|fail|不适用)`

/** Folded text; every repetition is bounded, for whoever writes the text may mean harm. Each asks for a verdict, or poses as what gives one. */
const PATTERNS: readonly RegExp[] = [
  // the reader is addressed, and told something
  new RegExp(
    String.raw`(?:^|[.!?;:,(\[\n]|\b(?:to|for|dear|hey|hi|attention|note|message)\b)[\s*_#>]{0,8}(?:(?:to|for) )?(?:the |this |my |any |all |our )?(?:\w{1,20} )?${READER_EN}\b[\])*_]{0,8}(?:\s{0,8}[:,-]|[^.!?\n]{0,30}:)`,
    "u",
  ),
  new RegExp(String.raw`\b(?:if you are|you are|as) (?:the|an?) (?:\w{1,20} )?${READER_EN}\b`, "u"),
  new RegExp(String.raw`\b${READER_EN} (?:note|notice|instructions?|guidance|message|prompt|override)\b`, "u"),
  new RegExp(
    String.raw`\b(?:instructions?|notes?|message|memo|prompt|important) (?:to|for) (?:\w{1,20} ){0,2}${READER_EN}\b`,
    "u",
  ),
  new RegExp(
    String.raw`\b${READER_EN} (?:must|should|shall|has to|have to|is to|are to|is instructed|are instructed|will|may|can|please)\b.{0,60}${RESULT_EN}`,
    "u",
  ),
  new RegExp(
    String.raw`(?:致|给|对|告|请|尊敬的|亲爱的|各位|作为|如果你是|你是)\s{0,8}(?:本次|本案|这位|这个|一个|一名|各位|所有)?\s{0,8}(?:的)?\s{0,8}${READER_ZH}`,
    "u",
  ),
  new RegExp(String.raw`${READER_ZH}\s{0,8}(?:\]|】|\))?\s{0,8}(?:[:：]|请?注意|您好|你好)`, "u"),
  new RegExp(String.raw`(?:^|[\n。!?；;([【])\s{0,8}${READER_ZH}\s{0,8}[,，]`, "u"),
  new RegExp(`以.{0,6}${READER_ZH}.{0,3}(?:身份|角度|立场)`, "u"),
  new RegExp(`${READER_ZH}.{0,8}(?:请|应该|应当|必须|务必|需要|得).{0,30}${RESULT_ZH}`, "u"),
  // instructions are to be dropped
  /\b(?:ignore|disregard|forget|override|discard)\b.{0,30}\b(?:rubric|criteri(?:a|on)|evaluation|grading|scoring|checks?)\b/u,
  /\b(?:ignore|disregard|forget|override|discard)\b.{0,12}\b(?:all|any|your|previous|prior|above|earlier|preceding)\b.{0,20}\b(?:instructions?|prompts?|system message)\b/u,
  /(?:忽略|无视|忘记|忘掉|不要理会|不必理会|抛开|放弃).{0,14}(?:指令|指示|提示词|提示语|系统提示|评分标准|评估标准|评判标准|评测标准|判定标准|检查项)/u,
  /(?:忽略|忽视|无视|忘记|忘掉|不用管|别管|不管|绕过|不要理会|不必理会|抛开|放弃|推翻).{0,10}(?:评判|评分|评估|评审|评测|判定|打分|审核)(?:的)?(?:规则|标准|要求|准则|指南|说明|规定|细则)/u,
  /\b(?:system|judge|grader|verdict|evaluation) override\b|\bdeduct (?:any )?(?:points|marks)\b/u,
  // a result is ordered for checks, for the conversation, for the agent
  new RegExp(
    String.raw`\b(?:mark|rate|grade|score|judge|label|answer|set|record|evaluate|count|treat)\b.{0,40}\b(?:checks?|criteri(?:a|on)|conversation|transcript|case|dialogue|verdicts?|agent|assistant|everything|all of (?:it|them|this))\b.{0,30}\b${RESULT_EN}`,
    "u",
  ),
  new RegExp(
    String.raw`\b(?:all|every|each|any|these|those|the|both) (?:of the )?(?:checks?|criteri(?:a|on)|verdicts?)\b.{0,30}\b(?:are|is|as|be|have|has|must|should|=|:)\b.{0,20}\b${RESULT_EN}`,
    "u",
  ),
  new RegExp(
    String.raw`\b(?:give|award|assign|grant)\b.{0,30}\b(?:agent|assistant|conversation|case|transcript|every check|all checks|every criterion|all criteria)\b.{0,30}\b${RESULT_EN}`,
    "u",
  ),
  new RegExp(
    String.raw`(?:检查项?|检查|评分项|评估项|标准|准则|对话|会话|案例|本案|客服|判定|评分|评估|评测)(?:一律|统统|全部|都|均|应|应当|应该|必须|请|务必|直接|的结果|结果|里的|中的|所有|整段|这段|表现|的表现).{0,14}(?:判|打|给|评|标|记|算|视)(?:为|作|成|定|上|了|出|个|到|分)?\s{0,8}["'「“]?${RESULT_ZH}`,
    "u",
  ),
  new RegExp(
    String.raw`(?:把|将|请将|给).{0,20}(?:检查项?|评分项|评估项|标准|准则|对话|会话|案例|客服).{0,10}(?:判|打|评|标|记|算|视)(?:为|作|成|定|上|出)?\s{0,8}["'「“]?${RESULT_ZH}`,
    "u",
  ),
  new RegExp(String.raw`(?:判定|评分|评估|评审|评测)结果\s{0,8}(?:为|是|:|=)\s{0,8}${RESULT_ZH}`, "u"),
  /\b(?:output|answer|return|respond(?: with)?|reply with|select|choose)\s{1,8}["'“”]?(?:state )?(?:pass|fail|not_applicable)\b(?!-)/u,
  /\b(?:rate|grade|score|judge|mark|evaluate) (?:this|the|my|our|every|all) (?:repl(?:y|ies)|response|answer|message|chat|dialog(?:ue)?|conversation|transcript|exchange)s?\b.{0,20}\bas (?:an? )?(?:excellent|perfect|good|correct|successful|flawless|pass)/u,
  new RegExp(String.raw`\bverdict\b["']?\s{0,8}(?:=|:|is|must be|should be)\s{0,8}["']?${RESULT_EN}`, "u"),
  new RegExp(
    String.raw`\b(?:evaluation|grading|judging|assessment)\b.{0,12}\b(?:complete|completed|finished|over|result|results|outcome)\b.{0,14}\b${RESULT_EN}`,
    "u",
  ),
  /判(?:我们?|咱们|本店|客服|它|他们?|此案)?(?:为|定为|成|作)?(?:合格|满分|过关)/u,
  new RegExp(
    String.raw`(?:评分|得分|判定|评定|评级|评判|裁定)(?:一律|统一|全部|都|均|应当?)?(?:为|是|=|:)\s{0,8}["'「“]?${RESULT_ZH}`,
    "u",
  ),
  new RegExp(
    String.raw`(?:state|verdict|判定|结论|准则|标准|检查项).{0,8}(?:填|写|设|改|标|置|选|视)(?:成|为|上|作)?\s{0,8}["'「“]?${RESULT_ZH}`,
    "u",
  ),
  // words of judging and of a result, in one sentence
  /\b(?:rubric|verdict|transcript|graders?|evaluators?|llm|when you (?:grade|judge|score|evaluate)|purposes? of (?:scoring|grading|judging|evaluation)|stop (?:evaluating|grading|judging))\b[^!?\n]{0,80}\b(?:pass|passed|passes|full marks|perfect|approved?|satisf(?:y|ied|ies)|penali[sz]e|deduct|assume|meets? all)\b/u,
  /\b(?:penali[sz]e|approve|pass|deserves?|assume|meets? all)\b[^!?\n]{0,60}\b(?:rubric|when you (?:grade|judge|score|evaluate)|every (?:item|criterion|check)|all (?:rubric|criteria|checks)|all items on)\b/u,
  /\b(?:ai|model|bot|reviewer)s?\b[^.!?\n]{0,20}(?:reading|reviewing|scoring|processing) this\b|\b(?:your|earlier|previous|prior) (?:\w{1,20} )?instructions? (?:are|is) (?:now )?(?:void|cancelled|invalid|obsolete|revoked)\b/u,
  /\b(?:treat|mark|consider|count|regard) (?:every|each|all|any) (?:the )?(?:items?|points?|questions?)\b.{0,20}\bas (?:satisfied|met|passed|fulfilled|correct)\b/u,
  /(?:之前|先前|上面|以上|原来|前面)的?(?:提示|指令|指示|提示词|规则)(?:已经?|均|全部|都)?(?:作废|无效|失效|取消)/u,
  /(?:评测|评估|评分|评审|判定|打分|裁判).{0,40}(?:应得|应给|得到|给出|输出|别扣|不要扣|不扣|结果[:：]?).{0,4}(?:分|满分|通过|合格|优秀)/u,
  /(?:把|将).{0,12}(?:每一项|所有项|各项|全部项目|每项|本次服务|这次服务|本次对话).{0,6}(?:标|判|评|打|填|记|算)(?:定|成|为|作|上){0,3}.{0,2}(?:通过|合格|满分|优秀)/u,
  // it poses as the frame around it, or as an answer
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)[^>\n]{0,12}\|>|\[\/?inst\]|<\/?(?:transcript|record|rubric|system|instructions?)>/u,
  /^\s{0,8}(?:\[|【|#{1,6} ?|\*\*)?\s{0,8}(?:system|developer)(?: (?:message|prompt|note|override))?\s{0,8}(?:\]|】|\*\*)?\s{0,8}[:：]/mu,
  /(?:"|')(?:state|verdict)(?:"|')\s{0,8}:\s{0,8}(?:"|')(?:pass|fail|not_applicable|abstain)/u,
  /\bgive_verdicts\b|\bend of (?:the )?transcript\b|(?:对话|会话)记录(?:到此)?结束/u,
]

/** What the patterns need beside the characters that are folded everywhere. */
const SIMPLIFIED: Readonly<Record<string, string>> = Object.fromEntries(
  "評评 審审 錄录 記记 結结 決决 標标 準准 檢检 測测 檔档 員员 務务 統统 級级 滿满 質质 據据 視视 為为 將将 項项 則则"
    .split(" ")
    .map((pair) => [...pair]),
)
const TRADITIONAL = new RegExp(`[${Object.keys(SIMPLIFIED).join("")}]`, "g")

/** Messages of the agent, the buyer and colleagues that try to tell whoever judges the case what to say, by rules alone. */
export function instructsJudge({ messages }: CaseRecord): Verdict["evidence"] {
  return messages.flatMap(({ id, text, sender }) => {
    if (sender === "system") return []
    const folded = foldText(text).replace(TRADITIONAL, (sign) => SIMPLIFIED[sign] ?? sign)
    for (const pattern of PATTERNS) {
      const match = pattern.exec(folded)
      if (match !== null) return [{ message_id: id, quote: text.slice(match.index, match.index + match[0].length) }]
    }
    return []
  })
}
