/*
 * Pairs of which only one side is true: words of one in the card, and of the other in a draft.
 */

export const OPPOSITES: readonly (readonly [card: RegExp, draft: RegExp])[] = [
  [
    /\btoo (?:small|tight|short)\b|\blarger\b|\bbigger\b|太小|小了|偏小|大的(?:饭盒|一个)|饭量大/i,
    /\b(?:way |much |far |a bit |a little |a tad )?too (?:big|large|loose|long|wide|huge|baggy|roomy|tall|heavy|bulky)\b|\bway bigger\b|\boversized?\b|\b(?:a |something |one )?smaller(?! (?:than|amount|problem|issue))\b|\bdownsiz|太大|大了|偏大|太长|太宽|太松|松(?:得|了|垮|松)|肥了|太肥|小(?:一)?点(?:的|儿)|小(?:一)?号的|换小|吃得少|饭量小|胃口小|吃不多|吃不了(?:那么|这么)多/i,
  ],
  [
    /\bnever used\b|\bunused\b|\bunopened\b|\bnot used\b|没用过|没拆|未拆|未使用|没穿过/i,
    /\bi(?:'ve| have)? (?:already )?(?:used|opened|worn|tried|wore)\b|\b(?:used|worn|opened|washed) (?:it|them) (?:a few|once|twice|several|for|every|already|many|daily|all)\b|\bbeen using\b|\b(?:make|made|brew(?:ed)?|cook(?:ed)?) (?:\w+ ){0,3}(?:with|in) it\b|\buse (?:it|the \w+(?: \w+){0,2}) (?:every|all|daily|each)|用了(?:几|一|两|好|很|不)|已经(?:用|拆|穿)|用过(?:几|一|两|好|了)|拆开(?:了|过)|穿过(?:了|几|一)|天天(?:都)?用|每天(?:都)?(?:在)?用|(?:炸|做|煮)(?:了|过)(?:几|一|两|好)/i,
  ],
  [
    /\bopened\b|拆了/i,
    /(?<!\b(?:the|any|even|other) )\bunopened\b(?! ones?)|(?<!\b(?:one|ones|rest|others?|that|which) (?:i |i've |i have )?)\b(?:never |not |haven'?t |didn'?t )open(?:ed)?\b(?! (?:ones?|package|box))|\bstill (?:sealed|in (?:the|its) (?:box|packag|wrap))|\bsealed\b|没拆(?!的)|未拆(?!的)|没开封(?!的)|未开封(?!的)|原封(?:没|未)动|没有拆/i,
  ],
  [
    /\bcrack|\bdamaged\b|\bbroken\b|\bsmok(?:ing|ed)\b|\bburn|裂|碎|破损|坏了|冒烟/i,
    /\b(?:perfect|good|great|fine|mint|pristine|excellent|flawless) (?:condition|shape|order)\b|\b(?:works?|working) (?:fine|perfectly|great|well)\b|\bnothing (?:is |was )?(?:wrong|broken|damaged)\b|(?<!\b(?:just|but|one|and|that's|that is|please) )\b(?:not|isn'?t|wasn'?t) (?:damaged|broken|cracked)\b|\bundamaged\b|\bintact\b|\bnot a scratch\b|\b(?:nobody|no one|not) (?:was |got |is )?(?:hurt|injured|burnt|burned)\b|\bi(?:'m| am) (?:totally |perfectly |completely )?(?:fine|unhurt|ok|okay)\b(?! with)|完好|没(?:有)?(?:坏|裂|破|碎|问题|损坏|受伤|伤到|冒烟)|一点(?:都|儿)?没(?:坏|事|裂)|好好的|质量很好|好用/i,
  ],
  [
    /\bnothing is wrong\b|\bdislikes?\b|\bdon'?t like\b|没坏|不好吃|不合口味|嫌太硬/i,
    /\b(?:it|they|one|which|both|all)(?:'s| is| was|'re| are| were| came| got)?(?: of (?:it|them))? (?:arrived |came |already )?(?:broken|damaged|defective|faulty|cracked|leaking|moldy|melted|dried out|expired|rotten|bad)\b|\bgot it damaged\b|\b(?:snapped|fell apart|stopped working|gone bad|went bad|smells? (?:bad|off|weird|rancid|funny))\b|\b(?:there'?s|there is|has|have|had) (?:a |some )?(?:defect|crack|mold|mould|hair)|\bgave me a (?:rash|reaction)\b|坏(?:了|的)|发霉|变质|破损|(?:有|是|就是)质量问题|漏了|馊|臭|长毛|过期|虫|变味|异味|太软|太甜|太辣|(?<!不)好吃|味道(?:不错|很好)|很(?:喜欢|爱吃)/i,
  ],
  [
    /\bdislikes the shade\b|\bdont like the shade\b/i,
    /\b(?:love|like|adore) the (?:shade|color|colour)\b|\b(?:shade|color|colour) (?:itself )?is (?:lovely|perfect|great|gorgeous|fine|nice)\b/i,
  ],
  [
    /\bstill no\b|\bsupposed to (?:be here|arrive)|\bnot (?:arrived|here)\b|\bwhere is my\b|还没到|没到|到哪/i,
    /\b(?:it|they|package|parcel|order|backpack|helmet|sk\d+)(?: has| have|'s)? (?:already |finally |just )?(?:arrived|came|was delivered|got here|showed up|turned up|is here)\b|\bi(?:'ve| have)? (?:already |just |finally )?(?:received|got) (?:it|them|my|the|sk\d+)\b|\b(?:came|arrived|got here|delivered) (?:today|yesterday|this morning|on time|early|last)|(?:已经?|刚|今天|昨天)?(?:收到|到货|送到|签收|拿到)了|已经(?:到|收)了|(?:昨天|今天|刚刚|早)就?到了/i,
  ],
  [
    /\btoo small\b|\breturn\b|\bsend back\b|退/i,
    /\b(?:i(?:'ll| will| want to| wanna|'d like to|'d rather)|let me|gonna|going to|rather|prefer to|decided to|happy to) keep (?:it|them|the|both|mine)\b|\b(?:don'?t|do not|not) (?:want|need|wish|plan) to (?:return|send)\b|\bno (?:need for a )?return\b|\bnot (?:return|send)ing\b|\bkeeping (?:it|them|both|the)\b|\bkeep (?:both|them both)\b|\b(?:hang|hold) (?:on )?(?:on)?to (?:it|them|both|the)\b|\b(?:stick|stay) with (?:it|them|the (?:tees|pair|two|one))\b|\b(?:glad|happy|grateful) to have (?:it|them)\b|\bgrown on me\b|\bthey fit (?:fine|well|great|perfectly|now)\b|我?(?:想|要|还是|决定)(?:留着|留下|自己留)|不(?:想|要|用|需要)?退(?:了|货)|舍不得退|都留/i,
  ],
  [
    /\bcancel\b|取消/i,
    /\b(?:don'?t|do not|not|never) (?:you dare )?(?:(?:want|need|wish|wanted|ask(?:ed)?) (?:it |this |to |you to )*)?cancel|\b(?:keep|want|still want|need) (?:the|my|this|that) order\b|\bkeep it\b|\bleave (?:the|my|this) order\b|\bleave it (?:as it is|alone|be|active)\b|\bi (?:really |still |do |definitely )+(?:want|need) (?:it|that|the|this|my)\b|\bi (?:want|need) (?:that|this|the|my) (?!refund|money|order number)\w+(?: \w+)?\s*(?:$|[,.!])|\bplease (?:ship|send|deliver) it\b|\bship it\b|\bcan'?t wait (?:for it|to (?:get|use|try|have))\b|\blooking forward to (?:it|getting|using|trying|the)\b|\bhurry (?:it )?up (?:with|and) (?:the )?(?:ship|send|deliver)|\bno cancell?ation\b|不(?:想|要|用|能|需要)?取消|别(?:给我)?取消|没(?:想|要|说)(?:过)?(?:要)?取消|(?:订单)?保留|(?:赶紧|尽快|快点|早点|抓紧|赶快)(?:发|送|寄)|(?:还|还是|就|真)(?:想)?要的|等着用|留着(?:用|吧)|继续发|正常发/i,
  ],
  [
    /\burgent\b|\bin a hurry\b|\basap\b|急|赶时间|等着用/i,
    /\bno (?:rush|hurry)\b|\bnot (?:urgent|in a (?:hurry|rush)|that urgent)\b|\b(?:isn'?t|ain'?t) urgent\b|\btake your time\b|\bwhenever (?:is|it|you|suits)\b|\bcan wait\b|\bi have (?:plenty of |all the )?time\b|\bdoesn'?t matter when\b|不急|不着急|不赶|慢慢(?:来|送|寄)|什么时候(?:都|到)(?:行|可以)|无所谓(?:时间|什么时候)|多久都(?:行|可以)|晚(?:点|几天)(?:也|都)?(?:行|没事|没关系|无所谓)/i,
  ],
  [
    /\bpatient\b|\bno rush\b|不急|不着急/i,
    /\burgent(?:ly)?\b|\basap\b|\bin a (?:hurry|rush)\b|\bright (?:now|away)\b|\bimmediately\b|\bneed it (?:by|today|tomorrow|now|this)\b|\b(?:can'?t|cannot) wait\b|\b(?:today|tomorrow|tonight|this week|this weekend|friday|monday) at the latest\b|\b(?:must|have to|has to|need to) (?:have|get|arrive|be here) (?:it )?(?:by|today|tomorrow|now|this)\b|\bi need (?:it|this) (?:really |very )?(?:fast|soon|quickly|badly)\b|(?<![不没别]|[不没别]着)(?:很急|急用|赶时间|急死|急得|急着|急需|着急|急急急|十万火急|等不(?:及|了|起))|马上就(?:要|得)|(?:今天|明天|今晚|马上|立刻|这两天|周末前|后天)(?:就)?(?:必须|一定|得|要)(?:要|拿|收|用|到|送)|必须(?:今天|明天|马上|立刻)/i,
  ],
  [
    /\bgift\b|送(?:人|礼|给)/i,
    /\b(?:just |only |they're |it's |its )?for (?:myself|me|my own)\b|\bnot a gift\b|\b(?:a )?treat (?:for )?myself\b|自己(?:用|穿|戴|吃)/i,
  ],
  [
    /\bcats?\b|猫/i,
    /\b(?:my|a|two|have) (?:dogs?|pupp(?:y|ies)|labrador|poodle)\b|\b(?:no|don'?t have(?: any)?) (?:cats?|pets?)\b|(?:我家|养|有|是)[^，。不没]{0,4}(?:狗|金毛|泰迪|柯基|哈士奇|拉布拉多|柴犬)|没(?:有)?(?:养)?(?:猫|宠物)|不养/i,
  ],
  [
    /\bswims?\b|\bswimming\b|游泳/i,
    /\b(?:never|don'?t|do not|can'?t|hardly|rarely) (?:ever |really |even )?(?:swim|go swimming|go to the pool)\b|\b(?:not|isn'?t) (?:really )?(?:into|a fan of|much of a) swim|\bhate (?:swimming|water|the pool)\b|\bafraid of water\b|(?:从不|从来不|不(?:会|爱|喜欢|怎么)?|没)游泳|旱鸭子|怕水/i,
  ],
  [
    /\b(?:has (?:just )?moved|i moved)\b|搬家|搬了|新地址/i,
    /\b(?:haven'?t|have not|didn'?t|did not|never|not) (?:even |actually |really )?mov(?:ed?|ing)\b|\b(?:same|old|previous|original) (?:address|place|home)\b(?! (?:was|anymore))|\bstill live\b|\bkeep the (?:old |same )?address\b|\b(?:don'?t|do not) change (?:the|my|it)\b|\baddress\b[^.!?]{0,24}\bstays? (?:as|the same)|没(?:有)?搬|还住(?:在)?|地址(?:没(?:有)?变|不(?:用|要)?(?:改|变|换))|不(?:用|要|想)?改(?:地址|了)|(?:还是|就(?!不)|寄)(?:(?!不会|不要|别)[^，。]){0,4}(?:老|旧|原来的?|原)地(?:址|方)/i,
  ],
  [
    /怕冷|加绒|feels the cold/i,
    /怕热|薄(?:款|的|一点)|太热|嫌热|(?<!这下|就|再也|终于)不怕冷(?!了)|不(?:要|用|想要)加绒|夏天穿/,
  ],
  [
    /\bdrinks a lot of coffee\b/i,
    /\b(?:never|don'?t|do not|hardly|rarely|quit|gave up|stopped)(?: really| even| ever)? (?:drink(?:ing)?|like|touch)?\s*coffee\b|\btea (?:person|drinker)\b|\bnot a coffee\b/i,
  ],
  [/爱吃零食/, /(?:不|从不|从来不|很少)(?:怎么)?(?:爱)?吃零食|(?:不喜欢|讨厌)零食|戒(?:了)?零食/],
  [
    /\brides\b/i,
    /\b(?:never|don'?t|do not|hardly|rarely|can'?t|stopped|gave up)(?: really| even| ever)? rid(?:e|ing)\b|\b(?:don'?t|do not) (?:have|own) a bike\b/i,
  ],
  [/\blikes the tee\b/i, /\b(?:hate|dislike|don'?t (?:really )?like|can'?t stand) (?:the|this|that|it)\b/i],
  [
    /\bhas bought another\b|\bfound a better one\b|已经买了别的|买重了/i,
    /\b(?:haven'?t|have not|didn'?t|did not) (?:bought|buy|found|find|got|get) (?:another|anything|one|any)|\bdon'?t have (?:another|one|a \w+ yet)\b|\bnot found\b|\btoo expensive\b|\btakes? too long\b|\bdon'?t like (?:the|its?)\b|\bonly one i have\b|还没(?:有)?买(?:别的|到)|没买别的|太贵|不喜欢|买错|发货太慢|质量(?:不|太)|就(?:买了|这)一(?:个|台|把)|没(?:有)?买重/i,
  ],
  [
    /\b(?:is )?not sure\b|\bundecided\b|记不清|拿不定/i,
    /\b(?:absolutely|completely|totally|100 ?%|one hundred percent|dead) (?:sure|certain|positive)\b|\b(?:know|remember) (?:it )?(?:for sure|exactly|for a fact|perfectly)\b|\bscreenshot\b|(?:百分(?:之)?百|100%|绝对|肯定)(?:没|是|记|确定)|记得(?:清清楚楚|很清楚|一清二楚)|截(?:了)?图/i,
  ],
  [
    /\bsame again\b|\bsame color\b|一样的/i,
    /\b(?:different|another|other) (?:colou?r|size|model)\b|\b(?:just |only |rather )?(?:want|like|prefer|give me|have) (?:my |the |a )?(?:money|refund)\b|\brefund me\b|\brather (?:have )?(?:the |a |my )?(?:money|refund)\b|\bnot the same\b|换(?:个|成|一个)?(?:别的|其他|另外)|退款(?:吧|就)|退钱|不要一样|直接退|(?:大|小)一(?:点|号)的/i,
  ],
  [
    /\bleaves without buying\b/i,
    /^(?!.*\b(?:if|match|same|off|for \d|at \d|then i)\b).*\b(?:i'?ll (?:take|buy|order) it|ordering (?:it )?now|(?:placed|place) the order|just ordered|add it to my cart)\b/i,
  ],
  [
    /\ba month ago\b|快一个月/i,
    /\b(?:bought|ordered|purchased|got) (?:it |this |them |the \S+(?: \S+)? )?(?:just )?(?:yesterday|today|last week|this week|on monday|\w+ days ago|a week ago|last year|\w+ years? ago|(?:two|three|six|\d) months ago|half a year)|(?:昨天|前天|上周|今天|刚刚?|去年|半年前)(?:才)?买/i,
  ],
  [/\bcurious\b|好奇/i, /\b(?:don'?t|do not) (?:really )?care\b|\bnot interested\b|不关心|不感兴趣/i],
  [
    /\bboth\b|两条/i,
    /\b(?:only|just) (?:return |send back |want to return )?(?:the )?one\b|\bkeep (?:one|the other)\b|只(?:想|要)?退一|退一条|一条就/i,
  ],
  [
    /\b(?:ten|fifty) dollars\b|\bfor the trouble\b|补偿|拿到\d+元/i,
    /\b(?:don'?t|do not) (?:want|need|care about) (?:any |your |the )?(?:money|compensation|credit|dollars)\b|\bkeep your money\b|不(?:要|用|需要|稀罕)(?:你们的?)?(?:补偿|钱|赔)|不差(?:这|那)/i,
  ],
  [
    /\bmy neighbou?r\b|我姐/i,
    /\b(?:it'?s|it is|that'?s|sk\d+ is) (?:actually )?my (?:own )?order\b|\bmy own order\b|\bi (?:placed|ordered) it myself\b|是我(?:自己)?(?:下的|的)单|我自己(?:买|下单?)的/i,
  ],
  [
    /\bsent (?:the \w+|it|them) back\b|退回去了/i,
    /\b(?:still have|haven'?t (?:sent|returned|shipped)|kept|never sent) (?:the|it|them)\b|还(?:在我(?:这|家)|没(?:有)?(?:退|寄))|没(?:有)?(?:退|寄)(?:回|出)/i,
  ],
  [
    /\bANC\b/,
    /\b(?:without|don'?t (?:need|want|care about)|do not (?:need|want)|not the) (?:the |any )?(?:anc|(?:active )?noise[- ]cancel\w*)\b|\bstandard (?:ones?|version|model)(?: is| are)?,? (?:please|is enough|enough|will do|without)\b/i,
  ],
  [/爱砍价/, /^(?!.*(?:同价|便宜|如果|要是|就)).*(?:我也?买|下单了|我拍了|原价买|直接买)/],
  [/\bhatchback\b/i, /\b(?:suv|truck|pickup|sedan|van|minivan|station wagon|convertible)\b/i],
  [/书很多/, /没(?:几|多少|什么)本?书|书(?:很|比较)?(?:少|不多)|不(?:怎么)?看书/],
  [
    /\boffice\b|寄到公司/i,
    /(?<!\bhome, )\b(?:not|instead of|rather than) (?:to )?(?:the|my) office\b(?!, right|\?)|\b(?:to|at) (?:my |the )?home (?:address )?(?:is )?(?:fine|better|instead|please)\b|(?:不|别)(?:要|用)?(?:寄|送)到?公司|(?:还是|就)(?:寄|送)(?:到)?家/i,
  ],
  [
    /\b3-pack\b/i,
    /\b(?:make it|to|into) (?:a |one )?single\b|\bordered the 3-pack\b|\bback to (?:a |the )?(?:single|one)\b/i,
  ],
  [/\bspoiler\b/i, /\b(?:no|without a|doesn'?t have a|not have a) spoiler\b/i],
]
