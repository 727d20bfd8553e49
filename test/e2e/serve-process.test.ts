import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { freePort, killRounds, soukCommand } from "./kill-rounds.ts"
import { clientOf, temporaryFolder } from "./serve-helper.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const command = soukCommand()

async function catalogFile(folder: string): Promise<string> {
  const catalog = await tinyCatalog(folder)
  catalog.close()
  return catalog.path
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A `souk` process; `line` is its first line of output. */
function souk(args: string[], { shell = "", env = {} }: { shell?: string; env?: Record<string, string> } = {}) {
  const words = [command.program, ...command.args, ...args]
  const [program, argv] =
    shell === "" ? [words[0]!, words.slice(1)] : ["bash", ["-c", `${shell}; exec "$@"`, "bash", ...words]]
  const child: ChildProcess = spawn(program, argv, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let stdout = ""
  let stderr = ""
  child.stdout?.on("data", (data) => {
    stdout += data
  })
  child.stderr?.on("data", (data) => {
    stderr += data
  })
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })))
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once("line", resolve)
    void ended.then((end) => reject(new Error(`ended with ${end.code}: ${end.stderr}`)))
  })
  line.catch(() => {})
  return { child, line, ended }
}

describe("souk serve", () => {
  it("says where it listens, and stops when it is told to, once what is under way has ended", async () => {
    const folder = temporaryFolder()
    const { child, line, ended } = souk(["serve", "--catalog", await catalogFile(folder), "--port", "0", "--json"])
    const ready = JSON.parse(await line)
    expect(ready).toMatchObject({
      event: "ready",
      products: 46,
      tasks: 3,
      state: null,
      restored_sessions: 0,
      pid: child.pid,
    })
    const { call } = clientOf(ready.url)
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: "0" } })).body
    // A request that has begun when the signal comes: its body arrives afterwards.
    const body = JSON.stringify({ step: 1, action: "search[台灯]" })
    const socket = connect(ready.port, "127.0.0.1")
    const heard = new Promise<string>((resolve) => {
      let text = ""
      socket.on("data", (data) => {
        text += data
      })
      socket.on("close", () => resolve(text))
    })
    const length = Buffer.byteLength(body)
    socket.write(
      `POST /v1/sessions/${lease}/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    )
    socket.write(body.slice(0, 5))
    await new Promise((resolve) => setTimeout(resolve, 300))
    child.kill("SIGTERM")
    await new Promise((resolve) => setTimeout(resolve, 300))
    socket.write(body.slice(5))
    expect(await heard).toMatch(/^HTTP\/1\.1 200 [\s\S]*"next_step":2/)
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout.trim().split("\n").at(-1)).toBe('{"event":"stopped"}')
    await expect(call("GET", "/healthz")).rejects.toThrow()
  })

  it("tells those who wait in line that it stops", async () => {
    const folder = temporaryFolder()
    const flags = ["--port", "0", "--max-sessions", "1", "--json"]
    const { child, line, ended } = souk(["serve", "--catalog", await catalogFile(folder), ...flags])
    const { call } = clientOf(JSON.parse(await line).url)
    await call("POST", "/v1/sessions", { body: { task_id: "0" } })
    const waiting = call("POST", "/v1/sessions", { body: { task_id: "0" } })
    while ((await call("GET", "/v1/info")).body.sessions.waiting !== 1);
    child.kill("SIGINT")
    const refused = await waiting
    expect([refused.status, refused.body.code]).toEqual([503, "stopping"])
    expect((await ended).code).toBe(0)
  })

  it("goes on with the same leases after it was stopped or killed", async () => {
    const folder = temporaryFolder()
    const port = await freePort()
    const flags = [
      "--catalog",
      await catalogFile(folder),
      "--port",
      String(port),
      "--state",
      join(folder, "state"),
      "--json",
    ]
    const first = souk(["serve", ...flags])
    const { call, shop } = clientOf(JSON.parse(await first.line).url)
    const native = (await call("POST", "/v1/sessions", { body: { task_id: "0", rules: "v8" } })).body.lease
    const act = (step: number, action: string) =>
      call("POST", `/v1/sessions/${native}/actions`, { body: { step, action } })
    await act(1, "search[台灯]")
    const answer = await act(2, "click[next >]")
    const { env_idx, lease_id } = (await shop({ action: "reset", idx: 1 })).body.result
    await shop({ action: "interact", env_idx, lease_id, response: "search[水壶]" })
    const gone = (await call("POST", "/v1/sessions", { body: { task_id: "0" } })).body.lease
    await call("DELETE", `/v1/sessions/${gone}`)
    first.child.kill("SIGKILL")
    await first.ended
    const second = souk(["serve", ...flags])
    expect(JSON.parse(await second.line).restored_sessions).toBe(2)
    expect((await act(2, "click[next >]")).text).toBe(answer.text)
    expect((await act(3, "click[< prev]")).body.observation.state.page).toBe(1)
    const opened = await shop({ action: "interact", env_idx, lease_id, response: "click[200000000000]" })
    expect(opened.body.result.action_feedback.valid).toBe(true)
    expect((await call("GET", `/v1/sessions/${gone}`)).status).toBe(404)
    second.child.kill("SIGTERM")
    expect((await second.ended).code).toBe(0)
    const third = souk(["serve", ...flags])
    expect(JSON.parse(await third.line).restored_sessions).toBe(2)
    expect((await act(4, "click[next >]")).body.observation.state.page).toBe(2)
  }, 60_000)

  it("killed ten times under load it loses no session and answers no action in two ways", async () => {
    const folder = temporaryFolder()
    const report = await killRounds({
      command,
      catalog: await catalogFile(folder),
      taskIds: ["0", "1", "2"],
      state: join(folder, "state"),
      kills: 10,
      agents: 6,
      seed: 1,
    })
    expect(report.violations).toEqual([])
    expect(report.actions).toBeGreaterThan(50)
    expect(report.repeated).toBeGreaterThan(10)
    expect(report.restored).toBeGreaterThan(10)
  }, 180_000)

  it("refuses sessions of another catalog, and what it cannot listen on or write to, in words", async () => {
    const folder = temporaryFolder()
    const catalog = await catalogFile(folder)
    const other = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once("listening", resolve))
    const { port } = other.address() as AddressInfo
    writeFileSync(join(folder, "file"), "")
    writeFileSync(
      join(folder, "sessions.jsonl"),
      `${JSON.stringify({ type: "journal", schema: "souk.sessions/1", catalog_hash: "another" })}\n` +
        `${JSON.stringify({ type: "start", lease: "0".repeat(32), slot: 0, protocol: "native", task_id: "0", rules: "v8", mode: "single_turn", persona: false })}\n`,
    )
    const cases: [string[], number, RegExp][] = [
      [["--port", String(port), "--no-journal"], 3, /127\.0\.0\.1:\d+ is in use; .*--port/],
      [["--port", "0", "--state", join(folder, "file", "state")], 1, /Cannot write to .*file/],
      [["--port", "0", "--state", folder], 3, /1 sessions on catalog another.*--state.*delete the file/],
      [["--port", "0", "--host", "0.0.0.0"], 3, /without a token.*--token-env/],
      [["--port", "0", "--token-env", "SOUK_TEST_NOT_SET"], 2, /SOUK_TEST_NOT_SET.*is not set/],
      [["--port", "0", "--token-env", "SOUK_TEST_SHORT"], 2, /at least 16/],
      [["--port", "0", "--host", "192.0.2.1", "--token-env", "SOUK_TEST_TOKEN"], 2, /no address of this machine/],
      [["--port", "x"], 2, /--port must be a whole number from 0 to 65535, not "x"/],
      [["--max-sessions", "0"], 2, /--max-sessions must be a whole number from 1 up/],
      [["--rules", "v9"], 2, /--rules must be v8 or souk/],
    ]
    const env = { SOUK_TEST_SHORT: "secret-short", SOUK_TEST_TOKEN: "0123456789abcdef" }
    await Promise.all(
      cases.map(async ([flags, code, words]) => {
        const end = await souk(["serve", "--catalog", catalog, ...flags], { env }).ended
        expect(end.stderr, flags.join(" ")).toMatch(words)
        expect(end.code, flags.join(" ")).toBe(code)
        expect(end.stderr).not.toContain("secret-short")
      }),
    )
  }, 120_000)

  it("with a full disk it refuses what it cannot remember, harms nothing, and goes on when there is room", async () => {
    const folder = temporaryFolder()
    const state = join(folder, "state")
    const flags = ["serve", "--catalog", await catalogFile(folder), "--port", "0", "--state", state, "--json"]
    const limited = souk(flags, { shell: "ulimit -f 8" }) // no file beyond 8 KiB: writes fail as on a full disk
    const { call, shop } = clientOf(JSON.parse(await limited.line).url)
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: "0" } })).body
    let step = 1
    let refused = await call("POST", `/v1/sessions/${lease}/actions`, { body: { step, action: "search[台灯]" } })
    while (refused.status === 200 && step < 30) {
      step++
      refused = await call("POST", `/v1/sessions/${lease}/actions`, {
        body: { step, action: `click[${"x".repeat(700)}]` },
      })
    }
    expect([refused.status, refused.body.code]).toEqual([503, "journal_unwritable"])
    expect(refused.body.detail).toMatch(/Cannot write .*sessions\.jsonl.*nothing was done/)
    expect((await call("GET", `/v1/sessions/${lease}`)).body.next_step).toBe(step)
    expect((await call("POST", "/v1/sessions", { body: { task_id: "x".repeat(900) } })).status).toBe(404)
    expect((await shop({ action: "interact", env_idx: 0, lease_id: lease, response: "x".repeat(900) })).status).toBe(
      503,
    )
    const short = await call("POST", `/v1/sessions/${lease}/actions`, { body: { step, action: "x" } })
    expect([200, 503]).toContain(short.status)
    const next = short.status === 200 ? step + 1 : step
    limited.child.kill("SIGKILL")
    await limited.ended
    expect(readFileSync(join(state, "sessions.jsonl"), "utf8").endsWith("\n")).toBe(true)
    const roomy = souk(flags)
    const again = clientOf(JSON.parse(await roomy.line).url)
    expect((await again.call("GET", `/v1/sessions/${lease}`)).body.next_step).toBe(next)
    const done = await again.call("POST", `/v1/sessions/${lease}/actions`, {
      body: { step: next, action: "click[back to search]" },
    })
    expect(done.body.feedback.valid).toBe(true)
  }, 60_000)
})

describe("souk smoke", () => {
  it("passes on our server by both protocols, and says which check failed on one that is broken", async () => {
    const folder = temporaryFolder()
    const served = souk(["serve", "--catalog", await catalogFile(folder), "--port", "0", "--json"])
    const { url } = JSON.parse(await served.line)
    const passed = await souk(["smoke", url, "--json"]).ended
    expect(passed.code, passed.stderr + passed.stdout).toBe(0)
    const report = JSON.parse(passed.stdout)
    expect(report.results.map(({ protocol }: { protocol: string }) => protocol)).toEqual(["native", "reference"])
    for (const { checks } of report.results) {
      expect(checks.map(({ result }: { result: string }) => result)).toEqual(new Array(10).fill("passed"))
    }

    // In between stands a proxy that lets an agent buy what is not fully chosen.
    const broken = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on("data", (part) => parts.push(part))
      request.on("end", async () => {
        const sent = Buffer.concat(parts).toString()
        const body = sent.replace('"click[buy now]"', '"click[< prev]"')
        const headers = { "content-type": request.headers["content-type"] ?? "application/json" }
        const method = request.method ?? "GET"
        const answer = await fetch(url + request.url, { method, headers, ...(method === "GET" ? {} : { body }) })
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
        response.end(await answer.text())
      })
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void broken.close())
    await new Promise((resolve) => broken.once("listening", resolve))
    const address = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
    const failed = await souk(["smoke", address, "--protocol", "reference"]).ended
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(
      /FAIL product with options: expected click\[buy now\] to be refused as incomplete_options, but saw/,
    )

    const nowhere = await souk(["smoke", "http://127.0.0.1:1", "--json"]).ended
    expect(JSON.parse(nowhere.stdout).error.code).toBe("ENVIRONMENT_UNAVAILABLE")
  }, 120_000)
})
