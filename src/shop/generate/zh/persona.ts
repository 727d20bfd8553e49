import type { Json, JsonObject } from "../../../core/json.ts"
import { Random } from "../../../core/random.ts"
import type { Shopper } from "../shopper.ts"

const REGIONS = [
  ["浙江省", "杭州市", ["西湖区", "余杭区", "滨江区"]],
  ["广东省", "深圳市", ["南山区", "龙岗区", "宝安区"]],
  ["四川省", "成都市", ["武侯区", "锦江区", "双流区"]],
  ["湖北省", "武汉市", ["洪山区", "江岸区", "武昌区"]],
  ["江苏省", "苏州市", ["姑苏区", "吴中区", "昆山市"]],
  ["山东省", "济南市", ["历下区", "市中区", "槐荫区"]],
  ["陕西省", "西安市", ["雁塔区", "未央区", "碑林区"]],
  ["湖南省", "长沙市", ["岳麓区", "天心区", "雨花区"]],
  ["河南省", "郑州市", ["金水区", "中原区", "二七区"]],
  ["辽宁省", "沈阳市", ["和平区", "铁西区", "浑南区"]],
  ["福建省", "厦门市", ["思明区", "湖里区", "集美区"]],
  ["云南省", "昆明市", ["五华区", "盘龙区", "官渡区"]],
] as const
const CHANNELS = ["应用商店", "微信小程序", "朋友邀请", "短视频广告", "搜索引擎", "线下门店"]
const AGES = ["18-24岁", "25-29岁", "30-34岁", "35-39岁", "40-49岁", "50岁以上"]
const LEVELS = ["低消费", "中低消费", "中等消费", "中高消费", "高消费"]
const MEMBERSHIPS = ["普通会员", "银卡会员", "金卡会员", "铂金会员"]
const HOURS = ["07:00-09:00", "12:00-13:30", "18:00-20:00", "20:00-22:00", "21:00-23:30"]
const DEVICES = ["安卓手机", "iPhone", "平板电脑", "Windows电脑"]
const PAYMENTS = ["支付宝", "微信支付", "银行卡", "分期付款"]
const TAGS = [
  "爱比价",
  "新手爸妈",
  "租房一族",
  "学生党",
  "养猫",
  "加班族",
  "周末户外",
  "囤货达人",
  "看重售后",
  "喜欢尝新",
  "家有老人",
]
const OTHER_SEARCHES = ["抽纸", "手机壳", "拖鞋", "数据线", "垃圾袋", "电影票", "快递袋", "雨伞", "挂钩", "电池"]
const PLACEHOLDERS = ["暂无", "未知", "-", "待补充"]

const NOISE = { idSeparator: 0.08, placeholder: 0.12, misplacedTransactions: 0.05, missingPart: 0.05, reasoning: 0.15 }

/** A shopper's profile in ShopSimulator's fields, with the faults such profiles have, each in a small share. */
export function chinesePersona(shopper: Shopper, random: Random): Json {
  const person = new Random("person-zh", shopper.key)
  const deals = transactions(shopper, random)
  const behaviour = behaviourOf(shopper, random)
  const misplaced = random.chance(NOISE.misplacedTransactions)
  const persona: JsonObject = {
    用户ID: `U${String(person.integer(1, 99_999_999)).padStart(8, "0")}${random.chance(NOISE.idSeparator) ? random.pick(["_", "-", "|"]) : ""}`,
    注册时间: dateTime(person, 2016, 2024),
    注册渠道: person.pick(CHANNELS),
    地区信息: region(person),
    人口属性: {
      性别: person.pick(["女", "男"]),
      年龄段: person.pick(AGES),
      消费等级: person.pick(LEVELS),
      会员等级: person.pick(MEMBERSHIPS),
    },
    行为特征: misplaced ? { ...behaviour, 交易特征: deals } : behaviour,
    ...(misplaced ? {} : { 交易特征: deals }),
    兴趣偏好: interests(shopper, random),
    用户标签: person.sample(TAGS, person.integer(2, 4)),
    最后更新时间: dateTime(random, 2025, 2025),
  }
  if (random.chance(NOISE.missingPart)) delete persona[random.pick(["注册渠道", "用户标签", "地区信息"])]
  if (random.chance(NOISE.reasoning)) {
    persona.__reasoning__ = `从最近的搜索和收藏看，该用户想买${shopper.request.noun.bare}。`
  }
  return persona
}

