import { AppError } from "../core/errors.ts"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import { TaskPage } from "./native-wire.ts"
import { REMOTE_TIMEOUTS, type Reply, Transport } from "./remote/transport.ts"

export type ShopProtocol = "native" | "reference"

/** Tasks to offer for a first look, and how far to look for them where they cannot be listed. */
const TASKS_WANTED = 12
const IDS_TRIED = 60

/**
 * Which protocols a server speaks, with some tasks to play by each. Throws `ENVIRONMENT_UNAVAILABLE` when it does not answer,
 * speaks none (or not the one that is asked for), or has no task; `REFUSED` when it asks for a token.
 */
export async function probeShop({
  baseUrl,
  token,
  signal,
  protocol,
}: {
  baseUrl: string
  token?: string | undefined
  signal: AbortSignal
  /** Only this one. */
  protocol?: ShopProtocol | undefined
}): Promise<{ protocol: ShopProtocol; taskIds: string[] }[]> {
  const transport = new Transport({ baseUrl, token, connectMs: REMOTE_TIMEOUTS.connect })
  const ask = (method: "GET" | "POST", path: string, body?: JsonObject): Promise<Reply> =>
    transport.exchange({
      method,
      path,
      signal,
      timeoutMs: REMOTE_TIMEOUTS.request,
      repeat: "never",
      ...(body === undefined ? {} : { body }),
    })
  try {
    const spoken: { protocol: ShopProtocol; taskIds: string[] }[] = []
    if (protocol !== "reference") {
      const taskIds = await nativeTasks(ask)
      if (taskIds !== null) spoken.push({ protocol: "native", taskIds })
    }
    if (protocol !== "native") {
      const taskIds = await referenceTasks(ask, spoken[0]?.taskIds)
      if (taskIds !== null) spoken.push({ protocol: "reference", taskIds })
    }
    const wanted =
      protocol === undefined ? "neither the native nor the reference protocol" : `not the ${protocol} protocol`
    if (spoken.length === 0) throw new AppError("ENVIRONMENT_UNAVAILABLE", `${baseUrl} answers, but speaks ${wanted}`)
    const empty = spoken.find(({ taskIds }) => taskIds.length === 0)
    if (empty === undefined) return spoken
    throw new AppError("ENVIRONMENT_UNAVAILABLE", `${baseUrl} has no task to play by the ${empty.protocol} protocol`)
  } finally {
    await transport.close()
  }
}

type Ask = (method: "GET" | "POST", path: string, body?: JsonObject) => Promise<Reply>

async function nativeTasks(ask: Ask): Promise<string[] | null> {
  const reply = await ask("GET", `/v1/tasks?limit=${TASKS_WANTED}`)
  refuseWithoutToken(reply)
  const page = TaskPage.safeParse(reply.body)
  return page.success ? page.data.tasks.map(({ task_id }) => task_id) : null
}

/** Tasks cannot be listed there: known ids, or the first integers that are one. */
async function referenceTasks(ask: Ask, known: string[] | undefined): Promise<string[] | null> {
  const reply = await ask("POST", "/api/shop_agent", { action: "" })
  const speaks = isJsonObject(reply.body) && isJsonObject(reply.body.result) && "error" in reply.body.result
  if (!speaks) return null
  refuseWithoutToken(reply)
  if (known !== undefined) {
    const integers = known.filter((id) => /^\d+$/.test(id))
    return integers.length === 0 ? null : integers // text ids cannot be named there
  }
  const found: string[] = []
  for (let idx = 0; idx < IDS_TRIED && found.length < TASKS_WANTED; idx++) {
    const { body, status } = await ask("POST", "/api/shop_agent", { action: "reset", idx })
    const result = isJsonObject(body) && isJsonObject(body.result) ? body.result : {}
    if (status !== 200 || !("lease_id" in result)) continue
    found.push(String(idx))
    const { env_idx, lease_id } = result
    await ask("POST", "/api/shop_agent", { action: "release_one", env_idx: env_idx ?? 0, lease_id: lease_id ?? "" })
  }
  return found
}

function refuseWithoutToken({ status }: Reply): void {
  if (status !== 401 && status !== 403) return
  throw new AppError(
    "REFUSED",
    `The server answered ${status}: it asks for a token; name its variable with --token-env`,
  )
}
