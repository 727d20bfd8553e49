import type { Role } from "./roles.ts"

/** English words and phrases by role, separated by bars, in lower case. At every place of a text the longest phrase counts. */
export const ENGLISH_WORDS: { readonly [R in Role]?: string } = {
  not: `
    not | no | don't | dont | do not | doesn't | does not | won't | wont | will not | wouldn't | would not | can't |
    cant | cannot | can not | couldn't | never | nothing | none | shouldn't | should not | must not | mustn't |
    isn't | is not | aren't | are not | without | nobody | refuse to | rather not | prefer not to | not going to |
    hate to | avoid | not a penny | not a cent | not one cent | not a dollar | not a dime | ain't | nor | neither |
    not willing to | unwilling to | not looking to | not allowed to | may not | unable to | not able to | didn't |
    did not | nothing that | not anything`,
  greater: `
    over | above | exceed | exceeds | exceeding | more than | greater than | higher than | beyond | past |
    upwards of | upward of | north of | in excess of | surpass | surpasses | pricier than | more expensive than |
    costlier than | bigger than | larger than | go over | going over | goes over | went over | more | higher | > |
    better than | pass | dearer than | break | up over | steeper than | anything over | greater | steeper | costlier |
    pricier | more expensive | dearer | or over | or above | and over | and above | or more than`,
  less: `
    under | below | less than | lower than | cheaper than | fewer than | beneath | south of | short of | shy of | < |
    underneath | smaller than | less expensive than | less | cheaper | lower | not quite | just under | beat |
    less pricey than | or under | or below | and under | and below | or less than`,
  at_most: `
    at most | at the most | up to | maximum | max | max of | maximum of | max out at | maxes out at | maxed out at |
    maxing out at | top out at | tops out at | topping out at | not to exceed | capped at | capped | cap | cap of |
    cap at | cap it at | ceiling | ceiling of | limit | limit of | limit is | limited to | limited at | within |
    as much as | stretch to | stretch it to | stretch up to | go up to | go as high as | as high as |
    can only afford | only afford | only have | only got | afford | can afford | could afford | inside of | inside |
    upper limit | upper bound | upper limit of | hard limit | hard cap | absolute max | absolute maximum |
    absolute limit | absolute most | absolute tops | the most | most | outer limit | top dollar | highest |
    highest i'll go | the highest | threshold | <= | =< | ≤ | not past | push it to | bump it to | stop at |
    stops at | draw the line at | line at | at tops | no pricier than | bound | bounded by | max'd at | ≦`,
  at_least: `
    at least | at the least | minimum | minimum of | min | min of | starting at | starting from | starts at |
    starts from | start at | start from | starting | from | prices from | priced from | beginning at | no less |
    floor | floor of | lower limit | lower bound | >= | => | ≥ | at a minimum | at minimum | at the very least |
    not under | lowest | the lowest | a good | bare minimum | ≧`,
  within: `
    or less | or under | or below | or cheaper | or lower | or fewer | and under | and below | or better | or within |
    or less than that | or less expensive | or beneath | max or less | and down | or down`,
  limit: `
    max | maximum | tops | at most | at the most | limit | ceiling | cap | is my limit | is the limit | is my max |
    is the max | is my maximum | is the maximum | is the most | is as high as | is my ceiling | is my cap |
    is the cap | is the ceiling | absolute max | hard limit | hard cap | upper limit | and no more |
    not a penny more | not a cent more | and not a penny more | and not a cent more | and not more |
    absolute maximum | is all i have | is all i've got | is all i got | is all i can spend | is all i can afford |
    or bust | top dollar | at the very most | is tops`,
  above: `
    or more | or above | or up | or over | or higher | or greater | or upwards | or better | or more expensive |
    and up | and above | and over | and upwards | and upward | plus | + | upwards | upward | minimum | min |
    at least | at minimum | at a minimum | at the least | at the very least | or pricier | on up | upper | floor |
    or beyond | and beyond`,
  around: `
    around | about | roughly | approximately | approx | approx. | circa | near | nearly | close to | ballpark |
    ballpark of | in the neighborhood of | in the neighbourhood of | somewhere around | somewhere near |
    somewhere about | somewhere in the neighborhood of | more or less | give or take | say | almost | in the area of |
    in the vicinity of | in the region of | in the ballpark of | something like | ca | ~ | ≈ | ± | hovering around |
    hover around | like | maybe | perhaps | probably | an estimated | round about | in the ball park of |
    right around | right about | just about | just over | a bit over | a little over | slightly over |
    slightly above | a little above | a bit above | a little more than | a bit more than | slightly more than |
    just above | a little under | a bit under | somewhere round | approaching | thereabouts | on the order of |
    at around | at about | at roughly`,
  around_after: `
    or so | ish | -ish | or thereabouts | or there about | thereabouts | give or take | roughly | approximately |
    more or less | ballpark | approx | approx. | or around there | around there | or something | odd | -odd |
    or close to it | or close | -something | each way | plus or minus a bit | plus or minus`,
  soft: `
    ideally | preferably | prefer | i'd prefer | hoping for | hope | hoping | hopefully | best case | would like |
    i'd like | i'd love | like to | would be nice | target | targeting | aiming for | aim for | aiming | preferred |
    if possible | would be ideal | is ideal | would be great | would be perfect`,
  reject: `
    is too much | is too expensive | is too pricey | is too high | is too steep | too expensive | too much |
    too pricey | too rich for me | i'm not interested | not interested | is out | are out | is out of the question |
    out of the question | no thanks | forget it | won't work | doesn't work | is a no | is a no go | is a no-go |
    no go | no way | is off the table | off the table | is not an option | not an option | isn't an option |
    i'll pass | pass | skip it | skip | isn't happening | won't do | is overkill | is excluded | i'm out | exclude |
    excluded | count me out | is unacceptable | unacceptable | out of budget | is out of budget | out of my budget |
    is out of my budget | out of my price range | is out of my price range | not considered | isn't in the budget |
    is over budget | breaks the bank | don't bother | no deal | deal breaker | is a deal breaker | is a dealbreaker |
    dealbreaker | is a nope | nope`,
  enough: `
    is fine | is ok | is okay | works | will do | would do | is plenty | is enough | shipped | delivered | is good |
    is my budget | is the budget | is what i have | is what i've got | is what i can spend | is the target |
    is my target | is what i want to spend | is what i'd like to spend | in my pocket | in my wallet | to spare |
    in cash | in hand | on hand`,
  price: `
    budget | budget of | budget is | budget's | budgeted | budgeting | price | prices | priced | price tag |
    price point | price range | cost | costs | costing | retailing | retails | expense | outlay | allowance |
    asking price | listed at | listed for | final price | sale price | price after | ticket price | sticker price |
    priced at | budgeted at | payment | purchase price | price should | out the door | range`,
  spend: `
    spend | spending | spends | pay | paying | pays | willing to pay | willing to spend | looking to spend |
    shell out | fork out | fork over | invest | investing | sell | selling | sells | sold | i have | i've got |
    i got | have got | have | got | allotted | set aside | saved up | saved | run me | runs | set me back | bid |
    afford | i can do | can do | can swing | swing | splurge | splurging | goes for | going for | go for | allocated`,
  total: `
    total | in total | totals | totaling | totalling | altogether | all together | overall | all in | all-in |
    combined | grand total | total price | total cost | total budget | total of | for everything | for all of them |
    for the lot | for the set | for the whole set | for both | for the pair | for the whole thing | whole thing |
    sum | overall budget | overall price | in all | all told | for all | everything | entire order | the whole order |
    entire budget`,
  per: `
    per | each | every | monthly | weekly | yearly | annually | per piece | each one | hourly | daily | unit price |
    price per | cost per | individually`,
  per_after: `
    apiece | a piece | a pop | a month | a week | a year | a day | a night | a pound | an ounce | a yard | a foot |
    a person | a head | a bottle | a pack | a can | a bag | a box | a sheet | a roll | a unit | a dozen | a pair |
    a set | a serving | a cup | a meter | a metre | a kilo | a kg | a liter | a litre | a gallon | a square foot |
    a square yard | a square meter | a session | a plate | a lb | a sq ft | an item | a tile | a bar | a jar |
    a stick | a bulb | a stem | a card | a page | a print | a seat | a ticket | a shot | a gram | a mile | a minute |
    an hour | a quart | a case | a carton | a tube | a slice | a share | the pound | the yard | the ounce |
    the dozen`,
  past: `was | were | used to be | used to cost | used to sell for | had been`,
  deposit: `
    deposit | deposit of | down payment | down payment of | installment | installments | instalment | instalments |
    installments of | instalments of | monthly payment | monthly payments | monthly payments of | payments of |
    payment of | upfront | up front | prepay | prepayment | prepayment of | security deposit | initial payment |
    initial payment of | financing at | financed at | finance it at | finance | lease | rent | rental | put down |
    layaway | weekly payments of | first payment of | retainer | retainer of | advance payment | advance of |
    advance payment of | lay away`,
  deposit_after: `
    deposit | down | down payment | upfront | up front | installments | installment | instalments | instalment |
    monthly payments | monthly payment | payments | payment | security deposit | prepayment | prepaid | in advance |
    to start | retainer | initial payment | today | now and the rest later | first | holding fee | to hold it |
    to reserve it | lease | rent | payment plan | hold`,
  other_money: `
    off | coupon | coupons | coupon for | discount | discounts | discount of | save | savings | saves | saving |
    rebate | rebate of | gift card | gift cards | gift card for | store credit | cashback | cash back | promo |
    voucher | vouchers | free shipping | orders | orders over | order over | purchases | purchases over |
    purchase of | orders of | purchase over | originally | original price | original price of | normally | regularly |
    regular price | regular price of | list price | list price of | msrp | msrp of | retail price | retail price of |
    retail value | retail value of | usually | last time | last year | previously | before it was | previous one |
    my old one | old one | i paid | valued at | marked down from | down from | reduced from | regular | earn |
    earning | i earn | i make | make | salary | salary of | income | income of | wage | wages | i'm making |
    paycheck | fees | fee | shipping fee | shipping cost | shipping costs | delivery fee | fine | membership |
    membership fee | subscription | refund | refund of | bonus | won | prize | jackpot | raise | denomination |
    denominations | warranty | insurance | insured for | owe | owes | debt | donate | donation | loan | rewards |
    competitor | neighbor paid | friend paid | credit | face value | price drop of | price difference of | drops by |
    dropped by | reduced by | bought | bought one for | paid | purchased | cost me | got it for | last month |
    last week | competitor's price`,
  other_money_after: `
    off | coupon | coupons | discount | gift card | gift cards | giftcard | voucher | vouchers | rebate | credit |
    store credit | cashback | cash back | cheaper | in savings | savings | bill | bills | shipping fee |
    delivery fee | fee | coins | coin | back | promo | promo code | bonus | salary | income | an hour | tip | note |
    notes | value | retail value | msrp | more expensive | amazon gift card | in rewards | in points | in coupons |
    in credit | refund | reward | rewards | last year | last month | last week | last time | ago | yesterday |
    before | back then | at another store | elsewhere | shipping | delivery | shipping cost`,
  dimension: `
    weight | weighing | weighs | weigh | height | width | length | depth | size | sizes | sized | age | ages | aged |
    capacity | battery | battery life | screen | speed | pages | calories | resolution | wattage | voltage | model |
    model number | version | level | rated | rating | ratings | reviews | review | stars | diameter | thickness |
    thick | tall | wide | long | holds | holding | fits | fit | seats | seat | supports | support | lasts | lasting |
    last | lasted | playtime | storage | memory | ram | thread count | count | quantity | qty | pack | packs |
    pack of | box of | set of | case of | bundle of | bag of | distance | temperature | degrees | volume | noise |
    quieter | louder | brighter | lumens | dpi | refresh rate | latency | delay | warranty | year | made in |
    release | released | vintage | no. | grade | grades | kids | kid | children | child | toddlers | toddler |
    adults | adult | people | teens | teen | boys | girls | boy | girl | months | years | spf | iphone | galaxy |
    pixel | series | gen | generation | gb | tb | waist | inseam | chest | bust | neck | sleeve | heel | carat |
    proof | abv | horsepower | torque | psi | caliber | gauge | ply | denier | chapter | part | item | isbn | zip |
    born | turns | turning | turn | she's | he's | they're | over the age of | bike | gear | gears | settings |
    colors | modes | for ages | star | runs for | works for | delivers in | arrive in | arrives in | ship in |
    ships in | deliver in | fewer`,
  currency: `
    $ | us$ | us $ | c$ | ca$ | a$ | au$ | usd | us dollars | u.s. dollars | dollar | dollars | buck | bucks | ¥ |
    rmb | cny | yuan | £ | € | eur | euro | euros | gbp | quid | smackers | smackeroos | smackaroos | greenbacks |
    clams | cad | aud | hkd | simoleons | canadian dollars | american dollars | usd$`,
  cents: `cent | cents | ¢`,
  to: `to | - | -- | through | thru | until | till | up to`,
  tilde: `~`,
  and: `and | &`,
  between: `
    between | from | somewhere between | in between | anywhere between | anywhere from | ranging from | range of |
    in the | ranging between | ranges from`,
  between_after: `range | price range | bracket | ballpark range | area | neighborhood`,
  times: `x | × | * | by`,
  slash: `/`,
  plus: `+`,
  or: `
    or | or else | or even | otherwise | either | alternatively | or alternatively | or over | or above | or under |
    or below | or more than | or less than`,
  either_way: `
    either works | both work | would both work | both would work | works too | is fine too | would work too |
    either is fine | either one | both are fine | both fine | both okay | both ok | either way | is ok too |
    is okay too | also works | also ok | also okay | also fine | is also fine | as well | could also work |
    too is fine | are both fine | are both ok | are both okay | would also work | is also ok | would be ok too |
    would be fine too | either would work | either | whichever`,
  open: `
    no object | not an object | isn't an object | not an issue | isn't an issue | no issue | not a problem |
    isn't a problem | no problem | not a concern | isn't a concern | no concern | of no concern | not important |
    isn't important | unimportant | irrelevant | immaterial | doesn't matter | does not matter | don't matter |
    doesnt matter | not matter | no matter | not a factor | isn't a factor | no factor | not a consideration |
    flexible | is flexible | open | wide open | is open | unlimited | is unlimited | limitless | infinite | no limit |
    no limits | not limited | isn't limited | no constraint | not a constraint | isn't a constraint | no barrier |
    not a barrier | no obstacle | is whatever | up to you | you decide | not worried | be damned | not relevant |
    isn't relevant | makes no difference | no consequence | of no consequence | secondary | an afterthought |
    not the issue | isn't the issue | isn't everything | of no importance | not set | not fixed | undecided |
    no ceiling | without limit | without limits | bottomless | unrestricted | uncapped | not capped | isn't capped |
    no cap | no upper limit | not a deal breaker | anything goes | doesn't bother me | is meaningless |
    take a back seat | takes a back seat | can be anything | could be anything | may be anything | is anything |
    none | n/a | not applicable | doesn't really matter | is up to you | is not something i care about |
    isn't something i care about | not something i'm worried about | isn't something i worry about |
    not something i worry about | is not a worry | all over the place is fine | as high as you want |
    as high as needed | can go anywhere | no worries | no bother`,
  open_before: `
    any | unlimited | regardless of | regardless of the | irrespective of | whatever | whatever the | no matter |
    no matter the | no matter what | don't care about | dont care about | do not care about | don't care | dont care |
    do not care | don't mind | do not mind | couldn't care less about | not worried about | not concerned about |
    not concerned with | not fussed about | not bothered by | not bothered about | ignore | ignore the | ignoring |
    disregard | forget | forget about | never mind | nevermind | not picky about | not picky on | not looking at |
    not considering | not sensitive to | without regard to | without considering | not bound by | no fixed | no set |
    no specific | no particular | no strict | no firm | no real | no hard | not sticking to | at any | infinite |
    limitless | open | flexible | not thinking about | not watching | don't worry about | do not worry about |
    unconcerned about | unconcerned with | indifferent to | pay no attention to | doesn't matter what |
    does not matter what | doesn't matter how much | i'm not counting | don't look at | not limited by |
    not constrained by | not restricted by | not tied to | no need to worry about | don't factor in | unrestricted`,
  lacks: `
    no | without | don't have | do not have | haven't got | not have | there's no | there is no | have no | has no |
    with no | without any | zero | don't have any | not | lack | lacking | haven't set | have not set | isn't any |
    there isn't | there isn't any | didn't set | never set | don't really have | got no`,
  limit_word: `
    limit | limits | limitation | limitations | cap | ceiling | constraint | constraints | restriction |
    restrictions | max | maximum | bound | bounds | upper limit | requirement | requirements | preference |
    preferences | boundary | in mind | to worry about | concerns | range | threshold | barrier | worries`,
  matter: `
    issue | concern | problem | matter | matters | object | factor | important | consideration | constraint |
    consequence | obstacle | barrier | worry | worries | relevant | care | bother | bothered | deciding factor |
    dealbreaker | big deal`,
  money: `
    money | cash | expense | cost | how much it costs | how much i spend | how much i pay | what it costs |
    what i spend | what i pay | price tag | funds | expenses | pricing | dollars | how expensive | how pricey |
    how much it is | how much | spending | what the price is | what it'll cost | what it will cost |
    how much it'll cost | how much that costs | how much they cost | what they cost`,
  any_amount: `
    any amount | whatever it costs | whatever it takes | whatever they cost | whatever that costs | whatever amount |
    no matter what it costs | at any cost | at any price | at all costs | no matter how much | as much as it takes |
    as much as needed | however much | however expensive | no matter how expensive | any price | any cost |
    however much it costs | any budget | whatever you charge | name your price | whatever price | all price points |
    all price ranges | any price range | any price point | all budgets | all prices | every price |
    every price range | all price range`,
  unlimited: `
    money is no object | money's no object | money no object | price no object | cost no object | budget no object |
    expense no object | no expense spared | spare no expense | sparing no expense | sky's the limit |
    sky is the limit | the sky's the limit | the sky is the limit | money to burn | blank check | blank cheque |
    whatever it costs | whatever it takes | no budget limit | no price limit | no spending limit | unlimited budget |
    unlimited funds | cost be damned | price be damned | price is no object | cost is no object | any price |
    any amount | at any cost | at any price | no matter the cost | no matter the price | regardless of cost |
    regardless of price | regardless of the price | regardless of the cost | no budget | i don't have a budget |
    i have no budget | no set budget | money isn't a problem | money isn't an issue | don't care how much |
    don't care what it costs | as much as it takes | go all out | pull out all the stops | deep pockets |
    no limit on price | no limit on budget | no limit on cost | no limit on what i'll spend | no limit on spending |
    no limit to the price | no limit to what i'll pay | no cap on price | no cap on spending | without a budget |
    carte blanche | i'm rich | open budget | open-ended budget | happy to pay whatever | price is whatever |
    open checkbook | open chequebook | no upper limit | there is no limit | there's no limit | no limit |
    pay whatever | spend whatever | pay anything | spend anything | pay any price | pay whatever it costs |
    pay what it takes`,
  fill: `
    the | a | an | of | is | be | being | it | this | these | those | should | must | would | could | can | may |
    might | will | go | get | i | i'm | im | i'd | i'll | my | our | we | we're | you | me | us | just | only |
    please | keep | keeping | stay | staying | stays | stayed | need | needs | want | wants | anything | something |
    any | really | definitely | absolutely | strictly | set | here | there | it's | that's | price's | well | way |
    now | currently | comes | come | coming | end | ending | looking | look | looks | lookin | hoping | trying | try |
    okay | ok | fine | all | has | had | having | are | do | does | did | been | one | ones | whatever | also | too |
    still | going | gonna | wanna | put | puts | putting | be at | interested in | comfortable | comfortable with |
    comfortable paying | comfortable spending | able | able to | able to spend | willing | happy | happy to |
    personally | probably | mid | low | high | line | mark | figure | number | full | final | entire | whole | ' | " |
    : | ,000 | see | show | showing | let's | lets | let | aim | land | falls | fall | falling | lands | sits | sit |
    comfortably | firm | strict | hard | exactly | solid | flat | cool | crisp | cold | measly | mere | whopping |
    them | they | allowed | allow | got | am | items | priced at | right | more like | after discount |
    after the discount | after discounts | with the discount | with discount | after coupon | after coupons |
    after the coupon | with coupon | with coupons | with a coupon | after tax | before tax | with tax |
    including tax | including shipping | with shipping | shipping included | tax included | after taxes |
    before taxes | after shipping | plus tax | plus shipping | incl shipping | incl tax | after rebate |
    including taxes | before shipping | absolute | very | ($) | (usd) | anyway | per se | sort of | kind of |
    no later`,
  preposition: `for | with | on | in | if | when | which | to | at | as | that | on a | who | so | then | what`,
  verb: `
    buy | find | get | buying | find me | get me | purchase | grab | shop | shopping | shopping for | looking for |
    search | recommend | show me | send | order | ordering | give me | pick | choose | want | need | like | love |
    hunt | hunting | score | bring | help`,
  break: `
    , | ; | ( | ) | [ | ] | … | but | however | although | though | yet | except | while | whereas | because | since |
    because it's`,
  stop: `. | ! | ?`,
  correction: `
    no wait | wait no | wait | oops | scratch that | i mean | i meant | correction | make that | sorry | my mistake |
    rather make it | actually make it | actually no | or rather | change that to | strike that | let me rephrase |
    never mind that`,
  than: `than`,
}