function region(person: Random): JsonObject {
  const [province, city, districts] = person.pick(REGIONS)
  return { 省份: province, 城市: city, 区县: person.pick(districts), 时区: "Asia/Shanghai" }
}

function behaviourOf({ request, hidden }: Shopper, random: Random): JsonObject {
  const { bare, brand } = request.noun
  const hints = [
    ...hidden.options.map(({ spoken }) => `${spoken}${random.pick(["", " "])}${bare}`),
    ...hidden.attributes.map(({ text }) => `${text}的${bare}`),
  ]
  const searches = random.shuffle([...hints, bare, ...random.sample(OTHER_SEARCHES, random.integer(1, 2))])
  const values = hidden.options.map(({ axis, spoken }) => `${bare}（${axis}：${spoken}）`)
  return {
    日均浏览时长: `${random.integer(8, 95)}分钟`,
    近7天访问次数: random.integer(2, 40),
    活跃时间段: random.sample(HOURS, random.integer(1, 2)),
    常用设备: random.sample(DEVICES, random.integer(1, 2)),
    最近14天搜索关键词: searches,
    最近14天收藏商品: placeholderOr(random, [...values, random.pick(OTHER_SEARCHES)]),
    最近14天加购商品: placeholderOr(
      random,
      values.length > 0 && random.chance(0.5) ? values : [random.pick(OTHER_SEARCHES)],
    ),
    最近14天关注店铺: placeholderOr(random, brand === "" ? [] : [`${brand}旗舰店`]),
  }
}

function transactions({ price }: Shopper, random: Random): JsonObject {
  const average = Math.round((price ?? 120) * (0.6 + random.next()))
  const orders = random.integer(2, 40)
  return {
    近30天消费金额: `${Math.round((average * orders) / 3)}元`,
    近90天订单数: orders,
    平均客单价: `${average}元`,
    复购率: `${random.integer(5, 60)}%`,
    支付方式偏好: random.sample(PAYMENTS, random.integer(1, 2)),
    优惠券使用率: `${random.integer(0, 90)}%`,
    是否促销敏感: random.pick(["是", "否"]),
  }
}

function interests({ request, category, hidden }: Shopper, random: Random): JsonObject {
  const nodes = category.split("›").map((node) => node.trim())
  const wanted = [
    ...hidden.attributes.map(({ text }) => text),
    ...hidden.options.map(({ axis, spoken }) => (random.chance(0.5) ? spoken : `${axis}偏好${spoken}`)),
  ]
  return {
    类目偏好: [...new Set([nodes.at(-1) ?? "", nodes[0] ?? ""])].filter((node) => node !== ""),
    品牌偏好: placeholderOr(random, request.noun.brand === "" ? [] : [request.noun.brand]),
    商品属性偏好: random.shuffle([...wanted, random.pick(["包邮", "好评多", "发货快", "质量好", "性价比高"])]),
  }
}

/** `values`, or what a form holds that nobody filled in. */
function placeholderOr(random: Random, values: string[]): Json {
  if (values.length === 0) return random.chance(0.5) ? [] : random.pick(PLACEHOLDERS)
  return random.chance(NOISE.placeholder) ? random.pick(PLACEHOLDERS) : values
}

function dateTime(random: Random, from: number, to: number): string {
  const two = (value: number) => String(value).padStart(2, "0")
  const date = `${random.integer(from, to)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`
  return `${date} ${two(random.integer(0, 23))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`
}
