import { z } from "zod"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import { SCRIPT_SCHEMA, Script } from "../script.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const Text = z.string()

/** A task as `tasks.json` has it. */
export const Tau2Task = z.looseObject({
  id: z.string().min(1),
  description: z.looseObject({ purpose: Text.nullish() }).nullish(),
  user_scenario: z.looseObject({
    persona: Text.nullish(),
    instructions: z.looseObject({
      task_instructions: Text,
      domain: Text,
      reason_for_call: Text,
      known_info: Text.nullish(),
      unknown_info: Text.nullish(),
    }),
  }),
  initial_state: z.null({ error: "a starting state of its own is not supported" }).optional(),
  evaluation_criteria: z.looseObject({
    actions: z.array(
      z.looseObject({ action_id: Text, name: Text, arguments: json, compare_args: z.array(Text).nullish() }),
    ),
    communicate_info: z.array(Text).nullish(),
    nl_assertions: z.array(Text).nullish(),
    reward_basis: z.array(z.enum(["DB", "COMMUNICATE", "NL_ASSERTION", "ACTION"])),
  }),
  issues: z.array(json).nullish(),
})
export type Tau2Task = z.infer<typeof Tau2Task>

/** What of a τ² task a script keeps under `tau2`, to be rewarded as the original rewards. */
export const Tau2Criteria = z.looseObject({
  task_id: z.string().min(1),
  reward_basis: Tau2Task.shape.evaluation_criteria.shape.reward_basis,
  communicate_info: z.array(Text),
  nl_assertions: z.array(Text),
})
export type Tau2Criteria = z.infer<typeof Tau2Criteria>

/** A script made of a τ² task. */
export const Tau2Script = Script.extend({ tau2: Tau2Criteria, gold: Script.shape.gold.unwrap() })
export type Tau2Script = z.infer<typeof Tau2Script>

/** The data knows no date; the story is given one, in the zone that the policy's times are in. */
const STARTS_AT = "2024-05-15T15:00:00-05:00"
export const TAU2_TIME_ZONE = "America/New_York"

/**
 * The script of a task: its scenario becomes the buyer's card (there are no frozen words to say), its actions the reference play, its
 * criteria checks. Only what is in the task's reward basis blocks.
 */
export function tau2Script({ id, description, user_scenario, evaluation_criteria, issues }: Tau2Task): Tau2Script {
  const { actions, communicate_info, nl_assertions, reward_basis } = evaluation_criteria
  const { persona, instructions } = user_scenario
  const blocking = (basis: (typeof reward_basis)[number]) => reward_basis.includes(basis)
  const outputs = communicate_info ?? []
  const assertions = nl_assertions ?? []
  return Tau2Script.parse({
    schema: SCRIPT_SCHEMA,
    id: `tau2-retail-${id}`,
    case_id: id,
    language: "en",
    time_zone: TAU2_TIME_ZONE,
    ...(description?.purpose ? { title: description.purpose } : {}),
    starts_at: STARTS_AT,
    goal: instructions.reason_for_call,
    buyer: { persona: persona ?? null, ...instructions },
    checks: [
      {
        id: "state",
        kind: "state",
        text: "The database ends as the reference actions leave it.",
        blocking: blocking("DB"),
        settings: { expected: "gold" },
      },
      ...(outputs.length === 0
        ? []
        : [
            {
              id: "communicate",
              kind: "communicate",
              text: `The buyer is told: ${outputs.join("; ")}.`,
              blocking: blocking("COMMUNICATE"),
              settings: { outputs },
            },
          ]),
      ...assertions.map((text, index) => ({
        id: `assertion-${index + 1}`,
        kind: "process",
        text,
        blocking: blocking("NL_ASSERTION"),
        settings: { judge: "model" },
      })),
    ],
    gold: { actions: actions.map(({ requestor: _, ...action }) => action), outputs },
    tau2: {
      task_id: id,
      reward_basis,
      communicate_info: outputs,
      nl_assertions: assertions,
      ...(issues == null ? {} : { issues }),
    },
  })
}
