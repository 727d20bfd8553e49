import { sentences } from "./acts.ts"
import { factsOf } from "./facts.ts"

type Language = "zh" | "en"

/*
 * What a case holds in plain words and the buyer may not know: the part that was changed in a repair, the carrier, the color of the goods, that
 * something is sold out. Told apart by words that stand in the material and nowhere in what the buyer knows.
 */

/** Words that everybody uses in a shop: that they stand in the material says nothing. */
const COMMON_EN = new Set(
  "exception exceptions policy rule rules apply apologize about above account accounts actually added address after again ahead all allowed almost along already also although always amount another answer any anyone anything arrange arrive arrived arrives ask asked asks available away back because been before being below best better between both bought bring but buy call came can cancel cancelled cannot card care change changed changes charge check chosen color colors colour come comes complete condition confirm confirmed contact correct cost costs could customer customers date day days deal decide delay delivered deliver delivery detail details different discount does done down each early either else email enough even ever every everything exactly except exchange expect expected extra faulty favor fine first fits following follows for found from full further get gets give given gives glad goes going gone good got great had half hand happen happy has have having hear heard hello help here high hold holds home hope hour hours house how however idea immediately include included information inside instead into is issue it item items its just keep kept kind know large last late later latest least leave left less let like line list listed little long longer look looks lost lower made make makes many match matter may maybe mean means meant message might mind mine minute minutes moment money month months more morning most much must myself name near need needed needs never new next nice no none nor not note noted nothing now number of off offer office often okay old once one only open opened or order ordered orders other others our out outside over own package paid parcel part pass passed pay payment people perhaps person phone pick piece place placed please possible price prices problem product products promise promised question questions quick quite rather reach read ready real really reason reasons receive received record records refund refunded regular release request rest result return returned returns right said same say says see seem send sending sends sent set several shall share ship shipped shipping shop short should show shows sign simply since size sizes small some someone something soon sorry sort standard start stay stays still stock stop store stores such support sure swap take taken tell than thank thanks that the their them then there these they thing things think this those though through time times today together told tomorrow too total touch track tracking tried try turn two type under understand unless until unused upon use used usual version very wait want wanted was way week weekend weeks welcome well went were what when where whether which while who whoever whole why will wish with within without word work works worth would write wrong year years yes yesterday yet you your yours search query product_id order_id gold true false goods travel camping whole right person fryer coffee delivered doctor unplug unplugged burn burnt ticket colleague replacement credit version details wants pack family beyond dollars demands passing neighbor neighbour road asked agreed applies arrange arranged arranges ask decides directly exact exactly final finally fully future given going happened inform informed instructions kept known letting main manager mention mentioned moment mostly nearly necessary noticed parts perfect perfectly personally plan planned point promised proper properly provide quickly realize remember remind reply report reported require required respond response sent seriously serve served settle settled situation solve solved sound sounds speak specific stays step steps story talk taking telling terms title tonight truly trust understood value various verify waiting warn watch weather".split(
    " ",
  ),
)
/** Characters that make up no thing by themselves. */
const FUNCTION_ZH = new Set(
  "的了不我你您他她它们是在有没能可以这那就都还也和与给把要会到后前时个为对吗呢吧啊呀请问好很太最更再又只才但而或如果因所被让将已从向于于上下里内外中来去出进过得着地之其此每各几多少大小新老先说看想用做办起来两三四五六七八九十一元号日月年天件条次点些么什怎谁哪为何及并由",
)
const COMMON_ZH = new Set(
  "订单 地址 退货 取消 确认 申请 账号 差价 没有 现货 发货 到货 送达 预计 收到 退款 商品 价格 标准 常规 时间 记录 修改 联系 人工 同事 尽快 处理 提交 登记 安排 补发 补偿 物流 运输 快递 包裹 质量 问题 拆封 食品 满意 客户 信息 提供 当前 本人 办理 下单 自己 原来 其他 别的 另外 优惠 目前 现在 已经 需要 理解 心情 透露 询问 无论 使用 收货 退换 换货 退回 原路 保持 任何 改动 原样 配送 寄回 寄出 送货 上门 自行 安装 抱歉 感谢 马上 立即 客服 页面 店里 仓库 版本 颜色 尺码 规格 数量 金额 费用 运费 付款 支付 电话 姓名 名字 手机 确实 决定 答应 保证 同意 质保 保修 一年 两条 裤子 衣服 耳机 键盘 台灯 饭盒 炸锅 吸尘 尘器 牛肉 肉干 黑色 白色 缺货 有货 断货 库存 商家 店铺 平台 方便 稍等 晚上 早上 上午 下午 今天 明天 昨天 后天 周末 直接 可能 应该 一样 不同 完好 未使 使用 影响 二次 销售 工作 部门 专员 经理 主管 回复 消息 通知 短信 催促 催了 帮您 正在 还在 途中 路上 延误 晚到 快点 开除 检查 店主 检测 清洗 产品 东西 顾客 买家 卖家 客人 对应 相关 情况 原因 办法 方式 帮忙 麻烦 谢谢 不好 意思 好的 是的 可以 加钱 加价 贵一 便宜 到账 退到 银行 账户 完成 成功 修好 维修 换新 新的 旧的 不要 保留 继续 单号 运单 查询 查到 显示 更新 最新 调货 断电 拔掉 电源 就医 烫伤 受伤 安全 换成 改成 同款 同样 非常 理当 当然 要求 回电 商品页 比价 别家 改价 补差 权限 破例 等级 佩戴 原定 无法 充电 姐姐 妹妹 哥哥 断电 掉了 一起 一共 总共 合计 里面 外面 上面 下面 附近 打算 考虑 喜欢 合适 适合 建议 选择 希望 知道 清楚 明白 了解 放心 辛苦 稍后 稍微 比较 特别 真的 其实 反正 毕竟 终于 赶紧 赶快 尽量 一下 一点 有点 差不多 不少 全部 所有 部分 每个 每天 重新 再次 再来 暂时 临时 准时 按时 及时 提前 推迟 延迟 超过 左右 以内 之内 之后 之前 以后 以前 期间 开始 结束 停止 关于 根据 按照 通过 负责 解决 回答 答复 咨询 购买 下单 拍下 买到 寄到 送到 发到 到家 到手 签收 拒收 打开 包装 盒子 袋子 瓶子 东西 样子 感觉 担心 着急 生气 满意 失望".split(
    " ",
  ),
)

