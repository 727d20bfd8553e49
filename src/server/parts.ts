import type { Catalog } from "../shop/catalog.ts"
import type { FindDocuments, SessionHost } from "../shop/hosting.ts"
import type { RulesName } from "../shop/rules.ts"
import type { Shop } from "../shop/shop.ts"
import type { BodyLimits } from "./body.ts"
import type { PlayHost } from "./plays/host.ts"
import type { SecurityPolicy } from "./security.ts"

/** What the routes work on, put together by `serve.ts` or a test. */
export interface ServerParts {
  readonly catalog: Catalog
  readonly shop: Shop
  readonly find: FindDocuments
  readonly host: SessionHost
  readonly plays: PlayHost
  /** Profile of native sessions that name none. */
  readonly rules: RulesName
  /** Whether sessions outlive a restart. */
  readonly journaled: boolean
  readonly security: SecurityPolicy
  readonly limits: BodyLimits
  readonly version: string
  /** Folder with run folders; null: runs are not shown. */
  readonly runs: string | null
  /** The built web UI's folder; null: there is none. */
  readonly ui: string | null
  readonly now: () => number
  /** One line for whoever operates the server. Never holds tokens, leases or private fields. */
  readonly log: (text: string) => void
}
