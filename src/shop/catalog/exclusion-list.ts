import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { sha256Hex } from "../../core/fingerprint.ts"
import type { CatalogManifest } from "../catalog.ts"

/** A versioned list of what to leave out of a catalog, kept beside it: `{ "version": "2025-06", "products": [{ "asin": "…", "reason": "…" }] }`. */
const ExclusionFile = z.strictObject({
  version: z.string().min(1),
  products: z.array(z.strictObject({ asin: z.string(), reason: z.string().default("listed") })).default([]),
  tasks: z.array(z.strictObject({ task_id: z.coerce.string(), reason: z.string().default("listed") })).default([]),
})

/** Looks products and tasks up in an exclusion list and remembers which entries were met. */
export class ExclusionList {
  readonly #identity: { name: string; version: string; sha256: string } | null
  readonly #products: Map<string, string>
  readonly #tasks: Map<string, string>
  readonly #met = new Set<string>()

  private constructor(identity: ExclusionList["identity"], products: Map<string, string>, tasks: Map<string, string>) {
    this.#identity = identity
    this.#products = products
    this.#tasks = tasks
  }

  static none(): ExclusionList {
    return new ExclusionList(null, new Map(), new Map())
  }

  /** Throws `NOT_FOUND` or `BAD_INPUT` naming the file and the place in it. */
  static read(path: string): ExclusionList {
    let text: string
    try {
      text = readFileSync(path, "utf8")
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code === "ENOENT" ? "NOT_FOUND" : "BAD_INPUT"
      throw new AppError(code, `Cannot read the exclusion list ${path}: ${messageOf(error)}`, { cause: error })
    }
    const { version, products, tasks } = parse(path, text)
    const identity = { name: basename(path), version, sha256: sha256Hex(text) }
    return new ExclusionList(
      identity,
      new Map(products.map(({ asin, reason }) => [asin, reason])),
      new Map(tasks.map(({ task_id, reason }) => [task_id, reason])),
    )
  }

  get identity(): { name: string; version: string; sha256: string } | null {
    return this.#identity
  }

  /** Why the product is left out, or undefined. */
  product(asin: string): string | undefined {
    return this.#meet(this.#products, asin, "product")
  }

  task(taskId: string): string | undefined {
    return this.#meet(this.#tasks, taskId, "task")
  }

  /** For the manifest; entries that nothing in the catalog answered to are named, the first 100. */
  record(): CatalogManifest["exclusion_list"] {
    if (this.#identity === null) return null
    const entries = [
      ...[...this.#products.keys()].map((asin) => `product ${asin}`),
      ...[...this.#tasks.keys()].map((taskId) => `task ${taskId}`),
    ]
    return { ...this.#identity, unmatched: entries.filter((entry) => !this.#met.has(entry)).slice(0, 100) }
  }

  #meet(list: Map<string, string>, key: string, kind: "product" | "task"): string | undefined {
    const reason = list.get(key)
    if (reason !== undefined) this.#met.add(`${kind} ${key}`)
    return reason
  }
}

function parse(path: string, text: string): z.infer<typeof ExclusionFile> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError("BAD_INPUT", `The exclusion list ${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = ExclusionFile.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new AppError(
    "BAD_INPUT",
    `The exclusion list ${path} is wrong at ${issue.path.join(".") || "its top"}: ${issue.message}; expected { "version": "…", "products": [{ "asin": "…" }], "tasks": [{ "task_id": "…" }] }`,
    { cause: parsed.error },
  )
}
