/** Chinese words that make the number before them a count, a size or a date, not an amount of money. */
const CHINESE =
  "斤 公斤 千克 克 两 吨 毫克 微克 磅 盎司 升 毫升 公升 加仑 米 厘米 毫米 微米 分米 公分 公里 千米 里 英里 尺 英尺 寸 英寸 码 平 平米 平方 平方米 立方 立方米 亩 度 摄氏度 瓦 千瓦 伏 伏特 安 毫安 毫安时 赫兹 兆 兆赫 帕 千帕 兆帕 牛 牛顿 分贝 流明 勒克斯 烛光 " +
  "年 年款 年代 新款 新品 新版 新 春夏 秋冬 夏季 冬季 春季 秋季 春款 夏款 秋款 冬款 月 个月 月份 周 星期 个星期 日 号 天 晚 夜 小时 个小时 钟头 分钟 分 秒 点 岁 周岁 岁半 世纪 季度 学期 个 只 支 枝 条 包 袋 盒 箱 瓶 罐 桶 双 套 件 台 部 辆 张 片 本 册 枚 颗 粒 颗粒 人 个人 口 位 名 层 档 色 款 代 倍 折 级 星 楼 座 门 匹 目 节 " +
  "核 丝 针 股 次 遍 根 抽 卷 提 串 组 排 孔 键 轴 把 棵 株 朵 束 头 匹马力 马力 副 对 盘 碟 碗 杯 壶 勺 筒 管 贴 帖 剂 粒装 只装 支装 片装 包装 盒装 瓶装 袋装 件装 件套 个装 双装 条装 块装 斤装 连包 卡位 卡 像素 万像素 线程 线 速 转 挡 页 字 句 篇 集 季 章 期 种 样 类 门课 节课 " +
  "厘 毛孔 纱支 支纱 股纱 网 床 户 间 室 厅 家 所 队 班 组装 道 面 屏 幅 版 尊 盏 顶 扇 滴 撮 圈 步 份 格 区 段 阶 维 仓 拼 插 孔位 位数 口味 周年 周岁半 个赞 好评 人份 人用 人位 人座 座位 座 联 轮 缸 缸位 环 公里数 米长 米宽 米高 寸屏 升装 升级 路 块装 块拼图 块积木 分之 成 成新 流 毫 斗 担 钱重 卡路里 大卡 千卡 焦耳 毫秒 帧 倍率 度电 k金 " +
  "元素周期 号线 号色 号电池 号码 度角 米深 折起 次方 平方厘米 平方英尺 平尺 英亩 公顷 海里 节车厢 条裤子 成人 周龄 天内 日内 年内 天后 日后 年前 天前 层楼 用户 订单 条评论 个评价 人评价 个评论 人付款 人收货 万毫安 万转 万次 万里 种颜色"
const ENGLISH =
  "lb lbs pound pounds oz ounce ounces kg kgs kilo kilos kilogram kilograms g gram grams mg ton tons inch inches ft feet foot cm mm meter meters metre metres m km mile miles yard yards gallon gallons gal liter liters litre litres l ml quart quarts qt pint pints watt watts w kw volt volts v amp amps ah mah hz khz mhz ghz gb tb mb mp megapixel megapixels px p dpi fps db decibels lumen lumens " +
  "degree degrees year years yr yrs month months week weeks day days night nights hour hours hr hrs minute minutes min mins second seconds ms people person persons guests adults kids children pack packs pk pcs pc piece pieces count ct sheet sheets bag bags bottle bottles box boxes pair pairs set sets item items unit units color colors colour colours star stars percent pct carat carats karat page pages " +
  "ply tier tiers drawer drawers shelf shelves seater seats seat speed speeds gear gears button buttons key keys port ports panel panels cup cups serving servings slice slices slot slots player players channel channels core cores thread tc size sized sq square cubic cu amps bit bits gen generation edition mph rpm psi hp cal calorie calories kcal btu ingredients ingredient of reviews review ratings rating " +
  "installments payments times time points questions recipes plants candles mugs chairs tables lights bulbs outlets burners jars cans rolls towels pillows shirts socks pens pencils books cards stickers balloons plates bowls forks spoons knives glasses tiles panels hooks hangers wipes tablets capsules pills gummies servings teabags pods refills batteries cells ft. in. oz. lbs. lb. hours-long-term yo y/o yr-old year-old month-old old blade blades quarter quarters figure figures digit digits mile-range something-year-old gsm denier inchers incher footer pounder k-cups"

interface MeasureTable {
  readonly words: ReadonlySet<string>
  readonly longest: number
  readonly initials: ReadonlySet<string>
}
const CHINESE_TABLE = table(CHINESE)
const ENGLISH_TABLE = table(ENGLISH)

function table(words: string): MeasureTable {
  const set = new Set(words.split(" "))
  const longest = Math.max(...[...set].map((word) => word.length))
  return { words: set, longest, initials: new Set([...set].map((word) => word[0]!)) }
}

/** The Chinese measure word at `at` of a folded text, the longest that fits. */
export function chineseMeasureAt(text: string, at: number): string | undefined {
  if (!CHINESE_TABLE.initials.has(text[at] ?? "")) return undefined
  for (let length = CHINESE_TABLE.longest; length > 0; length--) {
    const word = text.slice(at, at + length)
    if (word.length === length && CHINESE_TABLE.words.has(word)) return word
  }
  return undefined
}

/** Whether the English `word` behind a number makes it a measure. */
export function isEnglishMeasure(word: string): boolean {
  return ENGLISH_TABLE.words.has(word)
}
