import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Random } from "../../src/core/random.ts"

/** How a server is started: a program and the arguments before `serve`. */
export interface ServeCommand {
  readonly program: string
  readonly args: readonly string[]
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The built command line, which starts several times faster; the sources where they are newer than what was built. */
export function soukCommand(): ServeCommand {
  const built = join(root, "dist/cli/main.js")
  const newest = Math.max(
    ...readdirSync(join(root, "src"), { recursive: true }).map((name) => changed(join(root, "src", String(name)))),
  )
  if (changed(built) > newest) return { program: process.execPath, args: [built] }
  return { program: process.execPath, args: ["--import", "tsx", join(root, "src/cli/main.ts")] }
}

/** When a file was changed; never, where there is none. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export interface KillRounds {
  readonly command: ServeCommand
  readonly catalog: string
  /** Task ids to play. */
  readonly taskIds: readonly string[]
  /** Folder of the journal. */
  readonly state: string
  readonly kills: number
  readonly agents: number
  readonly seed: number
  readonly onKill?: (done: number) => void
}

export interface KillReport {
  readonly kills: number
  readonly sessions: number
  readonly actions: number
  /** Requests whose answer a kill swallowed, and that were sent again. */
  readonly repeated: number
  readonly restored: number
  /** What must not be: a session that was lost, an action that was forgotten, done twice or answered in two ways. */
  readonly violations: readonly string[]
}

interface Counts {
  sessions: number
  actions: number
  repeated: number
  restored: number
  violations: string[]
}

/**
 * Plays many sessions at once on a server that is killed (SIGKILL) again and again and started at once on the same journal. Each
 * agent sends what got no answer again, and after each action sometimes sends it a second time to compare the answers.
 */
export async function killRounds(rounds: KillRounds): Promise<KillReport> {
  const counts: Counts = { sessions: 0, actions: 0, repeated: 0, restored: 0, violations: [] }
  const port = await freePort()
  const start = (): Promise<ChildProcess> => startServer(rounds, port, counts)
  let server = await start()
  const stop = new AbortController()
  const url = `http://127.0.0.1:${port}`
  const agents = Array.from({ length: rounds.agents }, (_, index) => playOn(url, rounds, index, counts, stop.signal))
  const random = new Random("kills", rounds.seed)
  try {
    for (let kill = 0; kill < rounds.kills && counts.violations.length === 0; kill++) {
      await underLoad(counts, random.integer(3, 40), random.integer(0, 30))
      const gone = new Promise((resolve) => server.once("exit", resolve))
      server.kill("SIGKILL")
      await gone
      server = await start()
      rounds.onKill?.(kill + 1)
    }
    await pause(300)
  } finally {
    stop.abort()
    await Promise.allSettled(agents)
    server.kill("SIGKILL")
  }
  for (const result of await Promise.allSettled(agents)) {
    if (result.status === "rejected") counts.violations.push(`an agent failed: ${result.reason}`)
  }
  return { kills: rounds.kills, ...counts }
}

async function startServer(
  { command, catalog, state }: KillRounds,
  port: number,
  counts: Counts,
): Promise<ChildProcess> {
  const flags = ["serve", "--catalog", catalog, "--port", String(port), "--state", state, "--json"]
  const child = spawn(command.program, [...command.args, ...flags], { stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  const ready = new Promise<{ restored_sessions: number }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      said += `${line}\n`
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line))
    })
    child.stderr.on("data", (data) => {
      said += data
    })
    child.once("close", (code) => reject(new Error(`the server ended with ${code} before it was ready: ${said}`)))
  })
  counts.restored += (await ready).restored_sessions
  return child
}

/** One agent: session after session, until told to stop. */
async function playOn(
  url: string,
  rounds: KillRounds,
  index: number,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  const random = new Random("agent", rounds.seed, index)
  const violation = (text: string): void => void counts.violations.push(`agent ${index}: ${text}`)
  while (!signal.aborted) {
    const created = await send(url, "POST", "/v1/sessions", { task_id: random.pick(rounds.taskIds) }, counts, signal)
    if (created === null) return
    if (created.status !== 201) return violation(`create ${created.status} ${created.text}`)
    counts.sessions++
    const { lease, observation } = JSON.parse(created.text)
    let state = observation.state
    let answered = ""
    for (let step = 1; step <= 30; step++) {
      const action = chooseAction(state, random)
      const path = `/v1/sessions/${lease}/actions`
      const answer = await send(url, "POST", path, { step, action }, counts, signal)
      if (answer === null) return
      if (answer.status !== 200) return violation(`step ${step} ${answer.status} ${answer.text}`)
      const { next_step, observation: page, outcome } = JSON.parse(answer.text)
      if (next_step !== step + 1) return violation(`step ${step} led to ${next_step}`)
      counts.actions++
      state = page.state
      answered = answer.text
      if (random.chance(0.2)) {
        const again = await send(url, "POST", path, { step, action }, counts, signal)
        if (again === null) return
        if (again.text !== answered) return violation(`step ${step} was answered in two ways`)
      }
      if (outcome !== null) break
    }
    const now = await send(url, "GET", `/v1/sessions/${lease}`, undefined, counts, signal)
    if (now === null) return
    if (JSON.stringify(JSON.parse(now.text).observation) !== JSON.stringify(JSON.parse(answered).observation)) {
      return violation(`the session is elsewhere than its last answer: ${now.text.slice(0, 200)}`)
    }
    // Some sessions stay, so that there are always more to bring back than are played on.
    if (random.chance(0.9) && (await send(url, "DELETE", `/v1/sessions/${lease}`, undefined, counts, signal)) === null)
      return
  }
}

/** Something the page offers, now and then something it does not. */
function chooseAction(state: { search_available: boolean; actions: string[] }, random: Random): string {
  if (random.chance(0.1)) return "click[nothing of the kind]"
  if (state.search_available) return `search[${random.pick(["台灯", "护眼 台灯", "水壶", "复古"])}]`
  return `click[${random.pick(state.actions)}]`
}

/** Sends until there is an answer; null when told to stop. A session that is deleted twice was deleted. */
async function send(
  url: string,
  method: string,
  path: string,
  body: unknown,
  counts: Counts,
  signal: AbortSignal,
): Promise<{ status: number; text: string } | null> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const answer = await fetch(url + path, {
        method,
        signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
        ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      })
      return { status: answer.status, text: await answer.text() }
    } catch {
      counts.repeated++
      await pause(attempt < 5 ? 5 : 40)
    }
  }
  return null
}

/** Until that many more actions were answered, and a moment more: in the middle of others. */
async function underLoad(counts: Counts, actions: number, moreMs: number): Promise<void> {
  const goal = counts.actions + actions
  for (let waited = 0; counts.actions < goal && waited < 10_000 && counts.violations.length === 0; waited += 5)
    await pause(5)
  await pause(moreMs)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
