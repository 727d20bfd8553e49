import { Random } from "../src/core/random.ts"
import type { SearchDocument } from "../src/shop/search/engine.ts"

/**
 * Dense Chinese product texts and queries for measuring search alone: nothing is read from disk and nothing of a store is needed.
 * About 60 distinct tokens a product, a vocabulary that grows with the number of products, groups of very similar items.
 */

const words = (text: string): string[] => text.split(" ")

/** Domain, its groups, and under each group its kinds of goods. */
const TREE: readonly (readonly [string, string])[] = [
  ["家用电器›厨房电器", "电饭煲 破壁机 榨汁机 电磁炉 微波炉 电烤箱 洗碗机 养生壶 空气炸锅 电热水壶"],
  ["家用电器›环境电器", "空气净化器 加湿器 除湿机 电风扇 取暖器 扫地机器人 吸尘器 挂烫机"],
  ["数码产品›影音设备", "蓝牙耳机 头戴耳机 蓝牙音箱 投影仪 录音笔 收音机 麦克风 声卡"],
  ["数码产品›手机配件", "手机壳 钢化膜 充电宝 数据线 快充头 手机支架 无线充电器 自拍杆"],
  ["女装男装›上装", "连帽卫衣 针织衫 衬衫 短袖 风衣 羽绒服 牛仔外套 防晒衣"],
  ["女装男装›下装", "牛仔裤 休闲裤 运动裤 阔腿裤 半身裙 百褶裙 西装裤 打底裤"],
  ["鞋靴箱包›鞋子", "运动鞋 帆布鞋 马丁靴 凉鞋 拖鞋 高跟鞋 登山鞋 小白鞋"],
  ["鞋靴箱包›箱包", "双肩包 拉杆箱 斜挎包 钱包 手提包 腰包 旅行袋 电脑包"],
  ["美妆护肤›面部护肤", "面霜 精华液 爽肤水 洁面乳 面膜 眼霜 防晒霜 卸妆油"],
  ["美妆护肤›彩妆", "口红 粉底液 眼影盘 眉笔 睫毛膏 腮红 散粉 遮瑕膏"],
  ["食品饮料›休闲零食", "混合坚果 牛肉干 薯片 曲奇饼干 海苔 果干 巧克力 麻辣豆干"],
  ["食品饮料›粮油调味", "五常大米 橄榄油 酱油 火锅底料 挂面 燕麦片 蜂蜜 藜麦"],
  ["母婴用品›喂养用品", "奶瓶 吸奶器 恒温壶 辅食机 围兜 学饮杯 温奶器 消毒锅"],
  ["母婴用品›出行玩具", "婴儿推车 安全座椅 积木 爬行垫 早教机 平衡车 毛绒玩具 摇铃"],
  ["家居家装›家纺", "四件套 夏凉被 乳胶枕 毛毯 蚊帐 床垫 窗帘 抱枕"],
  ["家居家装›灯具收纳", "台灯 吸顶灯 落地灯 收纳箱 置物架 衣架 鞋柜 垃圾桶"],
  ["运动户外›健身器材", "瑜伽垫 哑铃 跳绳 跑步机 健腹轮 拉力器 泡沫轴 引体架"],
  ["运动户外›户外装备", "帐篷 睡袋 登山杖 折叠椅 头灯 骑行头盔 钓鱼竿 野餐垫"],
  ["文具图书›办公用品", "文件夹 中性笔 笔记本 订书机 计算器 便利贴 碎纸机 白板"],
  ["宠物生活›日用", "猫粮 狗粮 猫砂 喂食器 宠物窝 牵引绳 猫抓板 饮水机"],
  ["汽车用品›安全自驾", "行车记录仪 应急电源 车载充气泵 脚垫 座套 遮阳挡 香薰 洗车水枪"],
]
const TRAITS = words(
  "静音 节能 大容量 便携 可折叠 防水 耐磨 加厚 轻量 透气 速干 抗菌 防滑 可拆洗 多功能 智能 无线 快充 长续航 高清 降噪 恒温 预约 一键清洗 不粘 " +
    "宽松 修身 百搭 弹力 纯棉 保暖 复古 韩版 显瘦 滋润 控油 提亮 温和 清爽 保湿 低脂 无添加 独立包装 有机 手工 益智 防摔 柔软 亲肤 护眼 " +
    "可调光 免打孔 防尘 分层 承重 减震 专业 可调节 防雾 反光 顺滑 不透墨 大号 小户型 除臭 高蛋白 无谷 通用 记忆棉 夜视 停车监控",
)
const PROMISES = words(
  "颜值高 做工精细 质量好 手感好 操作简单 环保健康 安全材质 尺寸标准 收纳方便 不占地方 包邮 正品保证 七天无理由 全国联保 高性价比 易打理 送礼首选 耐用",
)
const STYLES = words(
  "新款 爆款 夏季 冬季 春秋 宿舍 家用 办公 户外 旅行 学生党 上班族 送女友 送男友 送爸妈 母亲节礼物 出租屋 新房 2024新款 2025新款 ins风",
)
const SHOPS = words("旗舰店 官方旗舰店 专卖店 海外旗舰店 优选店 工厂店 企业店")
const SYLLABLES = "安柏辰岱恩枫谷涵嘉凯岚美诺鹏琪锐森棠维熙雅泽卓亿佰弘晨迪尔曼莱伊格蓝茂宁欧润舒腾威夏优禾木子水石山川"
const COLORS = words(
  "黑色 白色 米白色 深灰色 雾霾蓝 牛油果绿 奶油色 酒红色 卡其色 香槟金 曜石黑 樱花粉 薄荷绿 焦糖棕 天空蓝 藏青色",
)
const SETS = words("单品 两件套 官方标配 豪华套装 套餐一 套餐二 套餐三 主机+配件包 送收纳袋 礼盒装 体验装")

