import type { Environment } from "../core/environment.ts"
import { NativeEnvironment } from "./remote/native.ts"
import { ReferenceEnvironment } from "./remote/reference.ts"
import { REMOTE_TIMEOUTS, type RemoteConnection, type RemoteTimeouts } from "./remote/transport.ts"
import type { InteractionMode, RulesName } from "./rules.ts"

export interface RemoteOptions {
  /** `http://host:port`; a password in it is taken as the token. */
  readonly baseUrl: string
  readonly rules: RulesName
  readonly mode: InteractionMode
  readonly persona: boolean
  /** Sent as a bearer token. Without an operator's right the private goal of outcomes is empty. */
  readonly token?: string | undefined
  /** Of the native protocol: shared with other episodes on the same server by the same caller; whoever made it closes it. */
  readonly connection?: RemoteConnection | undefined
}

/**
 * The shop of a server elsewhere: one episode at a time, the same contract as in process. `native` speaks this project's API and
 * may repeat a step that got no answer, since steps have numbers; `reference` speaks as old clients do, plays `v8`, and repeats
 * only what certainly never arrived.
 *
 * Rejects with `ENVIRONMENT_UNAVAILABLE` (retryable) when the server does not answer, lost the session or breaks its contract,
 * `REFUSED` when it asks for a token, and otherwise as the shop in process does.
 *
 * @example remoteEnvironment({ baseUrl: "http://127.0.0.1:5700", rules: "souk" })
 */
export function remoteEnvironment({
  protocol = "native",
  mode = "single_turn",
  persona = false,
  rules = protocol === "reference" ? "v8" : "souk",
  timeouts = {},
  ...rest
}: Pick<RemoteOptions, "baseUrl" | "token"> &
  Partial<RemoteOptions> & {
    protocol?: "native" | "reference"
    timeouts?: Partial<RemoteTimeouts>
  }): Environment {
  const options: RemoteOptions = { ...rest, rules, mode, persona }
  const limits = { ...REMOTE_TIMEOUTS, ...timeouts }
  return protocol === "native" ? new NativeEnvironment(options, limits) : new ReferenceEnvironment(options, limits)
}
