import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../core/json.ts"
import { TINY_RETAIL } from "./tiny-retail.ts"

interface TinyTask {
  readonly id: string
  readonly actions: readonly { readonly name: string; readonly arguments: JsonObject }[]
  readonly communicate?: readonly string[]
  readonly assertions?: readonly string[]
  readonly basis?: readonly string[]
}

/** Tasks of the tiny store: one in order, one for each thing that can be wrong. */
const TASKS: readonly TinyTask[] = [
  {
    id: "0",
    actions: [
      { name: "find_user_id_by_email", arguments: { email: "ann.lee@example.com" } },
      { name: "cancel_pending_order", arguments: { order_id: "#W1", reason: "no longer needed" } },
    ],
  },
  {
    id: "1", // two changes at once, which only `fixed` books right; and a reference call that is refused
    actions: [
      { name: "get_order_details", arguments: { order_id: "W1" } },
      {
        name: "modify_pending_order_items",
        arguments: {
          order_id: "#W1",
          item_ids: ["9000000011", "1000000021"],
          new_item_ids: ["5000000013", "1000000022"],
          payment_method_id: "gift_card_1",
        },
      },
    ],
    communicate: ["0.55", "1,000"],
  },
  {
    id: "2", // nothing to do
    actions: [{ name: "get_order_details", arguments: { order_id: "#W5" } }],
    assertions: ["The agent refuses to cancel the order."],
    basis: ["DB", "COMMUNICATE", "NL_ASSERTION"],
  },
  {
    id: "3", // refunded three times in `strict`
    actions: [
      { name: "modify_pending_order_payment", arguments: { order_id: "#W3", payment_method_id: "paypal_1" } },
      { name: "cancel_pending_order", arguments: { order_id: "#W3", reason: "ordered by mistake" } },
    ],
    basis: ["DB"],
  },
]

/** Writes the tiny store as a checkout of τ²-bench holds its retail domain, into the folder `dir`. */
export function writeTinyRetail(dir: string): void {
  mkdirSync(dir, { recursive: true })
  const tasks = TASKS.map(({ id, actions, communicate = [], assertions = null, basis = ["DB", "NL_ASSERTION"] }) => ({
    id,
    description: { purpose: null, relevant_policies: null, notes: null },
    user_scenario: {
      persona: null,
      instructions: {
        task_instructions: "You are in a hurry.",
        domain: "retail",
        reason_for_call: `You need help with task ${id}.`,
        known_info: "You are Ann Lee.",
        unknown_info: null,
      },
    },
    initial_state: null,
    evaluation_criteria: {
      actions: actions.map((action, index) => ({ action_id: `${id}_${index}`, ...action, info: null })),
      communicate_info: communicate,
      nl_assertions: assertions,
      reward_basis: basis,
    },
  }))
  writeFileSync(join(dir, "db.json"), TINY_RETAIL)
  writeFileSync(join(dir, "tasks.json"), JSON.stringify(tasks))
  writeFileSync(join(dir, "policy.md"), "# Policy\n\nBe kind. Refunds take 5–7 days.\n")
  writeFileSync(
    join(dir, "split_tasks.json"),
    JSON.stringify({ train: ["0", "1"], test: ["2", "3"], base: ["0", "1", "2", "3"] }),
  )
}
