import { visibleInstruction } from "../goal.ts"
import { BUY_NOW, choices, optionLabel, pageHits } from "../moves.ts"
import { type Policy, searchFor } from "./policy.ts"

/** Searches for the instruction as it stands, opens the first hit, takes the first value of each axis and buys. */
export const takeFirst: Policy = (session, shop) => {
  switch (session.page) {
    case "search_home":
      return searchFor(visibleInstruction(session.task, session))
    case "search_results": {
      const [first] = pageHits(session)
      return first === undefined ? "" : `click[${shop.summary(first).asin}]`
    }
    case "product_detail": {
      const open = choices(shop.product(session.product!), session.selected).find(({ selected }) => selected === null)
      const [value] = open?.values ?? []
      return open === undefined || value === undefined
        ? `click[${BUY_NOW}]`
        : `click[${optionLabel(open.name, value.text)}]`
    }
    case "terminal":
      return ""
    default:
      throw session.page satisfies never
  }
}
