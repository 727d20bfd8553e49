import type { WritingStyle } from "./style.ts"

type Language = "zh" | "en"

/** What template buyers say between their planned lines. A change of any of it is another version of the mind. */
export const TEMPLATE_WORDS = {
  en: {
    yes: "yes, please go ahead",
    no: "no, leave it as it is",
    wrong: (meant: string) => `no, not that one, I mean ${meant}`,
    again: (text: string) => `sorry, once more: ${text}`,
    order: (id: string) => `it is ${id}`,
    name: (name: string) => `my name is ${name}`,
    unknown: "I don't know that",
    bye: "thanks, bye",
    giveUp: "never mind then, bye",
    asksOrder: /\border (?:number|id|no)|\bwhich (?:order|one)\b/i,
    asksName: /\b(?:your|the) (?:full )?name\b/i,
  },
  zh: {
    yes: "好的，确认，请办理",
    no: "不用了，先不改",
    wrong: (meant: string) => `不对，我说的是${meant}`,
    again: (text: string) => `再问一下：${text}`,
    order: (id: string) => `是${id}`,
    name: (name: string) => `我叫${name}`,
    unknown: "这个我不清楚",
    bye: "谢谢，再见",
    giveUp: "那算了，再见",
    asksOrder: /订单号|哪(?:个|一个|一)?(?:笔)?订单|单号|是哪(?:个|一个)/,
    asksName: /(?:您的)?(?:姓名|名字)|怎么称呼/,
  },
} as const satisfies Readonly<Record<Language, unknown>>

const WANTS: readonly (readonly [string, RegExp])[] = [
  ["cancel", /\bcancel|取消|不要了|不想要了/i],
  ["address", /\baddress\b|\b(?:send|ship|deliver|sent)\b.{0,40}\b(?:to|instead)\b|地址|改寄|寄到/i],
  ["return", /\breturn|\bsend (?:it|them )?back|\brefund|退货|退回|退掉|想退|要退|退款/i],
  [
    "change",
    /\bexchange|\bswap|\bchange (?:it |to )?(?:to|into|item|for)?\b|\breplace|\bnew one\b|\binstead\b|换|改成/i,
  ],
  ["compensation", /\bcompensat|\bvoucher|\bcredit\b|\bcoupon|\bfor the (?:trouble|delay)|补偿|赔|红包/i],
  ["order", /\b(?:place|make) (?:the|an|your) order|\border (?:it|this) for you|下单/i],
]

/** The kinds of change that a text is about. */
export function wantsOf(text: string): string[] {
  return WANTS.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []))
}

/** A template's words as the buyer writes: capitals and full stops where its own messages have them. */
export function worded(text: string, style: WritingStyle | undefined, language: Language): string {
  if (style === undefined) return text
  const capital = language === "en" && style.lower_case < 0.5 ? text.charAt(0).toUpperCase() + text.slice(1) : text
  if (style.ends_with_stop < 0.5 || /[.!?。！？]$/.test(capital)) return capital
  return `${capital}${language === "zh" ? "。" : "."}`
}
