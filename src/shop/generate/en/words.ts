import type { Product } from "../../product.ts"
import type { Sayable } from "../shopper.ts"
import type { AttributeForm } from "../vocabulary.ts"

/** Things that are sold, by their last word. */
const THINGS = new Set(
  `adapter amplifier antenna armchair backdrop background backpack bag band bands bar bars bathrobe bed bedding bench bin binoculars
  blanket blazer blender blinds blouse blouses book bookcase bookshelf boots bottle bottles bowl box boxes bra bracelet bras brush
  brushes butter cabinet cable cables cake camera camcorder candle candles candy cap cardigan case cases chair chairs chandelier
  charger cheese chips chocolate cleaner cleanser clip clock coat coffee collar comb computer concealer conditioner container
  containers controller cookie cookies costume couch cover covers cream crackers cup cups curtain curtains cushion cushions deodorant
  desk desktop dispenser dock doll drawers dress dresser dresses drink drone earbuds earphones earrings earpiece extensions extension
  eyeliner eyelashes eyeshadow fan faucet figure filter flats floss flosser flowers footrest foundation fragrance frame fryer furniture
  futon gel glasses gloves granola gum hairpiece hammock handbag hat headboard headphones headset heels helmet hoodie hoodies humidifier
  jacket jackets jeans jerky jewelry jumpsuit keyboard kit knife lamp laptop lashes leggings lens light lights lingerie lipstick liner
  loafers lotion loveseat makeup mascara mask mat mats mattress microphone microscope mirror mix monitor mount mouse mouthwash mug
  nails necklace nightgown nightstand noodles nuts oil ottoman organizer oven pad pads pajamas palette pan pants partition pen pencil
  perfume phone picture pillow pillows pitcher player polish polo pomade popcorn poster pot powder prints printer projector protector
  protectors puff pullover purse rack razor receiver recliner remote remover rice ring robe robes romper router rug rugs salt sandals
  sauce sausage scale scarf sconce scrub scrubber seasoning serum server set shampoo shaver sheet sheets shelf shelves shirt shirts shoes
  shorts sideboard skirt sleepwear slippers smartwatch snack snacks sneakers soap socks sofa soup soundbar speaker speakers sponge spray
  stand stickers stool stools strap straps straw straws subwoofer suit sugar sunglasses sunscreen sweater sweaters sweatshirt swimsuit
  switch syrup table tables tablet tank tea tee telescope thermometer tights toner toothbrush toothbrushes toothpaste toothpicks topper
  toppers tops towel towels toy trainer tray tree tripod trousers tumbler tv tweezers umbrella underwear vanity vase vest wallet wardrobe
  watch wax webcam whitening wig wigs wine wipes wrap yogurt t-shirt t-shirts tshirt shoe clogs joggers sweatpants overcoat comforter quilt
  bedspread coverlet placemat placemats flour color dye jar jars mousse footstool pouf trunk beans pasta bread salmon spice spices dip
  crisps vacuum projector hairspray essence blinds bookend sectional daybed bandana beanie scrunchies headband necklaces keychain
  lantern bulb bulbs sprayer humidifier masks sandal boot slipper sneaker swimwear tankini bikini tunic cami camisole`.split(
    /\s+/,
  ),
)
/** Words that say too little of a thing by themselves: `comforter set`, `gift box`. */
const VAGUE = new Set(
  "set kit box case cover covers bag bags holder stand frame mix bar bars pack cream oil color dye spray".split(" "),
)
/** Words that belong to the thing when they stand right before it: `floor lamp`, `usb cable`. */
const BELONGING = new Set(
  `accent air area baby bar bath bathroom beach bean beard bed bluetooth body bookshelf bunk cake cell coaxial coffee computer cosmetic
  cupcake cutting dental desk dining dog dress dressing end ethernet eye face facial fire floor foot gaming gift hair hand hdmi ice
  intercom jewelry kitchen lace lip loafer lounge lunch makeup massage nail office patio pendant phone photo photography pillow picnic
  pet power protein rain running salon screen security sea shower side ski sleep snow soundbar sport storage sun swim tea throw tooth
  travel tv usb vanity video wall water wedding window yoga zip`.split(/\s+/),
)
/** Ways to say what a thing is, is made of, or has. */
const QUALITIES: Readonly<Record<Exclude<AttributeForm, "plain">, string>> = {
  is: `waterproof|water[- ]resistant|wireless|portable|lightweight|adjustable|organic|gluten[- ]free|vegan|kosher|non[- ]gmo|sugar[- ]free|
    fragrance[- ]free|cruelty[- ]free|paraben[- ]free|sulfate[- ]free|dairy[- ]free|alcohol[- ]free|bpa[- ]free|fat[- ]free|low[- ]carb|keto friendly|
    plant[- ]based|grain[- ]free|nut[- ]free|certified organic|machine washable|breathable|foldable|folding|rechargeable|reusable|refillable|
    vintage|rustic|mid[- ]century modern|industrial|upholstered|handmade|hand[- ]crafted|noise[- ]cancell?ing|fast charging|long[- ]lasting|
    anti[- ]slip|non[- ]slip|plus size|high[- ]waisted|sleeveless|slim fit|loose fit|reversible|unscented|scented|moisturizing|hydrating|
    exfoliating|swivel|extra large|extendable|stackable|heavy duty|shockproof|scratch[- ]resistant|wrinkle[- ]free|stain[- ]resistant|
    ultra thin|hypoallergenic|biodegradable|eco[- ]friendly|individually wrapped|freeze[- ]dried|oven baked|unsweetened|gold plated|
    wall mounted|freestanding|double[- ]sided|quick dry|oil[- ]free|shatterproof|farmhouse|minimalist|traditional|hands[- ]free`,
  of: `stainless steel|genuine leather|faux leather|pu leather|faux fur|leather|cotton|linen|velvet|solid wood|pine wood|engineered wood|
    bamboo|silicone|tempered glass|acrylic|fleece|sherpa|denim|suede|nylon|polyester|microfiber|crystal|canvas|human hair|
    synthetic hair|aluminum|wrought iron|marble|rattan|memory foam|satin|silk|wool|rubber|ceramic|chiffon`,
  with: `long sleeves?|short sleeves?|v[- ]neck|crew neck|turtleneck|high waist|elastic waist|tummy control|ankle strap|open toe|pockets|
    remote control|touch screen|led lights|night vision|motion detection|deep bass|charging case|usb port|usb ports|drawers|shelves|arms|
    storage space|arch support|natural ingredients|sea salt|green tea|coconut oil|tea tree oil|argan oil|vitamin c|hyaluronic acid|
    aloe vera|high protein|lace up|zipper|buttons|metal legs|wood legs|carry case|fluoride|retinol`,
}
const PATTERNS = (Object.keys(QUALITIES) as (keyof typeof QUALITIES)[]).map((form) => ({
  form,
  pattern: new RegExp(`\\b(?:${QUALITIES[form].replace(/\s*\n\s*/g, "")})\\b`, "gi"),
}))
const EMPTY_WORDS = new Set(
  "a an and for with the of in on to by from at new set pack pcs inch size color best great perfect women men womens mens kids your".split(
    " ",
  ),
)

