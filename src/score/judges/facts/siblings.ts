/** Words that an option's name may hold in place of its own: of switches, of tastes, of makes. */
const COLORS =
  "red|blue|brown|green|black|white|silver|gold|golden|pink|purple|yellow|orange|gray|grey|clear|silent|speed|navy|beige"
const HAN: Readonly<Record<string, string>> = {
  轴: "红|茶|青|黑|白|银|黄|绿|粉|紫|蓝|静音红|静音",
  味: "原|椒盐|香辣|麻辣|微辣|甜辣|酸辣|奶香|奶油|蜂蜜|海苔|芥末|五香|抹茶|草莓|香草|巧克力|柠檬|番茄|烧烤|孜然|焦糖|咖喱|蒜香|咸蛋黄|芝士|蜜桃|白桃|葡萄|甜橙|苹果|薄荷|玫瑰|茉莉|桂花|海盐|黑糖|红糖|燕麦|芒果|榴莲|酸奶|坚果|盐焗",
  款: "标准|旗舰|豪华|基础|经典|升级|入门|尊享|普通|高配|低配|青春|专业|加厚|加绒|加长|薄|厚|短|长|宽松|修身|单人|双人|有线|无线|男|女|儿童|成人",
  版: "标准|旗舰|豪华|基础|经典|升级|入门|尊享|普通|高配|低配|青春|专业|加厚|国际|精装|平装|无线|有线|蓝牙",
  木: "胡桃|橡|榉|松|樱桃|白蜡|柚|乌金",
}

const WOODS = "walnut|oak|maple|cherry|pine|ash|beech|teak|mahogany|birch|ebony"

/**
 * What names of one kind with `name` look like, as a pattern: `brown switch` for `red switch`, US 10 for US 9, 茶轴 for 红轴. Undefined:
 * that cannot be told by the name.
 */
export function siblingPattern(name: string): string | undefined {
  if (/^\d+$/.test(name)) return undefined
  if (WOODS.split("|").includes(name)) return `(?<![a-z])(?:${WOODS})(?![a-z])`
  const han = /^([一-龥]{1,4})([一-龥])$/.exec(name)
  if (han !== null) {
    const others = HAN[han[2]!]
    return others?.split("|").includes(han[1]!) === true ? `(?:${others})${han[2]}` : undefined
  }
  const two = /^([a-z]+) ([a-z]+)$/.exec(name)
  if (two !== null)
    return COLORS.split("|").includes(two[1]!) ? `(?<![a-z])(?:${COLORS}) ${two[2]}(?![a-z])` : undefined
  if (!/^(?:[a-z]{1,3} ?)?\d[\d,.]*[ -]?(?:[a-z]{1,5}|[一-龥]{1,3})?$/.test(name) || /^\d[\d,.]*$/.test(name))
    return undefined
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const open = /^[a-z]/.test(name) ? "(?<![a-z])" : "(?<![\\d.,])"
  return `${open}${escaped.replace(/\d[\d,]*(?:\\\.\d+)?/, "\\d[\\d,]*(?:\\.\\d)?").replace(/ /g, " ?")}(?![a-z\\d])`
}
