type Language = "zh" | "en"

/*
 * Events, people and belongings that a buyer tells of: a relative who bought it, a driver who dropped it, the voucher on its account. They
 * have no form of their own; they are told apart by a word that stands for a concrete thing, with a word that says that something was so.
 * What the card holds or the shop has said is left alone, and so are questions and what is only threatened or wished for.
 */

/** One class: `what` stands for the thing; the first group, else the whole, must be news. */
interface Class {
  readonly what: RegExp
  /** The sentence must hold this as well. */
  readonly with?: RegExp
  /** The sentence must not hold this. */
  readonly without?: RegExp
}

const KIN =
  "(?:(?:step|half|little|big|older|younger|twin)[ -]?)?(?:brother|sister|mom|mum|mother|dad|father|parents|wife|husband|son|daughter|kids?|child|children|cousin|uncle|aunt|nephew|niece|grand(?:ma|pa|mother|father|son|daughter)|girlfriend|boyfriend|fianc[eé]e?|roommate|flatmate|housemate|neighbou?r|friend|buddy|coworker|landlord|babysitter|nanny|assistant|secretary|teacher|doctor|dentist|vet|plumber|electrician|handyman|mechanic|trainer|coach|team ?mates?)s?(?:-in-law)?"
const PAST_EN =
  "(?:got|bought|ordered|paid|told|said|signed|took|received|opened|used|tried|returned|dropped|broke|saw|heard|called|rang|picked|gave|sent|recommended|complained|burn(?:ed|t)|tripped|wore|washed|put|found|ate|drank|watched|owns|has one|has the same|accepted|kept|left|threw|handed|delivered|knocked|refused|promised|confirmed|texted|emailed|phoned|mailed|noticed|warned|fell|hit|lost|cut|spilled|tore)"
const CARRIER_EN =
  "(?:(?:delivery |truck |van |your |their )*(?:drivers?|courier|mail ?man|mail carrier|postman|post office|carrier|delivery (?:guy|man|person|woman|lady)|fedex|ups|usps|dhl|royal mail|concierge|doorman|front desk|security guard))"
const PAST_ZH =
  "(?:说|讲|告诉|看见|看到|答应|打(?:了|过)?(?:个)?电话|代收|代签|签收|推荐|(?:买|收|签|拿|用|试|退|换|送|吃|穿|戴|摔|拆|弄|住|去|来|带|拍|付|下单|下)(?:了|过|的|完|坏|走))"

