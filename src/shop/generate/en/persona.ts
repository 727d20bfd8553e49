import type { Json, JsonObject } from "../../../core/json.ts"
import { Random } from "../../../core/random.ts"
import type { Shopper } from "../shopper.ts"

const REGIONS = [
  ["Washington", "Seattle", "98103", "America/Los_Angeles"],
  ["Texas", "Austin", "78704", "America/Chicago"],
  ["Ohio", "Columbus", "43201", "America/New_York"],
  ["Colorado", "Denver", "80205", "America/Denver"],
  ["Georgia", "Atlanta", "30307", "America/New_York"],
  ["Minnesota", "Minneapolis", "55408", "America/Chicago"],
  ["Arizona", "Tucson", "85719", "America/Phoenix"],
  ["Massachusetts", "Worcester", "01602", "America/New_York"],
  ["California", "Sacramento", "95816", "America/Los_Angeles"],
  ["North Carolina", "Durham", "27701", "America/New_York"],
  ["Illinois", "Chicago", "60622", "America/Chicago"],
  ["Maine", "Portland", "04101", "America/New_York"],
] as const
const CHANNELS = ["app store", "web search", "referral link", "email offer", "social media ad", "checkout as guest"]
const AGES = ["18-24", "25-34", "35-44", "45-54", "55-64", "65+"]
const LEVELS = ["low", "lower middle", "middle", "upper middle", "high"]
const TIERS = ["basic", "silver", "gold", "platinum"]
const HOURS = ["6-8 am", "noon-1 pm", "5-7 pm", "8-10 pm", "10 pm-midnight"]
const DEVICES = ["iPhone", "Android phone", "iPad", "Windows laptop", "Mac"]
const PAYMENTS = ["credit card", "debit card", "store card", "digital wallet", "gift card"]
const TAGS = [
  "compares prices",
  "new parent",
  "apartment dweller",
  "student",
  "cat owner",
  "dog owner",
  "works from home",
]
const MORE_TAGS = ["weekend hiker", "buys in bulk", "reads reviews", "early adopter", "gift giver", "returns often"]
const OTHER_SEARCHES = [
  "paper towels",
  "phone case",
  "aa batteries",
  "trash bags",
  "light bulbs",
  "umbrella",
  "hangers",
  "duct tape",
]
const PLACEHOLDERS = ["N/A", "unknown", "-", "none"]

const NOISE = { idSeparator: 0.08, placeholder: 0.12, misplacedTransactions: 0.05, missingPart: 0.05, reasoning: 0.15 }

/** A shopper's profile: the structure of the Chinese one in English fields, with the same kinds of faults in small shares. */
export function englishPersona(shopper: Shopper, random: Random): Json {
  const person = new Random("person-en", shopper.key)
  const deals = transactions(shopper, random)
  const behavior = behaviorOf(shopper, random)
  const misplaced = random.chance(NOISE.misplacedTransactions)
  const [state, city, zip, time_zone] = person.pick(REGIONS)
  const persona: JsonObject = {
    user_id: `u-${person.integer(1, 99_999_999).toString(36)}${random.chance(NOISE.idSeparator) ? random.pick(["_", "|", ";"]) : ""}`,
    registered_at: dateTime(person, 2016, 2024),
    signup_channel: person.pick(CHANNELS),
    region: { state, city, zip, time_zone },
    demographics: {
      gender: person.pick(["female", "male", "prefer not to say"]),
      age_range: person.pick(AGES),
      spending_level: person.pick(LEVELS),
      member_tier: person.pick(TIERS),
    },
    behavior: misplaced ? { ...behavior, transactions: deals } : behavior,
    ...(misplaced ? {} : { transactions: deals }),
    interests: interests(shopper, random),
    tags: person.sample([...TAGS, ...MORE_TAGS], person.integer(2, 4)),
    updated_at: dateTime(random, 2025, 2025),
  }
  if (random.chance(NOISE.missingPart)) delete persona[random.pick(["signup_channel", "tags", "region"])]
  if (random.chance(NOISE.reasoning)) {
    persona.__reasoning__ = `Recent searches suggest this person wants ${shopper.request.noun.phrase}.`
  }
  return persona
}

function behaviorOf({ request, hidden }: Shopper, random: Random): JsonObject {
  const { bare, brand } = request.noun
  const hints = [
    ...hidden.options.map(({ spoken }) => `${spoken.toLowerCase()} ${bare}`),
    ...hidden.attributes.map(({ text }) => `${bare} ${text}`),
  ]
  const searches = random.shuffle([...hints, bare, ...random.sample(OTHER_SEARCHES, random.integer(1, 2))])
  const configured = hidden.options.map(({ axis, spoken }) => `${bare} (${axis}: ${spoken})`)
  const inCart = configured.length > 0 && random.chance(0.5) ? configured : [random.pick(OTHER_SEARCHES)]
  return {
    daily_browsing_minutes: random.integer(8, 95),
    visits_last_7_days: random.integer(2, 40),
    active_hours: random.sample(HOURS, random.integer(1, 2)),
    devices: random.sample(DEVICES, random.integer(1, 2)),
    searches_last_14_days: searches,
    favorites_last_14_days: placeholderOr(random, [...configured, random.pick(OTHER_SEARCHES)]),
    cart_adds_last_14_days: placeholderOr(random, inCart),
    followed_shops_last_14_days: placeholderOr(random, brand === "" ? [] : [brand]),
  }
}

function transactions({ price }: Shopper, random: Random): JsonObject {
  const average = Math.round((price ?? 40) * (0.6 + random.next()))
  const orders = random.integer(2, 40)
  return {
    spend_last_30_days: `$${Math.round((average * orders) / 3)}`,
    orders_last_90_days: orders,
    average_order_value: `$${average}`,
    repurchase_rate: `${random.integer(5, 60)}%`,
    payment_methods: random.sample(PAYMENTS, random.integer(1, 2)),
    coupon_use_rate: `${random.integer(0, 90)}%`,
    promotion_sensitive: random.chance(0.5),
  }
}

function interests({ request, category, hidden }: Shopper, random: Random): JsonObject {
  const nodes = category.split("›").map((node) => node.trim())
  const wanted = [
    ...hidden.attributes.map(({ text }) => text),
    ...hidden.options.map(({ axis, spoken }) => (random.chance(0.5) ? spoken : `${axis}: ${spoken}`)),
  ]
  return {
    categories: [...new Set([nodes.at(-1) ?? "", nodes[0] ?? ""])].filter((node) => node !== ""),
    brands: placeholderOr(random, request.noun.brand === "" ? [] : [request.noun.brand]),
    attributes: random.shuffle([
      ...wanted,
      random.pick(["free shipping", "good reviews", "fast delivery", "good value"]),
    ]),
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