/** Words of the title up to where it starts to list: `Amish Country Popcorn | Old Fashioned …` → `amish country popcorn`. */
function headWords(title: string): string[] {
  const [head = ""] = title.split(/\s[-–|]\s|[,|(:;]|\s(?:for|with|by)\s/i).filter((part) => /\p{L}{3}/u.test(part))
  return wordsOf(head === "" ? title : head)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
}

/** The thing a title is about, one or two words in small letters: `floor lamp`. Falls back to the end of the title's first part. */
export function headNoun({ title }: Pick<Product, "title">): string {
  const head = headWords(title)
  const [words, at] = [head, head.findLastIndex((word) => THINGS.has(word))]
  if (at >= 0) return compound(words, at)
  const all = wordsOf(title)
  const first = all.findIndex((word) => THINGS.has(word))
  if (first >= 0) return compound(all, first)
  const telling = words.filter((word) => /^\p{L}+$/u.test(word) && !EMPTY_WORDS.has(word))
  return telling.slice(-2).join(" ") || title.toLowerCase().slice(0, 40)
}

function compound(words: readonly string[], at: number): string {
  const before = words[at - 1]
  const belongs =
    before !== undefined && (BELONGING.has(before) || (VAGUE.has(words[at]!) && /^\p{L}{3,}$/u.test(before)))
  return belongs ? `${before} ${words[at]}` : words[at]!
}

/** What a title says of its thing: known qualities as it spells them; where there is none, words that set it apart. */
export function describedQualities({ title }: Pick<Product, "title">, noun: string): Sayable[] {
  const lower = title.toLowerCase()
  const found = new Map<string, Sayable>()
  for (const { form, pattern } of PATTERNS) {
    for (const [text] of lower.matchAll(pattern)) found.set(text, { text, form, clauses: [] })
  }
  const qualities = [...found.values()].filter(({ text }) => !noun.includes(text) && !isPartOfAnother(text, found))
  if (qualities.length > 0) return qualities
  const nounWords = new Set(noun.split(" "))
  const words = wordsOf(title).slice(1) // the first one is nearly always the brand
  const telling = words.filter((word) => /^\p{L}{4,}$/u.test(word) && !EMPTY_WORDS.has(word) && !nounWords.has(word))
  return [...new Set(telling)].slice(0, 4).map((text): Sayable => ({ text, form: "plain", clauses: [] }))
}

function isPartOfAnother(text: string, found: ReadonlyMap<string, Sayable>): boolean {
  return [...found.keys()].some((other) => other !== text && other.includes(text))
}
