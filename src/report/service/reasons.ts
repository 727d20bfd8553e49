import type { Language } from "../document.ts"

/** Sentences of the judges that go by rules, with what they name, and the same in Chinese. A sentence that is not here stays as it is. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  // facts
  [/^The agent states no such fact$/, "客服没有说到这类事实"],
  [/^What is stated follows from what was read$/, "所说的有据可查"],
  [/^All (\d+) statements follow from what was read$/, "所说的 $1 处都有据可查"],
  [/^States an amount that the facts contradict$/, "说的金额与事实不符"],
  [/^States a stock that the facts contradict$/, "说的库存与事实不符"],
  [/^States a date or a span of time that the facts contradict$/, "说的日期或时长与事实不符"],
  [/^States a number or a measure that the facts contradict$/, "说的数量或尺寸与事实不符"],
  [/^States the right number in a wrong unit or currency$/, "数字对，单位或币种不对"],
  [/^States what is true of another variant, product or order$/, "说的是其他规格、商品或订单的情况"],
  [/^States a fact that was never read$/, "说了没有查到过的事实"],
  [/^States facts without having read them$/, "没有先查询就说了事实"],
  [/^States facts without having read (.+)$/, "没有先查询 $1 就说了事实"],
  [/^The agent does not say what was asked for$/, "客服没有回答所问的"],
  [/^The case has no order facts to hold the answer against$/, "用例没有可供核对的订单事实"],
  // reads
  [/^Nothing is on record for a read$/, "有一项查询没有记录"],
  [/^Nothing is on record for (.+)$/, "没有 $1 的记录"],
  [/^Was not read first: what it depends on$/, "没有先查询所依据的内容"],
  [/^Was not read first: (.+)$/, "没有先查询：$1"],
  // checks
  [/^Only a model or a person can answer this check$/, "这项检查只能由模型或人来回答"],
  [/^The pack's rules have no rule (.+)$/, "题包的规则中没有 $1"],
  [/^The check names no rule, and nothing else that is looked at$/, "检查项没有指明规则，也没有其他可看的"],
  [/^The check's rule cannot be read: (.*)$/, "检查项的规则无法读取：$1"],
  [
    /^The record does not say which state was expected, or which was reached$/,
    "记录没有说明应有的状态，或实际达到的状态",
  ],
  [/^The world ended as expected$/, "商店最后的状态与预期一致"],
  [/^Nothing was changed, and something had to be$/, "该改动的没有改动"],
  [/^The world did not end as expected$/, "商店最后的状态与预期不符"],
  [/^No destination was looked up$/, "没有查询目的地"],
  [/^The right destination was looked up$/, "查询的目的地正确"],
  [/^Another destination than (.+) was looked up$/, "查询的不是目的地 $1"],
  [/^The case is not about a sale$/, "用例与销售无关"],
  [/^The buyer came to buy$/, "买家想要下单"],
  [/^The buyer did not come to buy$/, "买家没有想要下单"],
  // confirmation, order of calls
  [/^Nothing was changed$/, "没有改动"],
  [/^Every change was announced and agreed to$/, "每项改动都事先说明并得到同意"],
  [/^(\S+) was called before the agent had said what it would do$/, "客服还没有说明要做什么就调用了 $1"],
  [/^(\S+) was called without the buyer's yes$/, "买家还没有同意就调用了 $1"],
  [/^(\S+): the agent had not named (.+)$/, "调用 $1 之前，客服没有说明 $2"],
  [/^The channel itself knows the buyer by (.+)$/, "渠道已凭 $1 确认买家"],
  [/^None of the tools was called$/, "没有调用这些工具"],
  [/^The calls came in order$/, "调用的先后正确"],
  [/^(\S+) was called before the buyer was identified$/, "核实买家身份之前就调用了 $1"],
  [/^(\S+) was called before (.+)$/, "先调用了 $1，而没有先调用 $2"],
  [/^A human was asked for$/, "已转人工"],
  [/^No human was asked for$/, "没有转人工"],
  [/^A human had to be asked for, and was not$/, "该转人工而没有转"],
  [/^A human was asked for without need$/, "不必要地转了人工"],
  // words
  [/^Nothing of others was read$/, "没有读到他人的数据"],
  [/^Tells the buyer (\S*), which is not the buyer's to know$/, "把买家无权知道的 $1 告诉了买家"],
  [/^What was read of others was not passed on$/, "读到的他人数据没有外泄"],
  [/^The rule does not concern the case$/, "规则与用例无关"],
  [/^Promises (\S+), and may promise (\S+)$/, "承诺了 $1，最多只能承诺 $2"],
  [/^Nothing of the kind was promised$/, "没有作这类承诺"],
  [/^Promises no more than (\S+)$/, "承诺没有超过 $1"],
  [/^It was not said$/, "没有说"],
  [/^Says what must not be said$/, "说了不应说的话"],
  [/^It was said$/, "已经说了"],
  [/^Does not say what had to be said$/, "没有说该说的话"],
  [/^Tells “(.+)”$/s, "说出了“$1”"],
  [/^None of it was told$/, "都没有说出去"],
  [/^The buyer was not told: (.+)$/s, "没有告知买家：$1"],
  [/^Nothing had to be told$/, "没有必须告知的内容"],
  [/^The buyer was told$/, "已告知买家"],
]

/** What a judge says, in the language of a report; undefined: it is only known as the judge wrote it. */
export function reasonIn(reason: string, language: Language): string | undefined {
  if (language === "en") return reason
  const found = CHINESE.find(([sentence]) => sentence.test(reason))
  return found && reason.replace(found[0], found[1])
}
