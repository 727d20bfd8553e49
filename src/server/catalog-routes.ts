import { type OpenAPIHono, z } from "@hono/zod-openapi"
import type { Catalog } from "../shop/catalog.ts"
import { visibleInstruction } from "../shop/goal.ts"
import { environmentIdentity } from "../shop/identity.ts"
import { ProductPage, ProductView, ServerInfo, TaskPage } from "../shop/native-wire.ts"
import { InteractionMode, PAGE_SIZE, RulesName, SEARCH_TOP } from "../shop/rules.ts"
import type { ShopTask } from "../shop/task.ts"
import { json, type ServerEnv } from "./answer.ts"
import { addEndpoint } from "./endpoint.ts"
import type { ServerParts } from "./parts.ts"
import { Problem } from "./problem.ts"

const Flag = z.enum(["true", "false"]).default("false")
const tag = "Catalog"

/** What the server is, and what can be looked up in its catalog: nothing here is private. */
export function addCatalogRoutes(app: OpenAPIHono<ServerEnv>, parts: ServerParts): void {
  const { catalog, host, limits, shop } = parts
  const right = "viewer"

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/info",
      summary: "What this server is",
      tag: "Server",
      right,
      query: z.object({
        rules: RulesName.optional(),
        mode: InteractionMode.default("single_turn"),
        persona: Flag,
      }),
      answer: { status: 200, description: "Versions, catalog, sessions, and your role.", schema: ServerInfo },
    },
    ({ query, c }) => {
      const { manifest } = catalog
      const { leases } = host
      const terms = { rules: query.rules ?? parts.rules, mode: query.mode, persona: query.persona === "true" }
      return json({
        name: "souk",
        version: parts.version,
        api: "v1",
        caller: { role: c.var.role },
        catalog: {
          content_hash: manifest.content_hash,
          language: manifest.language,
          currency: manifest.currency,
          products: catalog.productCount,
          tasks: catalog.taskCount,
          splits: catalog.splits().map(({ name, role, task_ids }) => ({ name, role, tasks: task_ids.length })),
        },
        rules: { default: parts.rules, available: RulesName.options },
        sessions: {
          live: leases.size,
          waiting: leases.waiting,
          max: leases.capacity,
          ttl_s: host.ttlMs.native / 1000,
          journaled: parts.journaled,
        },
        identity: environmentIdentity(catalog, terms),
      })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/tasks",
      summary: "List tasks",
      tag,
      right,
      query: z.object({
        split: z.string().optional().meta({ description: "Only this split's, in its order." }),
        after: z.string().optional().meta({ description: "`next_after` of the page before." }),
        limit: z.coerce.number().int().min(1).max(1000).default(100),
      }),
      answer: { status: 200, description: "Public sides of tasks, a page of them.", schema: TaskPage },
      problems: ["not_found"],
    },
    ({ query: { split, after, limit } }) => {
      const ids = taskIds(catalog, split)
      const start = after === undefined ? 0 : ids.indexOf(after) + 1
      if (after !== undefined && start === 0) throw new Problem("bad_request", `No task ${after} is listed here`)
      const page = ids.slice(start, start + limit)
      const tasks = page.flatMap((id) => {
        const task = catalog.task(id)
        return task === undefined ? [] : [publicTask(task)]
      })
      return json({ tasks, next_after: start + limit < ids.length ? page.at(-1) : null })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/products",
      summary: "List or search products",
      tag,
      right,
      query: z.object({
        query: z
          .string()
          .max(2000)
          .optional()
          .meta({ description: "As an agent would search; all products when absent." }),
        page: z.coerce.number().int().min(1).default(1),
      }),
      answer: { status: 200, description: `A page of up to ${PAGE_SIZE} products.`, schema: ProductPage },
    },
    async ({ query: { query, page } }) => {
      const from = (page - 1) * PAGE_SIZE
      const hits = query === undefined ? null : await parts.find(query)
      const total = hits === null ? catalog.productCount : Math.min(hits.length, SEARCH_TOP)
      const documents =
        hits === null ? range(from, Math.min(from + PAGE_SIZE, total)) : hits.slice(from, from + PAGE_SIZE)
      return json({
        query: query ?? null,
        page,
        total_pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
        total_results: total,
        products: documents.map((document) => shop.summary(document)),
      })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/products/{asin}",
      summary: "Read a product",
      tag,
      right,
      params: z.object({ asin: z.string() }),
      answer: { status: 200, description: "All there is about it.", schema: ProductView },
      problems: ["product_not_found"],
    },
    ({ params }) => {
      const document = catalog.documentOf(params.asin)
      if (document === undefined) throw new Problem("product_not_found", `The catalog has no product ${params.asin}`)
      return json(catalog.product(document))
    },
  )
}

function taskIds(catalog: Catalog, split: string | undefined): string[] {
  if (split === undefined) return catalog.taskIds()
  const found = catalog.split(split)
  if (found !== undefined) return found.task_ids
  const names = catalog.splits().map(({ name }) => name)
  throw new Problem("not_found", `There is no split ${split}; there is ${names.join(", ") || "none"}`)
}

function publicTask(task: ShopTask): z.input<typeof TaskPage>["tasks"][number] {
  return {
    task_id: task.task_id,
    instruction: visibleInstruction(task, { persona: true }),
    has_persona: task.persona !== null,
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
}
