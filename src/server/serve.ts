import { randomBytes } from "node:crypto"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { serve as listen } from "@hono/node-server"
import { AppError, messageOf } from "../core/errors.ts"
import { systemClock } from "../lib/clock.ts"
import { packageVersion } from "../lib/package-version.ts"
import type { Catalog } from "../shop/catalog.ts"
import { DEFAULT_CAPACITY, SessionHost, TTL_MS } from "../shop/hosting.ts"
import { NO_JOURNAL, openJournal } from "../shop/journal.ts"
import type { LeaseClock } from "../shop/leases.ts"
import type { RulesName } from "../shop/rules.ts"
import { shopOf } from "../shop/shop.ts"
import { serverApp } from "./app.ts"
import { BODY_LIMITS, type BodyLimits } from "./body.ts"
import type { Token } from "./callers.ts"
import { RunFigures } from "./figures.ts"
import { openFinder } from "./find.ts"
import { isLoopback } from "./guard.ts"
import { PlayHost } from "./plays/host.ts"
import { RunIndexes } from "./table/run-indexes.ts"
import { uiFolder } from "./ui-files.ts"

export interface ServeOptions {
  /** Open; stays the caller's to close. */
  readonly catalog: Catalog
  /** Profile of native sessions that name none. */
  readonly rules?: RulesName
  readonly host?: string
  /** 0: any free port. */
  readonly port?: number
  readonly maxSessions?: number
  /** Seconds a session lives unused, whichever way it came by; 10 and 30 minutes when absent. */
  readonly ttlS?: number
  /** Folder of the journal; null: sessions die with the process. */
  readonly state: string | null
  /** Folder whose runs are shown. */
  readonly runs?: string
  readonly tokens?: readonly Token[]
  /** Host names, beside loopback ones, that requests may name. */
  readonly allowHosts?: readonly string[]
  /** Requests per second and client address. */
  readonly maxRate?: number
  readonly limits?: BodyLimits
  /** Folder of the built web UI, in place of the package's own. */
  readonly ui?: string
  readonly log?: (text: string) => void
}

export interface RunningServer {
  readonly url: string
  readonly port: number
  /** Sessions that came back from the journal. */
  readonly restored: number
  readonly host: SessionHost
  /** Stops: refuses newcomers and those who wait, lets requests under way end for at most `drainMs`. Stopping twice is fine. */
  close(): Promise<void>
}

/** More than this machine can answer: it stops floods, not agents. */
export const DEFAULT_RATE = 10_000
const DRAIN_MS = 10_000
/** Longer than clients and proxies keep a connection, so that it is they who close it and no request meets a closing socket. */
const KEEP_ALIVE_MS = 75_000

const timers: LeaseClock = {
  now: () => systemClock.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Serves a catalog's shop. Throws `REFUSED` when it would be open beyond this machine without a token, when the port is taken, or
 * when the journal is another's; `BAD_INPUT` for an address that is none; `STORE_UNWRITABLE` when the journal cannot be kept.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { catalog, rules = "souk", host: hostname = "127.0.0.1", port = 5700, tokens = [], log = () => {} } = options
  const loopback = isLoopback(hostname)
  if (!loopback && tokens.length === 0) {
    throw new AppError(
      "REFUSED",
      `Listening on ${hostname} would let other machines in without a token; put one into an environment variable and name it ` +
        "with --token-env, or listen on 127.0.0.1",
    )
  }
  const shop = shopOf(catalog)
  const finder = openFinder(catalog)
  const { find } = finder
  const journal =
    options.state === null ? NO_JOURNAL : openJournal(options.state, { catalogHash: catalog.manifest.content_hash })
  const ttlMs = options.ttlS === undefined ? undefined : options.ttlS * 1000
  const host = new SessionHost({
    catalog,
    shop,
    find,
    journal,
    clock: timers,
    newId: () => randomBytes(16).toString("hex"),
    capacity: options.maxSessions ?? DEFAULT_CAPACITY,
    ttlMs: ttlMs === undefined ? TTL_MS : { native: ttlMs, reference: ttlMs },
    warn: log,
  })
  const plays = new PlayHost({
    catalog,
    runs: options.runs ?? null,
    clock: timers,
    newId: () => randomBytes(16).toString("hex"),
    warn: log,
  })
  const figures = new RunFigures()
  const indexes = options.runs === undefined ? null : new RunIndexes(options.runs)
  const app = serverApp({
    catalog,
    shop,
    find,
    host,
    plays,
    figures,
    rules,
    journaled: journal.folder !== null,
    security: { tokens, loopback, hosts: options.allowHosts ?? [], perSecond: options.maxRate ?? DEFAULT_RATE },
    limits: options.limits ?? BODY_LIMITS,
    version: packageVersion(),
    runs: options.runs ?? null,
    indexes,
    ui: options.ui ?? uiFolder(),
    now: timers.now,
    log,
  })

  let server: Server
  try {
    server = await listening(app.fetch, hostname, port)
  } catch (error) {
    await Promise.all([host.close(), plays.close(), finder.close()])
    throw error
  }
  let closing: Promise<void> | undefined
  const actual = (server.address() as AddressInfo).port // an address of a listening TCP server
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${actual}`,
    port: actual,
    restored: journal.restored.length,
    host,
    close() {
      const read = indexes?.close() // stops what is read, and waits for it in the end
      closing ??= stop(server, host, figures)
        .finally(() => plays.close())
        .finally(() => read)
        .finally(() => finder.close())
      return closing
    },
  }
}

function listening(fetch: Parameters<typeof listen>[0]["fetch"], hostname: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = listen(
      { fetch, hostname, port, serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 120_000 } },
      () => {
        server.off("error", onError)
        resolve(server)
      },
    ) as Server // no HTTP/2 was asked for
    const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, hostname, port))
    server.once("error", onError)
    // A peer that vanished without a word (its machine died) is found out, also while its request waits in line.
    server.on("connection", (socket) => socket.setKeepAlive(true, 30_000))
  })
}

function listenError(error: NodeJS.ErrnoException, hostname: string, port: number): AppError {
  const where = `${hostname}:${port}`
  switch (error.code) {
    case "EADDRINUSE":
      return new AppError("REFUSED", `${where} is in use; stop what listens there, or choose another --port`, {
        cause: error,
      })
    case "EACCES":
      return new AppError("REFUSED", `This user may not listen on ${where}; choose a --port from 1024 up`, {
        cause: error,
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new AppError("BAD_INPUT", `${hostname} is no address of this machine; try --host 127.0.0.1`, {
        cause: error,
      })
    default:
      return new AppError("BAD_INPUT", `Cannot listen on ${where}: ${messageOf(error)}`, { cause: error })
  }
}

/** A connection that ends its request while the server stops would else stay open for its keep-alive time. */
async function stop(server: Server, host: SessionHost, figures: RunFigures): Promise<void> {
  host.leases.close()
  await figures.close() // who waits for them is told that the server stops
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
  await host.close()
}