interface Draft {
  readonly document: SearchDocument
  readonly kind: string
  readonly traits: readonly string[]
  readonly values: readonly string[]
}

function draft(seed: number, index: number): Draft {
  const random = new Random("search-corpus", seed, index)
  const [group, kinds] = random.pick(TREE)
  const kind = random.pick(words(kinds))
  // Each kind of goods knows its own dozen traits, so that items of one kind resemble each other.
  const own = new Random("kind", kind).sample(TRAITS, 12)
  const brandNumber = random.integer(0, 599)
  const brandRandom = new Random("brand", brandNumber)
  const brand = Array.from({ length: brandRandom.integer(2, 3) }, () => brandRandom.pick([...SYLLABLES])).join("")
  const traits = random.sample(own, random.integer(3, 5))
  const model = `${random.pick([..."ABEFKQTVX"])}${random.pick(["", "-"])}${random.integer(1, 899)}${random.pick(["", "s", "pro", "+", "Max"])}`
  const withModel = random.chance(0.35)
  const words_ = random.shuffle([
    brand,
    kind,
    ...traits.slice(0, 2),
    ...random.sample(STYLES, 2),
    ...(withModel ? [model] : []),
  ])
  const title = random.chance(0.5) ? words_.join("") : words_.join(" ")
  const attributes = [...traits, ...random.sample(PROMISES, random.integer(3, 5)), ...(withModel ? [model] : [])]
  const size = (): string =>
    random.pick([
      () => `${random.integer(1, 40) * 50}ml`,
      () => `${random.integer(1, 9)}.${random.integer(1, 9)}L`,
      () => `${random.integer(3, 24) * 10}*${random.integer(3, 24) * 10}cm`,
      () => `${random.integer(1, 2)}.${random.integer(1, 9)}x${random.integer(1, 3)}.0m`,
      () => `${random.integer(1, 12) * 100}g-${random.integer(1, 12) * 100}g`,
      () => `${random.integer(2, 24)}支/盒`,
      () => `${random.integer(1, 30)}000毫安`,
    ])()
  const values = [
    ...random.sample(COLORS, random.integer(1, 6)),
    ...random.sample(SETS, random.integer(1, 4)),
    size(),
    size(),
  ]
  return {
    kind,
    traits,
    values,
    document: {
      asin: String(500_000_000_000 + Math.floor(random.next() * 4e11)),
      title,
      brand: `${brand}${random.pick(SHOPS)}`,
      category: `${group}›${kind}`,
      attributes: attributes.join(" "),
      options: `容量 ${values.join(" ")} 颜色分类`,
      bullets: "",
    },
  }
}

/** `count` documents, one at a time; the same for the same seed. */
export function* searchCorpus(count: number, seed = 1): Generator<SearchDocument> {
  for (let index = 0; index < count; index++) yield draft(seed, index).document
}

export const QUERY_CLASSES = ["leaf", "leaf_attrs", "title", "instruction"] as const
export type QueryClass = (typeof QUERY_CLASSES)[number]

/** The `index`-th query of a class: a kind of goods, that with traits, a whole title, a shopper's sentence. */
export function searchQuery(queryClass: QueryClass, products: number, index: number, seed = 1): string {
  const random = new Random("search-query", seed, queryClass, index)
  const { kind, traits, values, document } = draft(seed, random.integer(0, products - 1))
  switch (queryClass) {
    case "leaf":
      return kind
    case "leaf_attrs":
      return [kind, ...random.sample(traits, random.integer(1, 3))].join(" ")
    case "title":
      return document.title
    case "instruction": {
      const wishes = random.sample([...traits, random.pick(PROMISES)], 3).join("、")
      const price = random.integer(2, 90) * 10
      return random.pick([
        `我想买一款${kind}，要求${wishes}，最好是${random.pick(values)}，预算不超过${price}元。`,
        `帮我找一个${wishes}的${kind}，规格选${random.pick(values)}和${random.pick(values)}，控制在${price}块钱以内，谢谢`,
        `想给家里添置${kind}，价位${price}上下，希望${wishes}。`,
      ])
    }
    default:
      return queryClass satisfies never
  }
}