/** The same as a pattern, the longer first: a pair across two of them is no word. */
const COMMON_WORDS_ZH = new RegExp([...COMMON_ZH].sort((one, other) => other.length - one.length).join("|"), "g")

/** States of goods that are told in words, each with what denies or wonders about it left out. */
const STATES: readonly RegExp[] = [
  /\bsold[- ]?out\b|\bout of stock\b|\bnot in stock\b|\bunavailable\b|\bno(?:ne)? (?:stock|left)\b|断货|缺货|没货|无货|售罄|卖完|卖光/i,
  /\b(?:already |been )(?:shipped|dispatched|sent out)\b|\bleft (?:your|the) warehouse\b|\b(?:is|it's) (?:already )?on (?:its|the) way\b|\bin transit\b|\bout for delivery\b|已经?(?:发货|发出|寄出)|在(?:路上|途中)|发出来?了/i,
  /\b(?:has ?n'?t|have ?n'?t|is ?n'?t|not)(?: been)?(?: even)? (?:shipped|dispatched|sent out|left)\b|还没(?:有)?(?:发货|发出|寄出|发呢|发吧)/i,
  /\b(?:was|were|been|got) delivered\b|已经?(?:送达|签收)|送达了|签收了/i,
  /\bsplash[- ]?(?:resistant|proof)\b|防水等级|防泼溅/i,
  /\b(?:no|not|aren'?t|can'?t be) (?:returnable|returned|refundable)\b|\bhygiene\b|不(?:能|支持|可以)退/i,
  /\b(?:a|your|the) (?:colleague|human|supervisor|manager) (?:has to|must|needs to|will have to|decides)\b|要人工|人工(?:同事)?来?决定/i,
  /\b(?:the way|same way|how) (?:it was|i) paid\b|\boriginal payment\b|原路(?:退|返)/i,
]
const SUPPOSES = /\b(?:if|in case|unless|whether)\b|如果|要是|万一|的话|有没有|是否/i

/** What stands only in the material of a case. */
export class Material {
  readonly #words: ReadonlySet<string>
  readonly #codes: ReadonlySet<string>
  readonly #pairs: ReadonlySet<string>
  readonly #all: string
  readonly #language: Language

  /** `texts`: the material. */
  constructor(texts: readonly string[], language: Language) {
    const spoken = texts.filter((text) => !/^\w+_\w+$|^https?:/.test(text))
    this.#all = spoken.join("\n")
    this.#language = language
    this.#words = new Set(englishWords(this.#all))
    this.#codes = new Set(codesOf(this.#all))
    this.#pairs = new Set(chinesePairs(this.#all))
  }

  /** The words of `sentence` that stand in the material, and not in `known` (lower case): what the buyer knows and has heard. */
  wordsOnlyHere(sentence: string, known: string, asking: boolean): string[] {
    const facts = lowerQuotes(sentence)
    const codes = codesOf(sentence).filter(
      (code) => this.#codes.has(code) && !known.includes(code) && !facts.some((quote) => quote.includes(code)),
    )
    if (this.#language === "en") {
      const words = englishWords(sentence).filter(
        (word) => this.#words.has(word) && !known.includes(stem(word)) && !(asking && isColor(word)),
      )
      return [...codes, ...words]
    }
    const options = factsOf(sentence).filter(({ kind }) => kind === "option")
    const pairs = chinesePairs(sentence).filter(
      (pair) => this.#pairs.has(pair) && !known.includes(pair) && !options.some(({ quote }) => quote.includes(pair)),
    )
    return [...codes, ...pairs]
  }

  /** The states that `sentence` tells of, which the material holds and `known` does not. `asking`: whether it wonders about them. */
  statesOnlyHere(sentence: string, known: string, asking: boolean): string[] {
    return STATES.flatMap((state, index) => {
      if (!state.test(this.#all) || state.test(known)) return []
      const clause = clauses(sentence).find((part) => state.test(part) && !SUPPOSES.test(part))
      if (clause === undefined || (asking && index > 0 && (!TAG.test(sentence) || /还没/.test(clause)))) return []
      return [state.exec(clause)?.[0] ?? ""]
    })
  }
}

/** A question that tells what it asks. */
const TAG =
  /\b(?:right|correct|isn'?t it|aren'?t they|hasn'?t it|doesn'?t it|no)\s*\?|(?:吧|对吧|是吧|对不对|是不是|没错吧|不是吗)\s*[?？]?\s*$/i

function clauses(sentence: string): string[] {
  return sentences(sentence).flatMap((part) => part.split(/[,，;；:：]|\b(?:but|so|and|then|because)\b/))
}

function englishWords(text: string): string[] {
  return (text.toLowerCase().match(/(?<![a-z\d])[a-z]{4,}(?![a-z\d])/g) ?? []).filter(
    (word) => !COMMON_EN.has(word) && !COMMON_EN.has(stem(word)),
  )
}

/** Whether a color is named, which anybody may ask for. */
function isColor(word: string): boolean {
  return factsOf(word).some(({ kind }) => kind === "option")
}

function lowerQuotes(sentence: string): string[] {
  return factsOf(sentence).map(({ quote }) => quote.toLowerCase())
}

/** Letters and digits in one, lower case: IPX5, 24l. */
function codesOf(text: string): string[] {
  return text.toLowerCase().match(/(?<![a-z\d-])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{3,}(?![a-z\d-])/g) ?? []
}

/** Without the endings that grammar asks for. */
function stem(word: string): string {
  return word.length > 5 ? word.replace(/(?:ing|ies|es|ed|s|y)$/, "") : word
}

function chinesePairs(text: string): string[] {
  return (text.replace(COMMON_WORDS_ZH, " ").match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2)).filter(
      (pair) => ![...pair].some((char) => FUNCTION_ZH.has(char)),
    ),
  )
}
