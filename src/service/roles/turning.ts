import { agrees, asks, asksToGoAhead, refuses, sentences } from "./acts.ts"
import type { BuyerCard } from "./card.ts"

/*
 * A buyer that turns down what it came for: the shop offers to do what the card wants done, and the answer is no.
 */

/** What is done to an order, by how it is told. */
const DEEDS: readonly RegExp[] = [
  /\bcancel|取消/i,
  /\b(?:return|refund|send (?:\w+ )?back)|退/i,
  /\b(?:exchange|swap|change|replac\w+|switch|new one|same again)|换|改|补发|重发|新的/i,
  /\bcredit|\bcompensat|\bfor the (?:delay|trouble)|\$\d|补偿|赔/i,
]
/** A no, wherever it stands. */
const NO =
  /\b(?:i'd|i would|i'll|let me|i) (?:rather|prefer to|just )?(?:not|keep|stay with|stick with|stick to|hang on to|hold on to|leave it)\b|\b(?:don'?t|do not) (?:do|cancel|return|change|open|exchange|swap|bother|send|refund|credit|process|touch)\b|\b(?:changed my mind|never ?mind|forget (?:it|about it)|leave it (?:as|the way|be|alone)|keep (?:it|them|the)|no need|not necessary|second thoughts?|rather not)\b|不(?:换|退|改|用|要|取消|补)(?:了|啦|吧)|(?:还是|就)(?:留着|算了|按原来|用原来|要原来|不)|别(?:换|退|改|取消|弄|补)|先不|算了|没必要|改主意|后悔/i
/** Something else is wanted, asked or put off: no plain no. */
const OPEN =
  /\?|？|\b(?:i mean\w*|meant|wrong|not (?:that|this|the right|my) (?:one|order|item)|asked for|wanted|said|other|another|also|instead|unless|until|first|before|how about|only if|if|but (?:can|could|what)|then|too (?:little|low|much|expensive|late)|not enough|wait|hold on|think about it|a (?:minute|moment|sec(?:ond)?))\b|吗|呢|不是(?:这|那)|不是[^，,。]{1,4}[，,]?而?是|我(?:说|指|要)的是|弄错|搞错|除非|先(?:告诉|说|看)|如果|的话|太(?:少|贵|低|晚)|不够|等/i

/** Agrees all the same. */
const AFTER_ALL =
  /\b(?:yes|yeah|go ahead|do it|please do|confirm|fine by me)\b|确认|取消(?:吧|就行)|同意|办吧|可以|[换退](?:吧|就行)/i

/** Asks to go ahead with what was said before. */
const BARE =
  /\bconfirm|\bgo ahead\b|\bproceed\b|\bdo (?:this|that|it|so)\b|\bshall i\s*\?|\b(?:all right|ok|okay|fine)\s*\?|确认|可以吗|同意/i

/** The words with which `draft` turns down what the card wants. `heard`: what the shop said last. */
export function turnsDown(draft: string, { goal, informed, language }: BuyerCard, heard: string | undefined): string[] {
  if (heard === undefined || !asksToGoAhead(heard, language)) return []
  const plan = informed.filter((text) => text !== goal)
  if (!plan.some((text) => agrees(text, language)) || plan.some((text) => refuses(text, language))) return []
  const asked = sentences(heard)
    .filter((sentence) => asks(sentence, language))
    .join("\n")
  const wanted = DEEDS.filter((deed) => deed.test(`${goal}\n${informed.join("\n")}`))
  const bare = !DEEDS.some((deed) => deed.test(asked)) && BARE.test(asked)
  const unnamed = bare && !DEEDS.some((deed) => deed.test(heard))
  const about = unnamed || wanted.some((deed) => deed.test(bare ? heard : asked))
  if (!about || OPEN.test(draft) || AFTER_ALL.test(draft)) return []
  const plain = draft.replaceAll("’", "'")
  const match = NO.exec(plain)
  if (match !== null) return [match[0]]
  return refuses(plain, language) &&
    !/\b(?:no|not a) (?:problem|worries)\b|没(?:问题|事|关系)|不(?:错|客气)/i.test(plain)
    ? [plain]
    : []
}
