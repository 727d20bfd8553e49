import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { json } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"

interface Opened {
  readonly tools_url: string
  readonly tools_token: string
  readonly events: object[]
  /** Events that the caller has taken. */
  taken: number
}

export interface DeskAgent {
  readonly url: string
  /** Most conversations that were open at once; those of callers that were killed stay open. */
  most(): number
  close(): Promise<void>
}

/**
 * A service agent in a process of others: it looks up the order that a message names and repeats what it was told, taking `delayMs` for every
 * request. Callers may be gone at any moment.
 */
export async function serveDeskAgent({ delayMs = 0 } = {}): Promise<DeskAgent> {
  const conversations = new Map<string, Opened>()
  let most = 0

  async function answer(conversation: Opened, { id, text }: { id: string; text: string }) {
    const { tools_url, tools_token, events } = conversation
    const say = (event: object) => events.push({ seq: events.length + 1, ...event })
    say({ type: "consumed", message_ids: [id] })
    const until = performance.now() + 2000 // the look-up is of this turn once the caller knows that the words were read
    while (conversation.taken < events.length && performance.now() < until) await sleep(2)
    const order_id = /\bSK\d{5}\b/.exec(text)?.[0] ?? "none"
    const headers = { authorization: `Bearer ${tools_token}`, "content-type": "application/json" }
    const body = JSON.stringify({ id: `look-up-${id}`, name: "get_order", arguments: { order_id } })
    const found = await fetch(`${tools_url}/call`, { method: "POST", headers, body }).then(
      (answer) => answer.json() as Promise<{ ok: boolean }>,
    )
    say({ type: "message", text: `You said: ${text} (${found.ok ? "an order" : "no order"})`, answers: [id] })
    say({ type: "turn_end" })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost")
    const [, , id = "", what] = url.pathname.split("/").map(decodeURIComponent)
    const body = request.method === "POST" ? ((await json(request)) as { id: string; text: string } & Opened) : null
    await sleep(delayMs)
    if (body !== null && id === "") conversations.set(body.id, { ...body, events: [], taken: 0 })
    most = Math.max(most, conversations.size)
    const conversation = conversations.get(id)
    if (request.method === "DELETE") conversations.delete(id)
    else if (what === "messages" && conversation !== undefined && body !== null)
      answer(conversation, body).catch(() => {}) // whoever asked is gone
    const after = Number(url.searchParams.get("after") ?? 0)
    if (conversation !== undefined) conversation.taken = Math.max(conversation.taken, after)
    const until = performance.now() + 1000
    while (what === "events" && (conversation?.events.length ?? 0) <= after && performance.now() < until) await sleep(5)
    response.end(JSON.stringify({ events: conversation?.events.slice(after) ?? [] }))
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    most: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
