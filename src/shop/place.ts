import type { Environment } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { RunSpec } from "../core/run-spec.ts"
import type { Variables } from "../lib/dotenv.ts"
import { openCatalog } from "./catalog/open.ts"
import { type Catalog, Language } from "./catalog.ts"
import { shopEnvironment } from "./environment.ts"
import { RemoteConnection } from "./remote/transport.ts"
import { remoteEnvironment } from "./remote.ts"
import { pageLanguage, type RulesName, rulesOf } from "./rules.ts"
import type { Shopper } from "./shopper/shopper.ts"
import { openStore } from "./store.ts"

/** The shop that an experiment plays in: in this process, or a server elsewhere. */
export interface ShopPlace {
  /** Null: a server's, which nobody here can look into. */
  readonly catalog: Catalog | null
  readonly rules: RulesName
  /** An environment for one episode. */
  open(persona: boolean): Environment
  /** What may change results, and the language of the pages. A server is asked for it. */
  identity(persona: boolean, call: { readonly signal: AbortSignal }): Promise<JsonObject>
  close(): void
}

type Settings = RunSpec["environment"]

/** Whether agents that shop by these settings may ask a shopper: in this process, by the rules `souk`, in `multi_turn`. */
export function hasShopper({ interaction_mode, base_url, rules }: Settings): boolean {
  return interaction_mode === "multi_turn" && base_url === null && rules !== "v8"
}

/**
 * Opens the place `settings` name; `shopper` answers where they {@link hasShopper}. A server is asked which protocol it speaks where they leave that open. Throws `NOT_FOUND` and
 * `BAD_INPUT` as catalogs do. With `variables` null no server is spoken to: its identity is what is known without asking, marked
 * `unconfirmed`. Otherwise throws `ENVIRONMENT_UNAVAILABLE` when the server does not answer.
 */
export async function openPlace(
  settings: Settings,
  {
    variables,
    signal,
    shopper,
  }: { readonly variables: Variables | null; readonly signal: AbortSignal; readonly shopper?: Shopper },
): Promise<ShopPlace> {
  const { catalog, base_url } = settings
  if (base_url !== null) return serverPlace({ ...settings, base_url }, variables, signal)
  return catalogPlace(settings, await openNamed(catalog ?? ""), hasShopper(settings) ? shopper : undefined)
}

function catalogPlace(
  { rules: named, interaction_mode: mode }: Settings,
  catalog: Catalog,
  shopper: Shopper | undefined,
): ShopPlace {
  const rules = named ?? "souk"
  const open = (persona: boolean) => shopEnvironment({ catalog, rules, mode, persona, ...(shopper && { shopper }) })
  return {
    catalog,
    rules,
    open,
    identity: (persona, call) => open(persona).identity(call),
    close: () => catalog.close(),
  }
}

async function serverPlace(
  settings: Settings & { readonly base_url: string },
  variables: Variables | null,
  signal: AbortSignal,
): Promise<ShopPlace> {
  const { base_url: baseUrl, token_env, timeout, interaction_mode: mode } = settings
  const token = token_env === null || variables === null ? undefined : variables(token_env)
  if (token_env !== null && variables !== null && !token) {
    throw new AppError("BAD_INPUT", `The environment variable ${token_env}, named by environment.token_env, is not set`)
  }
  const connection = new RemoteConnection()
  const speak = (protocol: "native" | "reference") => {
    const rules: RulesName = settings.rules ?? (protocol === "reference" ? "v8" : "souk")
    const open = (persona: boolean) =>
      remoteEnvironment({
        baseUrl,
        token,
        protocol,
        rules,
        mode,
        persona,
        connection,
        timeouts: { request: timeout * 1000 },
      })
    return { rules, open }
  }
  const identityOf = async ({ open }: ReturnType<typeof speak>, persona: boolean, call: { signal: AbortSignal }) => {
    const environment = open(persona)
    try {
      return await environment.identity(call)
    } finally {
      await environment.close()
    }
  }
  if (variables === null) {
    const { rules, open } = speak(settings.protocol ?? "native")
    const identity = async (persona: boolean) => ({ environment: "shop", rules, mode, persona, unconfirmed: true })
    return { catalog: null, rules, open, identity, close: () => {} }
  }
  let chosen = speak(settings.protocol ?? "native")
  if (settings.protocol === null) {
    try {
      await identityOf(chosen, false, { signal })
    } catch (error) {
      // An answer that is not the native API's has no cause; silence has one.
      const other = error instanceof AppError && error.code === "ENVIRONMENT_UNAVAILABLE" && error.cause === undefined
      if (!other) throw error
      chosen = speak("reference")
      await identityOf(chosen, false, { signal })
    }
  }
  return {
    catalog: null,
    rules: chosen.rules,
    open: chosen.open,
    identity: (persona, call) => identityOf(chosen, persona, call),
    close: () => void connection.close(),
  }
}

/** The language pages are written in, going by the identity of the place; Chinese where it does not say. */
export function languageOf(rules: RulesName, identity: JsonObject): Language {
  const named = Language.safeParse(identity.language)
  return pageLanguage(rulesOf(rules), named.success ? named.data : "zh")
}

/** A catalog file, or one of the bundled stores. */
async function openNamed(name: string): Promise<Catalog> {
  if (!name.startsWith("bundled:")) return openCatalog(name)
  const language = Language.safeParse(name.slice("bundled:".length))
  if (language.success) return openStore(language.data)
  throw new AppError(
    "BAD_INPUT",
    `environment.catalog is ${name}; there is bundled:${Language.options.join(", bundled:")}`,
  )
}
