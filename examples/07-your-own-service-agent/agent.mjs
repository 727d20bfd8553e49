// A service agent of one's own, in plain HTTP: it looks up the order that a message names, and answers from what it found.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { json } from "node:stream/consumers"

const conversations = new Map() // id → { customer, tools_url, tools_token, events, wake }

function say(conversation, event) {
  conversation.events.push({ seq: conversation.events.length + 1, ...event })
  conversation.wake?.()
}

async function tool({ tools_url, tools_token }, name, args) {
  const headers = { authorization: `Bearer ${tools_token}`, "content-type": "application/json" }
  const body = JSON.stringify({ id: randomUUID(), name, arguments: args })
  const { ok, content } = await (await fetch(`${tools_url}/call`, { method: "POST", headers, body })).json()
  return ok ? JSON.parse(content) : null
}

async function answer(conversation, { id, text }) {
  say(conversation, { type: "consumed", message_ids: [id] })
  const order = await tool(conversation, "get_order", { order_id: /\b[A-Z]{2}\d{5}\b/.exec(text)?.[0] ?? "none" })
  const own = order?.customer_id === conversation.customer.customer_id
  const reply = own
    ? `Order ${order.order_id} is ${order.status}.`
    : "Sorry, I can only help with orders of this account."
  say(conversation, { type: "message", text: reply, answers: [id] })
  say(conversation, { type: "turn_end" })
}

export const agent = createServer(async (request, response) => {
  const [, , id, what] = request.url.split("?")[0].split("/").map(decodeURIComponent)
  const body = request.method === "POST" ? await json(request) : null
  const conversation = conversations.get(id)
  if (request.method === "POST" && id === undefined) conversations.set(body.id, { ...body, events: [] })
  else if (request.method === "DELETE") conversations.delete(id)
  else if (what === "messages") void answer(conversation, body)
  const after = Number(new URL(request.url, "http://localhost").searchParams.get("after") ?? 0)
  if (what === "events" && conversation.events.length <= after)
    await Promise.race([
      new Promise((wake) => (conversation.wake = wake)),
      new Promise((late) => setTimeout(late, 1000)),
    ])
  response.end(JSON.stringify({ events: conversation?.events.slice(after) ?? [] }))
})
