import type { Observation } from "../core/environment.ts"
import { pageOf, pageState } from "./observe.ts"
import { renderPage } from "./render/page.ts"
import { pageLanguage, rulesOf } from "./rules.ts"
import type { Session } from "./session.ts"
import type { Shop } from "./shop.ts"

/** What the agent may see of a session now: the page as data and as the text it reads. */
export function observe(session: Session, shop: Shop): Observation {
  const page = pageOf(session, shop)
  return { state: pageState(page), text: renderPage(page, pageLanguage(rulesOf(session.rules), session.language)) }
}
