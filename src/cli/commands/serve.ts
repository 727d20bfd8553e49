import { statSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { AppError } from "../../core/errors.ts"
import { parseTokens, type Token } from "../../server/callers.ts"
import { DEFAULT_RATE, type RunningServer, startServer } from "../../server/serve.ts"
import type { Catalog } from "../../shop/catalog.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import type { Register } from "../command.ts"
import { rulesNamed, seconds, tokenVariable, wholeNumber } from "../flags.ts"

interface ServeFlags {
  readonly catalog: string
  readonly rules: string
  readonly port: string
  readonly host: string
  readonly maxSessions?: string
  readonly ttl?: string
  readonly state?: string
  readonly journal: boolean // false with --no-journal
  readonly runs?: string
  readonly tokenEnv?: string
  readonly allowHost?: string[]
  readonly maxRate: string
}

export const registerServe: Register = (program, run) => {
  program
    .command("serve")
    .description("open the web UI on runs, and serve the shop over HTTP, to many agents at once")
    .option("--catalog <catalog>", "a catalog file, or bundled:zh, bundled:en", "bundled:en")
    .option("--rules <name>", "rules of native sessions that name none: v8 or souk", "souk")
    .option("--port <number>", "port to listen on; 0 takes a free one", "5700")
    .option("--host <address>", "address to listen on; beyond this machine a token is needed", "127.0.0.1")
    .option("--max-sessions <number>", "sessions at once; further callers wait in line")
    .option("--ttl <seconds>", "how long a session lives unused (else 600, and 1800 by the reference route)")
    .option("--state <folder>", "where sessions are remembered over a restart")
    .option("--no-journal", "do not remember sessions over a restart")
    .option("--runs <folder>", "folder whose runs are shown, and where plays by hand are kept (default: runs)")
    .option("--token-env <name>", "environment variable with the token, or with role:token pairs")
    .option("--allow-host <name...>", "further host names under which requests may come")
    .option("--max-rate <number>", "requests per second and client address", String(DEFAULT_RATE))
    .option("--json", "print JSON")
    .action(
      run(async (context, flags: ServeFlags) => {
        const port = wholeNumber(flags.port, "--port", { from: 0, to: 65_535 })
        using catalog = await openNamedCatalog(flags.catalog, context.signal)
        const state = stateFolder(flags, catalog.manifest.content_hash, port)
        const runs = flags.runs === undefined ? resolve("runs") : existingFolder(flags.runs)
        const server = await startServer({
          catalog,
          rules: rulesNamed(flags.rules),
          host: flags.host,
          port,
          ...(flags.maxSessions === undefined
            ? {}
            : { maxSessions: wholeNumber(flags.maxSessions, "--max-sessions", { from: 1 }) }),
          ...(flags.ttl === undefined ? {} : { ttlS: seconds(flags.ttl, "--ttl") }),
          state,
          runs,
          tokens: tokensFrom(flags.tokenEnv),
          allowHosts: (flags.allowHost ?? []).map((name) => name.toLowerCase()),
          maxRate: wholeNumber(flags.maxRate, "--max-rate", { from: 1 }),
          log: (text) => context.warn(text),
        })
        context.event(
          {
            event: "ready",
            url: server.url,
            port: server.port,
            pid: process.pid,
            products: catalog.productCount,
            tasks: catalog.taskCount,
            runs,
            state,
            restored_sessions: server.restored,
          },
          readyText(server, { catalog, state, runs }),
        )
        await aborted(context.signal)
        await server.close()
        context.event({ event: "stopped" }, "Stopped.")
      }),
    )
}

function readyText(
  { url, restored }: RunningServer,
  { catalog, state, runs }: { catalog: Catalog; state: string | null; runs: string },
): string {
  const memory =
    state === null ? "Sessions end with this process." : `Sessions are remembered in ${state}; ${restored} came back.`
  return [
    `Ready: ${url} serves ${catalog.productCount} products and ${catalog.taskCount} tasks. API: ${url}/v1/docs`,
    `Open it in a browser to see the runs in ${runs}.`,
    memory,
  ].join("\n")
}

/** By default one folder for each catalog and port, so that the same command finds its sessions again. */
function stateFolder({ state, journal }: ServeFlags, catalogHash: string, port: number): string | null {
  if (!journal) {
    if (state !== undefined) throw new AppError("BAD_INPUT", "--state and --no-journal exclude each other")
    return null
  }
  if (state !== undefined) return state
  if (port === 0) return null // nobody could find the way back to a port of chance
  const home = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state")
  return join(home, "souk", "serve", `${catalogHash.slice(0, 12)}-${port}`)
}

function existingFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path)
  throw new AppError("NOT_FOUND", `There is no folder ${path}, named by --runs`)
}

function tokensFrom(name: string | undefined): Token[] {
  const value = tokenVariable(name)
  return name === undefined || value === undefined ? [] : parseTokens(value, { source: name })
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
}