const EN: readonly Class[] = [
  {
    what: new RegExp(`\\b(?:my|our|a|the) (?:\\w+ )?(${KIN})\\b[^.!?]{0,40}?\\b${PAST_EN}\\b`, "i"),
    without: /\bwould|\bwill\b/i,
  },
  {
    what: new RegExp(
      `\\bmy (?:\\w+ )?(${KIN})\\b (?:also |really |always |just )?(?:wants|likes|loves|hates|uses|needs|has|says|thinks|is|lives|works|keeps)\\b`,
      "i",
    ),
    without: /\b(?:birthday|gift|present)\b/i,
  },
  {
    what: /\b(?:they|he|she|it|the other (?:store|shop|place|one))(?:'re| are| is)? (?:also |even )?(?:throw|includ|offer|giv|ship|deliver)\w*\b[^.!?]{0,30}\b(free)\b/i,
  },
  { what: new RegExp(`\\b(${CARRIER_EN})\\b[^.!?]{0,50}?\\b${PAST_EN}\\b`, "i") },
  {
    what: /\b(fire (?:department|brigade|truck|engine|service|fighters?)|fire(?:fighters?|men|man)|police(?:men|man)?|cops?|ambulance|paramedics?|hospital|emergency room|e\.?r\.?|surgery|urgent care|clinic|stitches|lawyer|attorney|solicitor|small claims|court|chargeback|my bank|credit card company|bbb|better business bureau|consumer (?:protection|agency|office|board|association)|ombudsman|trading standards|insurance|electrician|newspaper|reporter)\b/i,
    with: new RegExp(
      `\\b${PAST_EN}|\\b(?:was|were|came|told|filed|reported|contacted|opened|spoke|already|have|had|i've|is|are|says?|treated)\\b`,
      "i",
    ),
    without:
      /\b(?:i'll|i will|i am going|i'm going|gonna|going to|or (?:i|else)|should i|shall i|need to|have to|must|might|may|could|would)\b/i,
  },
  {
    what: /\b(visa|mastercard|master card|amex|american express|paypal|venmo|apple pay|google pay|klarna|cash ?app|zelle|debit card|credit card|checking account|bank account|gift card|store credit)\b/i,
    with: /\bmy|\bpaid|\bpay\b|\btake|\bcharge|\bput\b|\bsend|\bto\b|\bending|\bwith\b/i,
  },
  { what: /\b(ending (?:in|with|on) \d{3,4}|last four(?: digits)?)\b/i },
  {
    what: /\b(vouchers?|coupons?|(?:promo|discount|coupon|gift|voucher|referral)(?:tion)? codes?|gift cards?|reward points|loyalty (?:points|card|program|member)|my points|store credit|member(?:ship)?|premium|prime|vip|gold status|subscri(?:ber|ption|bed)|newsletter|rewards?|bonus|student discount|employee discount)\b/i,
    with: /\b(?:i have|i've|i had|i got|i'm|i am|my|use|used|using|apply|applied|on my|from (?:the|your|my)|since|redeem(?:ed)?|took|gave|get|with)\b/i,
    without:
      /\b(?:give|offer|send|want|would like|like|could|can|do you|is there|any|no|not|without|instead|get me|how about|what about)\b/i,
  },
  {
    what: /\b(?:i|we)(?:'ve| have|’ve)? (?:already |just |also |even )?(attached|took (?:some |a few |\w+ )?(?:photos|pictures)|called|phoned|rang|emailed|e-mailed|texted|messaged|faxed|visited|spoke (?:to|with)|talked (?:to|with)|chatted with|contacted|wrote (?:to|in)|written|filed|complained to|reported|posted|uploaded|mailed|shipped|sent)(?= |$)/i,
    without: /\bi(?:'ll| will)\b/i,
  },
  {
    what: /\b(?:you|they|he|she|someone|somebody|(?:your|the|a|some) (?:\w+ ){0,2}\w+)(?: guys| people)?(?:'ve| have| had)? (?:just |already |even |once |also )?(?:e-?mailed|texted|rang|phoned|called|messaged|contacted|wrote|mailed|notified|sms(?:'d|ed)|visited|knocked) (?:me|us|to me|back)\b/i,
  },
  {
    what: /\b(?:label|form|code|link|voucher|coupon|letter|leaflet|flyer|brochure|invoice|receipt|email|note|card|photo|picture|newsletter) (?:that )?(?:you|they|he|she) (?:guys )?(?:e-?mailed|sent|gave|mailed|texted|put|promised|wrote)\b/i,
  },
  {
    what: /\b(?:got|received|have|had|there (?:is|was)|came|find|found|see|saw) (?:a|an|the|your|this|another|two|three) (?:\w+ ){0,2}(e-?mail|text(?: message)?|sms|phone ?call|call|letter|voicemail|notification|notice|alert|confirmation|receipt|invoice|push message|flyer|slip|note|sticker|tracking update)\b/i,
  },
  {
    what: /\b(?:ordered|bought|purchased|got|had|returned|exchanged|cancelled|canceled) (?:\S+ ){0,6}?(?:from|with|at|in|through) (?:you|your|this (?:shop|store))\b/i,
    with: /\b(?:last|ago|before|in (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d|spring|summer|fall|autumn|winter)|already|since|earlier|previous|another|other|years?|months?|times|at your|christmas|died|broke)\b/i,
  },
  {
    what: /\b(?:my|the) (?:last|previous|other|earlier|old) (?:order|purchase|parcel|package|pair|delivery|return|refund)\b/i,
    without: /\baddress\b/i,
  },
  {
    what: /\blast (?:time|week|month|year|night|summer|winter|fall|autumn|spring|christmas|easter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b[^.!?]*\b(?:bought|ordered|got|had|paid|gave|fixed|sent|refunded|told|did|was|were|took|came|saw|called|credited|solved|helped|replaced|waived|happened|charged|approved)\b/i,
    without: /\bfeels? like\b/i,
  },
  {
    what: /\b(?:bought|ordered|got|had|paid|gave|fixed|sent|refunded|told|took|came|saw|called|credited|solved|replaced|waived|happened|charged|approved)\b[^.!?]*\blast (?:time|week|month|year|night|summer|winter|fall|autumn|spring|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
    without: /\bfeels? like\b/i,
  },
  {
    what: /\byour ([\w' ]{0,24}?\b(?:branch|outlet|showroom|location|flagship|pop-?up|booth|counter|retail store|physical store))\b/i,
  },
  {
    what: /\b(?:loyal|regular|long[- ]?time|returning|good|faithful|vip) customer\b|\bcustomer (?:for|since)\b|\b(?:been|shopped|shopping|ordering|bought|buying) (?:\S+ ){0,4}for (?:\w+ )?(?:years|months|ages)\b/i,
  },
  {
    what: /\b(dropped|fell|crushed|ruined|leak(?:ed|ing)|stain(?:s|ed)?|scratch(?:ed|es)?|dent(?:s|ed)?|shattered|exploded|caught fire|flooded|stolen|wrong (?:item|product)|torn|ripped|soaked|wet|mold(?:y)?|rust(?:ed|y)?|bent|chipped|melted|rattl(?:es|ing)|smell(?:s|ed)|rash|allergic|bleeding|blister(?:s|ed)?|scar|charred|soot|evacuated|thr(?:ew|own) (?:it |them |that )?(?:away|out)|signed for|wedding|birthday|anniversary|funeral|graduation|honeymoon|housewarming|baby shower|christening|marathon|triathlon)\b/i,
    without: /\b(?:if|in case|unless|hope|hopefully|don'?t want|will not|won'?t|would|could|might|never)\b/i,
  },
  {
    what: /\b(?:parcel|package|box|packaging|carton|envelope|bag|seal|lid|zipper|button|seam|screen|cable|handle|charger|manual) (?:\w+ )?(?:was|were|had|came|arrived|has been|is) (?:\w+ )?(open(?:ed)?|wet|crushed|torn|damaged|dented|empty|missing|broken|soaked|smashed|left|ripped|bent|stuck|loose|resealed)\b/i,
    without: /\b(?:if|in case|unless)\b/i,
  },
  {
    what: /\bi was (?:(?:away|abroad|travell?ing|sick|ill|in (?:the )?(?:hospital|\w+ for)|on (?:vacation|holiday|a (?:trip|business trip|plane|cruise))|out of town|out of the country|at (?:work|the doctor|my \w+)|laid up|stuck|moving)\b)/i,
  },
  {
    what: /\b(?:saw|watched|caught) (?:him|her|them|the (?:driver|courier|guy|man|woman)|it (?:fall|happen|drop|burn|break|leave))\b|\b(?:filmed|photographed|recorded (?:it|the|him|everything)|unboxing)\b|\bi(?:'ve| have)? (?:got )?(?:have )?(?:a |the |some |two |three )?(?:photos?|pictures?|videos?|screenshots?|proof|witness(?:es)?|recording|receipt) (?:of|to|that|from|here|saved|ready)\b/i,
  },
  { what: /\b(?:charged|billed) (?:me )?(?:twice|double|again|two times|three times)\b|\bdouble[- ]charged\b/i },
  {
    what: /\b(?:it|they|which|one|parcel|box|package|order)s? (?:came|arrived|showed up|turned up) (?:with(?:out)?|in an?|half|already|damaged|open|empty)\b/i,
  },
  { what: /\bonly (?:one|two|half)(?: of (?:them|the \w+))? (?:arrived|came|was|were|showed|fit)\b/i },
  { what: /\bpaid (?:for (?:it|them) |it |that )?(?:in|with|by|via|through|using) (?:my |an? )?(?!the way)\w+/i },
  { what: /\b(?:named|by the name of|(?:his|her|the guy's|their) name (?:was|is))\s+([a-z]+)\b/i },
  {
    what: /\b(broke|snapped|burst|tore|spilled|(?:won'?t|doesn'?t|didn'?t) (?:turn on|switch on|charge|heat(?: up)?|start))\b/i,
    without: /\b(?:if|in case|would|could|might|will|i'm broke)\b/i,
  },
  {
    what: /\bi (?:only |just |already |even )?(washed|wore|ironed|threw|cut|removed|assembled|installed|plugged|cleaned)\b/i,
  },
  { what: /\b(customs|import (?:tax|duty)|sales tax)\b/i },
  { what: /\b(fedex|ups|usps|dhl)\b/i, without: /\b(?:can|could|do|prefer|use)\b/i },
  { what: /\b(?:doorbell|security|ring|porch) (?:cam(?:era)?|footage|video)\b/i },
  {
    what: /\b(?:i|we) (?:also |already )?paid (?:\S+ ){0,3}(?:extra|express|shipping|insurance|deposit|priority|overnight|expedited|for (?:express|shipping|gift|overnight|priority|fast))\b/i,
  },
  { what: /\btracking (?:page|number|site|info\w*|app|link)? ?(?:says|said|shows|showed|has|claims)\b/i },
  {
    what: /\b(tik ?tok|instagram|facebook|youtube|influencer|podcast|radio|billboard|reddit|black friday|cyber monday|walmart|best buy|costco|rei|target|ikea|decathlon|macy'?s|nordstrom|sephora|ulta|kohl'?s|home depot|lowe'?s|amazon|ebay|etsy)\b/i,
    without: /\b(?:i'll|i will|gonna|maybe|might|could|rather|then i|going to)\b/i,
  },
]

const KIN_ZH =
  "(?:我|俺)?(?:表|堂|小|大|亲)?(?:教练|老师|医生|大夫|妈妈?|爸爸?|哥哥?|姐姐?|弟弟?|妹妹?|嫂子?|老公|老婆|爱人|对象|男朋友|女朋友|男友|女友|儿子|女儿|孩子|娃|闺女|室友|舍友|同学|朋友|闺蜜|邻居|同事|婆婆|公公|岳母|岳父|舅舅?|舅妈|叔叔?|阿姨|姑姑|奶奶|爷爷|外婆|外公|姥姥|姥爷|家人|家里人|亲戚|房东|领导|老板娘?|侄子|侄女|外甥|孙子|孙女)"
const CARRIER_ZH =
  "(?:快递(?:员|小哥|哥|大叔|师傅|站|点|柜|那边|公司)|派(?:件|送)员|配送员|送货(?:员|师傅|的人?)|骑手|外卖员|司机|驿站|菜鸟|丰巢|代收点|门卫|保安|物业|前台|传达室|收发室|站点|物流(?:公司|那边|员|客服))"

const ZH: readonly Class[] = [
  {
    what: new RegExp(`(${KIN_ZH})[^，。！？?!]{0,14}?${PAST_ZH}`),
    without: /帮我姐|可以吗|能不能|(?:给|送|帮|替|为)我?(?:妈|爸|姐|哥|弟|妹|老公|老婆|孩子|儿子|女儿|朋友|同事)/,
  },
  {
    what: new RegExp(
      `(${KIN_ZH})(?:[${"王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾"}][\\u4e00-\\u9fff]{1,2})`,
    ),
  },
  {
    what: new RegExp(
      `(${CARRIER_ZH})[^，。！？?!]{0,16}?(?:了|过|说|讲|打|给|当|让|放|摔|扔|送|签|同意|答应|联系|通知|拒)`,
    ),
    without: /(?:让|叫|催|请|麻烦|跟)(?:一下|下|你们的?)?(?:快递|派|配|送货|骑手|物流|驿站|司机)|能不能|可以.{0,6}吗/,
  },
  {
    what: /(消防|医院|住院|手术|急诊|救护车|报警|报了警|派出所|警察|律师|法院|起诉|12315|12345|消协|消费者协会|工商|市场监管|黑猫|媒体|记者|银行|保险|骨折|缝了|打石膏|留疤|起泡|植皮|包扎|挂号|诊断|体检|法医)/,
    with: /了|过|已|都|刚|前|在|时|说|打/,
    without:
      /(?:要|会|就|去|准备|打算|再不|不然|否则|是不是|该不该|要不要|需不需要)(?:打|找|去|报|投诉|起诉|告|上|联系|挂|叫)/,
  },
  {
    what: /(支付宝|微信(?:支付|零钱)|花呗|白条|信用卡|银行卡|储蓄卡|工行|招行|建行|农行|中行|云闪付|尾号|余额宝|微信(?:转|付)|账号[是：:])/,
    with: /我|付|打|退|用|转|扣|绑|账号/,
  },
  {
    what: /((?:口令|暗号|兑换|邀请|推荐|活动|专属|折扣|内部|员工|抵扣|促销)(?:码|价|折扣|卡)|(?:优惠|代金|抵用|满减|折扣|现金|购物|无门槛|新人)?券|优惠码|红包|积分|会员|vip|svip|满\d+减\d+|购物金|礼品卡|津贴|返现|老客户|老顾客|老用户|回头客|赠品|礼盒|定金|预付)/i,
    with: /我|用|有|抵|领|是|扣|减|账|送|当时|之前/,
    without:
      /给(?:我|个|张|点)|能不能|有没有|可不可以|送(?:我|个|点)(?:.*)?(?:吗|吧|呗)|要(?:个|张|点)|想要|发(?:我|个|张)|补(?:我|个|张)/,
  },
  {
    what: /我(?:之前|昨天|昨晚|前天|上午|早上|刚才|刚刚|已经|都|上次|上周|中午|下午|前两天|这两天)*(?:已经|都|就|还)?(?:打过|打了|发过|发了|联系过|联系了|找过|找了|问过|反映过|反映了|投诉过|投诉了|提交过|提交了|申请过|上传了|寄了|寄出|寄回|拍了(?:照|图|视频)|录了|预约了|加了)[^，。！？]{0,10}/,
    without: /截图(?:吗)?$/,
  },
  {
    what: /(?:客服|你们|有人|店家|卖家|经理|快递|店里|仓库|系统|平台|对方|对面|师傅)[^，。！？?]{0,10}(?:打(?:了|过|来)?(?:个)?(电话)|来电|发(?:了|过|来)?(?:条|个|封)?(?:短信|邮件|消息|微信|信息|链接|截图)|微信(?:里|上)|通知(?:我|了|过)|加(?:了)?我)/,
  },
  {
    what: /(?:收到|看到|接到|来了)(?:了|过)?(?:一?[条个封张])?(?:你们的?|快递的?|银行的?)?(短信|邮件|电话|通知|来电|消息提醒|推送|明信片|传单|小票|发票|取件码)/,
    without: /没(?:有)?(?:收|看|接)到/,
  },
  {
    what: /(?:上次|上个月|上上?周|上回|去年|前年|年前|过年|春节|双十一|双11|双十二|618|国庆|元旦|中秋|前阵子|前段时间|前几天|以前|之前)[^，。！？?]{0,14}(?:买|订|拍|下单|退|换|赔|补|给|用|坏|修|解决|处理|送|遇到|出|欠|漏|忘|少|错|寄|发|收|坑|来|答应|说)/,
    without: /按(?:之前|昨天)/,
  },
  {
    what: /(?:买|订|拍|用|退|换|赔|修|坏|送|解决|处理)[^，。！？?]{0,12}(?:上次|上个月|上周|上回|去年|前年|年前|双十一|双11|618)/,
  },
  {
    what: /((?:实体|线下|旗舰|分|门)店|专柜|专卖店|展厅|体验店|直播间|主播|抖音|小红书|淘宝|京东|拼多多|天猫|苏宁|唯品会|山姆|盒马|沃尔玛|迪卡侬|朋友圈|公众号|视频号|广告)/,
    with: /在|买|卖|送|看|说|里|上|了|刷|才/,
    without: /(?:那我|我就?|还是|不如|直接)(?:去|到|上)(?:京东|淘宝|天猫|拼多多|抖音)/,
  },
  {
    what: /(摔|砸|压(?:坏|扁|碎|变形)|泡水|进水|漏(?:水|电|气|液|油)|烧(?:了|坏|焦|黑|穿|糊|出)|炸(?:了|开)|爆炸|丢(?:了|件)|被偷|少(?:了|发)|发错|弄湿|湿了|湿透|霉|破了|破损|划(?:痕|伤)|掉漆|异味|臭味|怪味|过敏|拉肚子|吐了|中毒|褪色|起球|缩水|断(?:了|成|裂)|变形|生锈|松动|脱胶|开线|瘪|凹|串味|虫子?|头发|异物)/,
    without: /如果|要是|万一|的话|怕|别再|会不会|希望|别(?:摔|砸|压|弄)|小心/,
  },
  {
    what: /(出差|旅游|旅行|度假|住院|生病|发烧|在国外|国外|坐月子|隔离|年会|婚礼|结婚|生日|满月|聚会|聚餐|葬礼|毕业|面试|考试|比赛|加班|开会|回老家|老家)/,
    with: /要去|那天|那晚|那会|了|过|时候|前阵|穿|之前|昨|上|期间|才回|刚回/,
    without: /想|打算|准备/,
  },
  { what: /(?:当着我的?面|亲眼|监控|录像|视频为证|有照片|有视频|有截图|有录音|录音)/ },
  {
    what: /(?:多付|加付|另付|额外付|付)(?:了|过)?(?:运费|邮费|加急|保价|定金|差价|\d+)|加急(?:费|的)?|保价|运费险/,
    with: /我|付|买|了/,
    without: /能不能|可以.{0,4}吗|要(?:不要)?付|多少/,
  },
  {
    what: /((?:维修|修理|售后|服务|检测|专业)(?:店|点|站|网点|中心|部)|师傅|专家|鉴定|检测报告)/,
    with: /了|说|过|是|看/,
    without: /派|安排|叫|让|请|能不能|会不会/,
  },
  { what: /(\d{1,2}(?:楼|层|栋|幢|单元|号楼)|[\d一二三四五六七八九十]+(?:楼|层|栋|幢|单元)|\d{3,4}室)/ },
  {
    what: /(?:给|跟|向|找|在)(?:快递|物流|客服|你们|店家|商家|站点|平台)(?:公司|员|那边|这边)?[^，。！？]{0,6}(?:打|发|说|留|反映|投诉|联系|问|下)[^，。！？]{0,4}(?:了|过)/,
    without: /(?:上次|刚才)?跟你们说了吗/,
  },
  { what: /(?:花|付|交|掏)了[^，。！？]{0,6}(运费|邮费|快递费|手续费)/ },
  { what: /(说好)(?:了)?(?:的)?[^，。！？]{0,8}(?:到|送|发|给|退|赔|补)/ },
  { what: /(洗过|洗了|剪了|剪掉|扔了|丢掉|装好了|组装)/ },
  { what: /(双十一|双11|双十二|618|年货节|周年庆|店庆|大促|秒杀|拼团)/ },
  { what: /(顺丰|圆通|中通|申通|韵达|EMS|极兔|德邦|邮政|京东快递|菜鸟)/i, without: /能|可以|发顺丰|要/ },
  { what: /(发票抬头|抬头|税号)/ },
  {
    what: /(?:隔壁|楼下|楼上|对门)(?:的)?[\u4e00-\u9fff]{0,4}(?:也|都|说|买|看|家)|[王李张刘陈杨黄赵吴周](?:阿姨|叔叔?|姐|哥|大爷|大妈|奶奶)/,
  },
  { what: /(?:发|传|拍)给(?:你们|客服|店家|店里)(?:了|过)/ },
  {
    what: /(?:发|寄|送|改)到(?:我|你们)?([\u4e00-\u9fff\d]*?(?:小区|大厦|单位|学校|宿舍|前台|老家|娘家|医院|花园|公寓|写字楼))/,
  },
  { what: /(?:物流|快递|页面|官网|网页|系统)(?:上|里)?(?:显示|写着|写的|查到)/ },
]

/** What `sentence` tells of that `known` (lower case) does not hold: the words that tell it. `asking`: whether it is a question. */
export function storiesOf(sentence: string, language: Language, known: string, asking: boolean): string[] {
  const text = toldOf(sentence.replaceAll("’", "'"), asking)
  if (text === "") return []
  return (language === "en" ? EN : ZH).flatMap((one) => {
    const match = one.what.exec(text)
    if (match === null) return []
    const key = (match[1] ?? match[0]).toLowerCase()
    if (language === "en" ? hasWord(known, key) : known.includes(key)) return []
    if (one.with !== undefined && !one.with.test(text)) return []
    return one.without?.test(text) === true ? [] : [match[0]]
  })
}

/** What a sentence tells: of a question only what stands before it, if that is none itself. */
function toldOf(sentence: string, asking: boolean): string {
  if (!asking) return sentence
  const before = /^(.*)[,，;；]/s.exec(sentence)?.[1] ?? ""
  return WONDERS.test(before) ? "" : before
}
const WONDERS =
  /^\W*(?:(?:so|and|but|hey|hi|hello|ok|well)\W+)*(?:can|could|do|does|did|is|are|was|were|has|have|will|would|should|may|what|when|where|who|how|which|why|any)\b|吗|呢|是不是|能不能|有没有|几|多少|什么|哪|怎么/i

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word)
  if (at < 0) return false
  const isLetter = (char: string | undefined) => char !== undefined && /[a-z]/.test(char)
  return !(isLetter(text[at - 1]) || isLetter(text[at + word.length])) || hasWord(text.slice(at + word.length), word)
}
