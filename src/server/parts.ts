import type { Catalog } from "../shop/catalog.ts"
import type { FindDocuments, SessionHost } from "../shop/hosting.ts"
import type { RulesName } from "../shop/rules.ts"
import type { Shop } from "../shop/shop.ts"
import type { BodyLimits } from "./body.ts"
import type { RunFigures } from "./figures.ts"
import type { PlayHost } from "./plays/host.ts"
import type { SecurityPolicy } from "./security.ts"
import type { RunIndexes } from "./table/run-indexes.ts"

/** What the routes work on, put together by `serve.ts` or a test. */
export interface ServerParts {
  readonly catalog: Catalog
  readonly shop: Shop
  readonly find: FindDocuments
  readonly host: SessionHost
  readonly plays: PlayHost
  readonly figures: RunFigures
  /** Profile of native sessions that name none. */
  readonly rules: RulesName
  /** Whether sessions outlive a restart. */
  readonly journaled: boolean
  readonly security: SecurityPolicy
  readonly limits: BodyLimits
  readonly version: string
  /** Folder with run folders; null: runs are not shown. */
  readonly runs: string | null
  /** The way to the files of those runs; null as `runs` is. */
  readonly indexes: RunIndexes | null
  /** The built web UI's folder; null: there is none. */
  readonly ui: string | null
  readonly now: () => number
  /** One line for whoever operates the server. Never holds tokens, leases or private fields. */
  readonly log: (text: string) => void
}
