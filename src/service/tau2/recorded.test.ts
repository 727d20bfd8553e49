import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../core/json.ts"
import { testData } from "../../testing/data.ts"
import { retailWrites } from "../../testing/retail-calls.ts"
import type { RetailTables } from "./data.ts"
import { readDatabase } from "./database.ts"
import { brokenInvariants } from "./invariants.ts"
import { retailWorld, type Tau2Retail, tau2Retail } from "./retail.ts"

interface RecordedCall {
  readonly tool: string
  readonly args: JsonObject
  readonly ok: boolean
  readonly error?: string
  readonly contentSha256: string
}
interface Vectors {
  readonly initialDigest: string
  readonly tasks: readonly {
    readonly taskId: string
    readonly actions: readonly RecordedCall[]
    readonly finalDigest: string
  }[]
  readonly calls: readonly {
    readonly id: string
    readonly call: RecordedCall
    readonly textStable: boolean
    readonly digestAfter: string
  }[]
}

const data = testData()
const folder = data === undefined ? "" : join(data, "tau2-retail")
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"))
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Three recorded calls look at what an earlier call left behind; these are the calls that lead to their digests. */
const BEFORE: Readonly<Record<string, { tool: string; args: JsonObject }>> = {
  "cancel-after-modify": {
    tool: "modify_pending_order_items",
    args: {
      order_id: "#W1080318",
      item_ids: ["8349118980"],
      new_item_ids: ["9612497925"],
      payment_method_id: "credit_card_3577130",
    },
  },
  "modpay-twice": {
    tool: "modify_pending_order_payment",
    args: { order_id: "#W1080318", payment_method_id: "gift_card_3749819" },
  },
  "return-after-exchange": {
    tool: "exchange_delivered_order_items",
    args: {
      order_id: "#W7623533",
      item_ids: ["4772738468"],
      new_item_ids: ["4068787148"],
      payment_method_id: "paypal_8673863",
    },
  },
}

describe.skipIf(data === undefined)("what the original answered", () => {
  const vectors: Vectors =
    data === undefined ? { initialDigest: "", tasks: [], calls: [] } : read("vectors-sample.json")
  const start = data === undefined ? undefined : tau2Retail({ db: join(folder, "db.json"), mode: "strict" })
  const fresh = (): Tau2Retail => start!.fork()

  it("the untouched database has the recorded digest, read from the file or parsed before", () => {
    expect(fresh().digest()).toBe(vectors.initialDigest)
    expect(tau2Retail({ db: read("db.json") }).digest()).toBe(vectors.initialDigest)
  })

  it("there are recordings to compare with", () => {
    expect(vectors.tasks.length).toBeGreaterThan(20)
    expect(vectors.calls.length).toBeGreaterThan(40)
  })

  it.each(vectors.tasks.map((task) => [task.taskId, task] as const))(
    "task %s: every call's outcome and text, and the last digest",
    (_, { actions, finalDigest }) => {
      const retail = fresh()
      for (const { tool, args, ok, contentSha256 } of actions) {
        const answer = retail.call(tool, args)
        expect({ tool, ok: answer.ok, sha256: sha256(answer.content) }).toEqual({ tool, ok, sha256: contentSha256 })
      }
      expect(retail.digest()).toBe(finalDigest)
    },
  )

  it.each(vectors.calls.map((call) => [call.id, call] as const))(
    "call %s",
    (id, { call: { tool, args, ok, error, contentSha256 }, textStable, digestAfter }) => {
      const retail = fresh()
      const before = BEFORE[id]
      if (before !== undefined) expect(retail.call(before.tool, before.args).ok).toBe(true)
      const answer = retail.call(tool, args)
      expect(answer.ok).toBe(ok)
      if (textStable) expect(sha256(answer.content), error ?? answer.content).toBe(contentSha256)
      expect(retail.digest()).toBe(digestAfter)
    },
  )

  it("a product's variants keep their order even when the database was parsed before", () => {
    const parsed = tau2Retail({ db: read("db.json") })
    for (const id of readDatabase(join(folder, "db.json")).products.keys()) {
      const call = ["get_product_details", { product_id: id }] as const
      expect(parsed.call(...call).content).toBe(fresh().call(...call).content)
    }
  })
})

describe.skipIf(data === undefined)("fixed on the published database", () => {
  it("keeps the books right after any calls", () => {
    const tables: RetailTables = readDatabase(join(folder, "db.json"))
    expect(brokenInvariants(tables, tables)).toEqual([])
    const world = retailWorld(tables, "fixed")
    fc.assert(
      fc.property(fc.array(retailWrites(tables), { minLength: 1, maxLength: 20 }), (calls) => {
        world.restore(tables)
        for (const { tool, args } of calls) world.call(tool, args)
        expect(brokenInvariants(tables, world.state)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
