import { z } from "zod"
import type { JsonObject } from "../core/json.ts"
import { Language } from "./catalog.ts"
import { InteractionMode, RulesName } from "./rules.ts"

/**
 * What the native API's requests and answers carry. The server checks requests by these and documents itself with them; the
 * remote environment reads answers by them. `id` and `description` go into the OpenAPI document.
 */

// What came out of JSON.parse is JSON all the way down: that it is an object is all there is to check.
const AnyObject = z.looseObject({}) as unknown as z.ZodType<JsonObject>

export const LeaseId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "a lease is 32 hexadecimal digits")
  .meta({ description: "The lease: whoever knows it holds the session.", example: "0f8e4b5c0d6b4f3e9a1c2d3e4f506172" })

const WireObservation = z
  .object({
    text: z.string().meta({ description: "The page as text: all that a model reads." }),
    state: z
      .looseObject({
        observation_version: z.string(),
        page_type: z.string(),
        search_available: z.boolean(),
        actions: z.array(z.string()).meta({ description: "What can be clicked, in page order." }),
      })
      .meta({ description: "The same page as data." }),
  })
  .meta({ id: "Observation" })

const WireFeedback = z
  .object({
    action: z.string(),
    valid: z.boolean(),
    reason: z.string().meta({ description: "`executed`, or why the action changed nothing." }),
    message: z.string(),
    missing_option_axes: z.array(z.string()).optional(),
  })
  .meta({ id: "Feedback", description: "What became of an action. An invalid one still costs a step." })

const WireOutcome = z
  .object({
    termination_reason: z.string(),
    reward: z.number(),
    reward_detail: AnyObject.meta({
      description: "The reward's components; with `goal=true` also what they were measured against.",
    }),
    purchase: AnyObject.nullable(),
    goal: AnyObject.optional().meta({
      description: "The private goal, only with `goal=true`. Never for a model's eyes.",
    }),
  })
  .meta({ id: "Outcome" })

export const CreateSession = z
  .object({
    task_id: z
      .union([z.string().min(1), z.int()])
      .transform(String)
      .meta({ description: "A task of the catalog." }),
    rules: RulesName.optional().meta({ description: "Rule profile; the server's default when absent." }),
    mode: InteractionMode.optional().meta({ description: "Sets the number of actions: 30 or 40." }),
    persona: z.boolean().optional().meta({ description: "Play as a shopper whose profile is known." }),
    language: Language.optional().meta({ description: "Refused unless it is the catalog's." }),
    wait_s: z
      .number()
      .min(0)
      .max(3600)
      .optional()
      .meta({ description: "How long to wait in line when all sessions are taken; 30 when absent." }),
  })
  .meta({ id: "CreateSession", example: { task_id: "17", rules: "souk", persona: true } })

export const SessionCreated = z
  .object({
    lease: LeaseId,
    ttl_s: z.number().meta({ description: "Seconds after its last use, or heartbeat, at which the session is gone." }),
    next_step: z.int().meta({ description: "Number of the first action: 1." }),
    task_id: z.string(),
    instruction: z.string().meta({ description: "The requirement shown to the agent." }),
    persona: AnyObject.nullable(),
    observation: WireObservation,
    info: AnyObject.meta({ description: "Rules, mode, language, versions." }),
  })
  .meta({ id: "SessionCreated" })

export const ActRequest = z
  .object({
    step: z.int().min(1).meta({ description: "Number of this action in the session, from 1." }),
    action: z.string().meta({ description: "`search[...]` or `click[...]`." }),
  })
  .meta({ id: "Action", example: { step: 1, action: "search[台灯]" } })

export const TerminateRequest = z
  .object({ reason: z.enum(["action_limit", "generation_length"]).default("action_limit") })
  .meta({ id: "Termination" })

export const StepAnswer = z
  .object({
    next_step: z.int(),
    feedback: WireFeedback.nullable().meta({ description: "Null when the episode was ended from outside." }),
    observation: WireObservation,
    outcome: WireOutcome.nullable().meta({ description: "Set exactly when the episode is over." }),
  })
  .meta({ id: "Step" })

export const SessionState = z
  .object({
    ...StepAnswer.shape,
    lease: LeaseId,
    task_id: z.string(),
    expires_in_s: z.number(),
    info: AnyObject,
  })
  .meta({ id: "Session" })

export const Heartbeat = z.object({ expires_in_s: z.number() }).meta({ id: "Heartbeat" })

export const Released = z.object({ released: z.int() }).meta({ id: "Released" })

export const ServerInfo = z
  .object({
    name: z.literal("souk"),
    version: z.string(),
    api: z.literal("v1"),
    caller: z.object({ role: z.string() }).meta({ description: "Who you are here." }),
    catalog: z.object({
      content_hash: z.string(),
      language: Language,
      currency: z.string(),
      products: z.int(),
      tasks: z.int(),
      splits: z.array(z.object({ name: z.string(), role: z.string().nullable(), tasks: z.int() })),
    }),
    rules: z.object({ default: RulesName, available: z.array(RulesName) }),
    sessions: z.object({
      live: z.int(),
      waiting: z.int(),
      max: z.int(),
      ttl_s: z.number(),
      journaled: z.boolean().meta({ description: "Whether sessions outlive a restart of the server." }),
    }),
    identity: AnyObject.meta({ description: "What may change results, for these rules, mode and persona." }),
  })
  .meta({ id: "Info" })

const PublicTask = z
  .object({
    task_id: z.string(),
    instruction: z.string().meta({ description: "As a shopper with their profile known would begin." }),
    has_persona: z.boolean(),
  })
  .meta({ id: "Task" })

export const TaskPage = z
  .object({
    tasks: z.array(PublicTask),
    next_after: z.string().nullable().meta({ description: "Send as `after` for the next page; null on the last one." }),
  })
  .meta({ id: "TaskPage" })

const Price = z.string().meta({ description: "A number in the source's spelling." })

const ProductCard = z
  .object({
    asin: z.string(),
    title: z.string(),
    brand: z.string(),
    category: z.string(),
    pricing: z.array(Price).meta({ description: "Empty: no listing price; two: a range." }),
    key_attributes: z.array(z.string()),
    image: z.string().optional(),
  })
  .meta({ id: "ProductCard" })

export const ProductPage = z
  .object({
    query: z.string().nullable(),
    page: z.int(),
    total_pages: z.int(),
    total_results: z.int(),
    products: z.array(ProductCard),
  })
  .meta({ id: "ProductPage" })

export const ProductView = z
  .object({
    ...ProductCard.omit({ key_attributes: true }).shape,
    subtitle: z.string(),
    product_category: z.string(),
    attributes: z.array(z.string()),
    axes: z.array(
      z.object({
        name: z.string(),
        values: z.array(
          z.object({
            value: z.string(),
            price: Price.optional(),
            image: z.string().optional(),
            available: z.boolean().optional(),
          }),
        ),
      }),
    ),
    bullets: z.array(z.string()),
    description: z.string(),
  })
  .meta({ id: "Product" })
