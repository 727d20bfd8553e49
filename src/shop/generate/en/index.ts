import type { DomainSource } from "../vocabulary.ts"
import { APPLIANCES } from "./appliances.ts"
import { BEAUTY } from "./beauty.ts"
import { CLOTHING } from "./clothing.ts"
import { ELECTRONICS } from "./electronics.ts"
import { FOOD } from "./food.ts"
import { HOME } from "./home.ts"
import { KIDS } from "./kids.ts"
import { KITCHEN } from "./kitchen.ts"
import { OFFICE } from "./office.ts"
import { PETS } from "./pets.ts"
import { SHOES } from "./shoes.ts"
import { SPORTS } from "./sports.ts"

/** What the English store sells. */
export const ENGLISH_DOMAINS: readonly DomainSource[] = [
  ELECTRONICS,
  APPLIANCES,
  CLOTHING,
  SHOES,
  BEAUTY,
  FOOD,
  KIDS,
  HOME,
  KITCHEN,
  SPORTS,
  PETS,
  OFFICE,
]
