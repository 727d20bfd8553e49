import type { Claim } from "./claims.ts"
import type { Scope } from "./scope.ts"
import type { Fact, FactValue } from "./types.ts"

type Role = "price" | "stock" | "quantity"
const ROLES: readonly Role[] = ["price", "stock", "quantity"]

/** A number further than this from all that is on record in a role (as a factor) is of no such role. */
const NEAR = 1.7
/** The next role has to be so much further off. */
const APART = 1.6

/**
 * What a number is of whose words do not say it (`gray, size L two eighty`): what it is on record, of the thing that is meant or of
 * another, or what it is much nearer to than to anything else. `undefined`: that cannot be told.
 */
export function readOpenNumber(claim: Claim, { facts, others }: Scope): FactValue | undefined {
  const { value } = claim
  const readings =
    value.kind === "price" || value.kind === "quantity"
      ? value.readings
      : value.kind === "stock" && value.count !== null
        ? [value.count]
        : []
  if (readings.length === 0) return undefined
  const isIn = (some: readonly Fact[], role: Role) =>
    some.some((fact) => amountsOf(fact, role).some((amount) => readings.includes(amount)))
  const asked = claim.open === "asked" ? (value.kind as Role) : undefined
  const roles = asked === undefined ? ROLES : [asked, ...ROLES.filter((role) => role !== asked)]
  const found = roles.find((role) => isIn(facts, role))
  if (found !== undefined) return as(found, readings)
  if (asked !== undefined) return value
  const other = roles.find((role) => isIn(others, role))
  if (other !== undefined) return as(other, readings)
  const distances = ROLES.map((role) => ({
    role,
    distance: Math.min(
      ...facts
        .flatMap((fact) => amountsOf(fact, role))
        .flatMap((amount) => readings.map((reading) => Math.abs(Math.log(reading / amount)))),
    ),
  })).sort((one, next) => one.distance - next.distance)
  const [first, second] = distances
  return first!.distance <= Math.log(NEAR) && second!.distance >= first!.distance + Math.log(APART)
    ? as(first!.role, readings)
    : undefined
}

function amountsOf({ value, aspects }: Fact, role: Role): readonly number[] {
  if (value.kind === "price")
    return role === "price" && (aspects.size === 0 || aspects.has("price")) ? value.readings : []
  if (value.kind === "stock") return role === "stock" && value.count !== null && value.count > 0 ? [value.count] : []
  return role === "quantity" && value.kind === "quantity" && !aspects.has("unknown") && !aspects.has("pack")
    ? value.readings
    : []
}

function as(role: Role, readings: readonly number[]): FactValue {
  if (role === "price") return { kind: "price", readings, low: null, currency: null }
  if (role === "quantity") return { kind: "quantity", readings, low: null }
  return { kind: "stock", inStock: readings[0]! > 0, count: readings[0]!, level: null }
}
