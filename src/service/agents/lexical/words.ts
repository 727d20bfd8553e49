/** What the lexical agent listens for and what it says. A change of any of it changes its version. */

export type Intent =
  | "person"
  | "cancel"
  | "address"
  | "exchange"
  | "return"
  | "compensation"
  | "orders"
  | "whereabouts"
  | "price"
  | "stock"
  | "product"

/** Tried in this order: what needs a person comes first, what is about goods last. */
export const INTENTS: Readonly<Record<"zh" | "en", readonly (readonly [Intent, RegExp])[]>> = {
  zh: [
    ["person", /人工|真人|经理|主管|投诉|律师|起诉|报警|12315|冒烟|着火|起火|触电|烫伤|受伤|过敏|爆炸/],
    ["cancel", /取消|不想要了|不要了|退掉订单/],
    ["address", /地址|改寄|寄到|送到/],
    ["exchange", /换货|换成|换个|换一|改成.{0,6}(?:色|码|版|款|容量|L)|改(?:颜色|尺码|版本|容量)|发错/],
    ["return", /退货|退款|退回|想退|能退|要退|退了/],
    ["compensation", /赔|补偿|补贴|红包|破损|坏了|碎了|延误|迟迟|太慢|晚到|超时/],
    ["orders", /哪些订单|所有订单|我的订单|几个订单|订单列表/],
    [
      "whereabouts",
      /到哪|物流|快递|什么时候.{0,2}(?:到|发)|何时.{0,2}(?:到|发)|几号(?:到|发)|发货了?(?:吗|没)|还没(?:到|发|收)|单号|订单.{0,8}(?:状态|进度|情况)/,
    ],
    ["price", /多少钱|价格|价钱|优惠|便宜|打折|折扣|券|降价|比价/],
    ["stock", /有货|现货|库存|缺货|还有(?:吗|没)|补货|剩/],
  ],
  en: [
    [
      "person",
      /\b(?:human|real person|manager|supervisor|complaint|lawyer|sue|police|smok(?:e|ing)|fire|shock|burn(?:t|ed)|injur|allerg|explod)/i,
    ],
    ["cancel", /\bcancel|don'?t want (?:it|them|the order) any ?more/i],
    ["address", /\baddress\b|\b(?:ship|send|deliver) (?:it|them|my order) to\b/i],
    ["exchange", /\bexchange|\bswap|\bchange\b.{0,24}\b(?:to|for|into)\b|\bwrong (?:size|colou?r|item|version)/i],
    ["return", /\breturn|\brefund|\bsend (?:it|them) back|\bmoney back/i],
    ["compensation", /\bcompensat|\bdamaged|\bbroken|\bcracked|\bvoucher|\bcredit\b|\blate\b|\bdelay|\boverdue/i],
    ["orders", /\b(?:my|all|which) orders\b|\border (?:list|history)\b/i],
    [
      "whereabouts",
      /\bwhere(?:'s| is| are)? (?:my|the|is)\b|\btrack|\barriv|\bshipp?(?:ed|ing)?\b|\bdeliver(?:y|ed)\b|\bstatus\b|\bwhen (?:will|does|do)\b/i,
    ],
    [
      "price",
      /\bprice|\bcost|\bhow much|\bdiscount|\bcheaper|\bcoupon|\bsale\b|\bmatch\b|\bhono(?:u)?r\b|\d+(?:\.\d\d)?\b.{0,30}\bright\?|% off/i,
    ],
    ["stock", /\bin stock|\bavailab|\bsold out|\brestock|\bleft\b|\bdo you (?:still )?have\b/i],
  ],
}

export const YES = {
  zh: /^\s*(?:好|行|可以|是|对|嗯|确认|同意|没问题|麻烦|请|办吧|就这样)/,
  en: /^\s*(?:yes|yep|yeah|ok|okay|sure|please|go ahead|confirm|correct|right|that'?s fine|do (?:it|that))\b/i,
}
export const NO = {
  zh: /^\s*(?:嗯+|额|那)?(?:不|别|先不|算了|等等|等一下)/,
  en: /^\s*(?:h+m+,? |oh,? |ok(?:ay)?,? )?(?:no|nope|don'?t|do not|wait|stop|never mind|hold on|not now|keep it)\b/i,
}

/** Words that name no product. */
export const STOP: ReadonlySet<string> = new Set(
  (
    "a an the and or of for in on to is are was be it its this that these those i im you your my me we us our he she they them do does did " +
    "can could would will may might not no yes hi hello hey please thanks thank how much many what whats when where which who why any some " +
    "have has had get got one ones also so too very more most than then there here with without at as if but by from price cost costs " +
    "stock available order size color colour version new old now today tomorrow news just only about up out off ok okay"
  ).split(" "),
)

/** Where a new address begins. */
export const ADDRESS = {
  zh: /(?:地址(?:改成|改到|改为|换成|是|为)|改到|改成|改为|换成|寄到|送到|寄给)[:：\s]*(.{6,})$/s,
  en: /(?:address (?:is|to)|address of \S+ to|deliver (?:it|them|my order) to|ship (?:it|them|my order) to|send (?:it|them|my order) to|change (?:it|the address) to|instead to|to this address)[:\s]+(.{6,})$/is,
}

export const SAY = {
  zh: {
    hello: "您好，请问有什么可以帮您？您可以告诉我商品名称或订单号。",
    which: (ids: readonly string[]) => `您名下有这些订单：${ids.join("、")}。请问是哪一个？`,
    noOrders: "这个账号名下没有订单。",
    notYours: "抱歉，我只能处理当前账号本人的订单，无法提供或修改其他订单的任何信息。",
    ticket: "我已经为您登记，人工同事会尽快联系您。",
    refused: (why: string) => `抱歉，系统不允许这样操作（${why}）。`,
    kept: "好的，没有做任何改动。",
    cannot: {
      shipped: (id: string) => `订单${id}已经发出，不能再取消或修改。收到后7天内未使用可以申请退货。`,
      delivered: (id: string) => `订单${id}已经送达，不能再取消或修改。`,
      cancelled: (id: string) => `订单${id}已经取消。`,
    },
    done: {
      cancel_order: (id: string) => `订单${id}已取消，已付款项会原路退回。`,
      change_address: (id: string) => `订单${id}的收货地址已修改。`,
      change_item: (id: string) => `订单${id}的规格已更换。`,
      request_return: (id: string) => `订单${id}的退货申请已提交，收到商品后退款。`,
      request_exchange: (id: string) => `订单${id}的换货申请已提交。`,
    },
    ask: {
      cancel_order: (order: string) => `您要取消${order}，款项原路退回。请回复"确认"，我就为您办理。`,
      change_address: (order: string, to: string) =>
        `您要把${order}的收货地址改为：${to}。请回复"确认"，我就为您办理。`,
      change_item: (order: string, to: string) => `您要把${order}换成${to}。请回复"确认"，我就为您办理。`,
      request_return: (order: string) => `您要退回${order}。请回复"确认"，我就为您提交退货申请。`,
      request_exchange: (order: string, to: string) => `您要把${order}换成${to}。请回复"确认"，我就为您提交换货申请。`,
    },
    newAddress: "请把完整的新地址（姓名、电话、地址）发给我。",
    newOption: (options: string) => `请问要换成哪一个？可选：${options}。`,
    status: {
      unpaid: (id: string) => `订单${id}还没有付款。`,
      paid: (id: string, on: string) => `订单${id}已付款，还没有发货${on === "" ? "" : `，预计${on}送达`}。`,
      shipped: (id: string, on: string, carrier: string) => `订单${id}已由${carrier}发出，预计${on}送达。`,
      delivered: (id: string, on: string) => `订单${id}已于${on}送达。`,
      cancelled: (id: string) => `订单${id}已经取消。`,
    },
    order: (id: string, items: string, total: string) => `订单${id}（${items}，合计${total}）`,
    price: (what: string, price: string) => `${what}的价格是${price}。`,
    range: (what: string, from: string, to: string, options: string) =>
      `${what}的价格是${from}到${to}，规格有：${options}。请问您要哪一种？`,
    stock: (what: string, count: number) => `${what}有货，现有${count}件。`,
    soldOut: (what: string, on: string) => `${what}目前缺货${on === "" ? "，没有到货时间的记录" : `，预计${on}到货`}。`,
    details: (what: string, text: string) => `${what}：${text}。`,
    noProduct: "抱歉，店里没有找到这样的商品。",
    noDiscount: "价格以商品页为准，我不能另外打折。",
    money: (amount: string) => `${amount}元`,
    list: "、",
    options: (values: readonly string[]) => values.join(" "),
  },
  en: {
    hello: "Hello, how can I help? Please tell me the product or the order number.",
    which: (ids: readonly string[]) => `These are your orders: ${ids.join(", ")}. Which one do you mean?`,
    noOrders: "There are no orders under this account.",
    notYours:
      "I'm sorry, I can only help with orders of this account. I cannot share or change anything about other orders.",
    ticket: "I have noted this for a human colleague, who will get back to you soon.",
    refused: (why: string) => `I'm sorry, the system does not allow that (${why}).`,
    kept: "All right, nothing has been changed.",
    cannot: {
      shipped: (id: string) =>
        `Order ${id} has left already, so it cannot be cancelled or changed. Unused goods can come back within 7 days of delivery.`,
      delivered: (id: string) => `Order ${id} has been delivered, so it cannot be cancelled or changed any more.`,
      cancelled: (id: string) => `Order ${id} has been cancelled already.`,
    },
    done: {
      cancel_order: (id: string) => `Order ${id} is cancelled; what was paid goes back the way it came.`,
      change_address: (id: string) => `The address of order ${id} has been changed.`,
      change_item: (id: string) => `Order ${id} has been changed.`,
      request_return: (id: string) => `The return of order ${id} is open; the refund follows when the goods arrive.`,
      request_exchange: (id: string) => `The exchange for order ${id} is open.`,
    },
    ask: {
      cancel_order: (order: string) => `I would cancel ${order} and refund it the way it was paid. Shall I go ahead?`,
      change_address: (order: string, to: string) =>
        `I would change the address of ${order} to: ${to}. Shall I go ahead?`,
      change_item: (order: string, to: string) => `I would change ${order} to ${to}. Shall I go ahead?`,
      request_return: (order: string) => `I would open a return for ${order}. Shall I go ahead?`,
      request_exchange: (order: string, to: string) => `I would exchange ${order} for ${to}. Shall I go ahead?`,
    },
    newAddress: "Please send me the whole new address with name and phone.",
    newOption: (options: string) => `What would you like instead? There is: ${options}.`,
    status: {
      unpaid: (id: string) => `Order ${id} has not been paid yet.`,
      paid: (id: string, on: string) =>
        `Order ${id} is paid and has not been shipped yet${on === "" ? "" : `; it is expected on ${on}`}.`,
      shipped: (id: string, on: string, carrier: string) =>
        `Order ${id} is on its way with ${carrier} and expected on ${on}.`,
      delivered: (id: string, on: string) => `Order ${id} was delivered on ${on}.`,
      cancelled: (id: string) => `Order ${id} has been cancelled.`,
    },
    order: (id: string, items: string, total: string) => `order ${id} (${items}, ${total} in total)`,
    price: (what: string, price: string) => `The price of ${what} is ${price}.`,
    range: (what: string, from: string, to: string, options: string) =>
      `${what} costs ${from} to ${to}, depending on the options: ${options}. Which would you like?`,
    stock: (what: string, count: number) => `${what} is in stock; there are ${count}.`,
    soldOut: (what: string, on: string) =>
      `${what} is sold out${on === "" ? ", and no date is on record for more" : `; more are expected on ${on}`}.`,
    details: (what: string, text: string) => `${what}: ${text}.`,
    noProduct: "I'm sorry, I could not find such a product in this store.",
    noDiscount: "Prices are as shown on the product page; I cannot give a discount.",
    money: (amount: string) => `$${amount}`,
    list: ", ",
    options: (values: readonly string[]) => values.join(", "),
  },
} as const
