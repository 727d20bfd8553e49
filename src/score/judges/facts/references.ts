import type { Mention } from "./mentions.ts"
import type { ReadMessage } from "./scope.ts"
import { distinct, productsOf, type Thing, thingsOf } from "./things.ts"

type Role = "other" | "first" | "second" | "asked first" | "asked second" | "seen"

const UNIT_ZH =
  "(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张|条|支|瓶|包|套|样|色|码|号|口味|颜色|尺码|规格|型号|版本|者)?"
const YOURS_ZH =
  "[您你](?:刚才?|刚刚|之前|前面|先|开头|一开始|先前|上面|头先)*(?:提|说|问|讲|看|写|报|点)(?:到|及|过|起)?的?"

/** Words that mean something by its place in the talk rather than by name; the first that fits counts. */
const PATTERNS: readonly (readonly [Role, RegExp])[] = [
  [
    "asked first",
    new RegExp(
      `${YOURS_ZH}(?:第一|头一|前面那|前)${UNIT_ZH}|[您你](?:先|最先|首先|一开始)(?:问|说|提|看)(?:到|过)?的?那?${UNIT_ZH}`,
      "g",
    ),
  ],
  [
    "asked second",
    new RegExp(
      `${YOURS_ZH}(?:第二|后面那|后|末尾那|最后那)${UNIT_ZH}|[您你](?:后|后来|接着|随后)(?:问|说|提|看)(?:到|过)?的?那?${UNIT_ZH}`,
      "g",
    ),
  ],
  [
    "other",
    /(?:[您你](?:刚才?|之前)?(?:问|说|提)(?:到)?的)?(?:另外?那?|另|还有那|剩下那|剩下的那|余下那|别的那|其余那|除此之外那)(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张|条|支|瓶|包|套|样|色|码|号|款式|颜色|尺码|规格|型号)(?!月|人|小时|办法|方案|问题|原因|地方|地址|方面|订单|包裹|单)|另外(?:那|一)(?:个|款|种)|\b(?:the |your |its )?other(?: one| option| size| colou?r| model| version| variant| flavou?r| finish| switch| capacity| pair)?(?= (?:one )?(?:is|was|has|had|at|costs?|comes?|sits?|runs?|goes|stands?|would|will|you|for|we|there|shows?|sells?|[$¥€£\d]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b|[:,.;=]|\s?[-–—$]|$)(?! (?:hand|day|items?|products?|things?|order|parcel))|\b(?:the )?other (?:one|two)\b/g,
  ],
  [
    "seen",
    /(?:刚才|刚刚|刚|之前|先前|前面)[您你]?(?:看|问|说|提|聊|讲)(?:到|过|好)?的?(?:那|这)?(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张)|[您你](?:刚才|刚刚|刚|之前|先前|前面)?(?:看|聊)(?:到|过|好)?的?(?:那)(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张)|\bthe (?:one|pair|version|size|colou?r|model) (?:that )?you(?:'ve|'d| have| had| were| are)?(?: just| already| first| previously| earlier)* (?:looked at|seen|saw|checked|viewed|viewing|looking at|had before|tried)\b/g,
  ],
  [
    "asked first",
    /\b(?:the )?(?:first|1st|former)(?: one| option| size| colou?r| model| of (?:those|these|them|the two))?,? (?:that )?you(?:'ve| have)? (?:named|mentioned|listed|asked(?: about)?|said|wrote|gave|brought up)|\bthe one you(?:'ve| have)? (?:named|mentioned|listed|asked about|said|wrote|brought up) first\b/g,
  ],
  [
    "asked second",
    /\b(?:the )?(?:second|2nd|latter|last)(?: one| option| size| colou?r| model| of (?:those|these|them|the two))?,? (?:that )?you(?:'ve| have)? (?:named|mentioned|listed|asked(?: about)?|said|wrote|gave|brought up)|\bthe one you(?:'ve| have)? (?:named|mentioned|listed|asked about|said|wrote|brought up) (?:second|last|after that)\b/g,
  ],
  [
    "first",
    /前者|(?<![当目以之眼跟提])前(?:面|边)?(?:那|一)(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张|样)|前面(?:的|那)|第一(?:个|款|种|双|件|台|只|样)(?!工作|月|小时|星期|周|订单)|头一(?:个|款|种|样)|\b(?:the )?(?:former|first one|first option|first of (?:those|these|them|the two))\b|\bthe first\b(?= (?:is|has|costs?|at|comes?|sits?|runs?|goes|stands?|would|one)\b)/g,
  ],
  [
    "second",
    /后者|(?<![以之今然最随])后(?:面|边)?(?:那|一)(?:一)?(?:个|款|种|双|件|台|只|盒|把|盏|张|样)|后面(?:的|那)|第二(?:个|款|种|双|件|台|只|样)(?!工作|月|小时|星期|周|订单|天)|\b(?:the )?(?:latter|second one|second option|second of (?:those|these|them|the two))\b|\bthe second\b(?= (?:is|has|costs?|at|comes?|sits?|runs?|goes|stands?|would|one)\b)/g,
  ],
]

/** `$299 against $359.90`: the second figure is the other thing's. */
const AGAINST = /(?:\b(?:against|versus|vs\.?|compared (?:to|with)|as opposed to)|对比|相比|比起)\s*(?=[¥$€£]?\s?\d)/g

export interface References {
  /** What the words that were understood name. */
  readonly mentions: readonly Mention[]
  /** Where something is meant that cannot be told. */
  readonly open: readonly { readonly start: number; readonly end: number }[]
}

/** What `own` means by `the other one`, 前者, `the first you named`; `earlier`: the messages before, oldest first, `buyers` those of the buyer. */
export function resolveReferences(own: ReadMessage, buyers: readonly ReadMessage[]): References {
  const mentions: Mention[] = []
  const open: { start: number; end: number }[] = []
  const taken: { start: number; end: number }[] = []
  for (const [role, pattern] of PATTERNS) {
    for (const match of own.text.matchAll(pattern)) {
      const place = { start: match.index, end: match.index + match[0].length }
      if (taken.some((one) => one.start < place.end && place.start < one.end)) continue
      taken.push(place)
      const thing = meant(role, place.start, own, buyers)
      if (thing === undefined) open.push(place)
      else mentions.push(...thing.mentions.map((mention) => ({ ...mention, ...place, compared: false })))
    }
  }
  const read = { ...own, mentions: [...own.mentions, ...mentions].sort((one, other) => one.start - other.start) }
  for (const match of own.text.matchAll(AGAINST)) {
    const at = match.index + match[0].length
    const thing = meant("other", at, read, buyers)
    if (thing !== undefined)
      mentions.push(...thing.mentions.map((mention) => ({ ...mention, start: at, end: at, compared: false })))
  }
  return { mentions, open }
}

function meant(role: Role, at: number, own: ReadMessage, buyers: readonly ReadMessage[]): Thing | undefined {
  for (const kind of ["options", "products"] as const) {
    const of = ({ text, mentions }: ReadMessage) =>
      kind === "options" ? thingsOf(text, mentions) : productsOf(mentions)
    const here = of(own)
    const before = here.filter(({ start }) => start < at)
    const asked = pairIn(buyers, of)
    const found = pick(role, before, here, asked)
    if (found !== undefined) return found
  }
  return undefined
}

function pick(
  role: Role,
  before: readonly Thing[],
  here: readonly Thing[],
  asked: readonly Thing[],
): Thing | undefined {
  const told = distinct(before)
  switch (role) {
    case "asked first":
      return asked.length === 2 ? asked[0] : undefined
    case "asked second":
      return asked.length === 2 ? asked[1] : undefined
    case "first":
      return told.length === 2 ? told[0] : told.length < 2 && asked.length === 2 ? asked[0] : undefined
    case "second":
      return told.length === 2 ? told[1] : told.length < 2 && asked.length === 2 ? asked[1] : undefined
    case "seen": {
      const named = new Set(here.map(({ key }) => key))
      const rest = asked.filter(({ key }) => !named.has(key))
      return asked.length === 2 && rest.length === 1 ? rest[0] : undefined
    }
    case "other": {
      const pair =
        asked.length === 2 && told.every(({ key }) => asked.some((one) => one.key === key))
          ? asked
          : distinct([...asked, ...told])
      if (pair.length !== 2) return undefined
      const last = before.at(-1)
      if (last !== undefined) return pair.find(({ key }) => key !== last.key)
      const behind = distinct(here)
      return behind.length === 1 ? pair.find(({ key }) => key !== behind[0]!.key) : undefined
    }
    default:
      return role satisfies never
  }
}

/** The two things that the buyer asked about: in the last message that names any, or the last two that do. */
function pairIn(buyers: readonly ReadMessage[], of: (message: ReadMessage) => Thing[]): Thing[] {
  let found: Thing[] = []
  for (const message of [...buyers].reverse()) {
    found = distinct([...of(message), ...found])
    if (found.length >= 2) return found
  }
  return found
}
