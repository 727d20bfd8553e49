import type { JsonObject } from "../core/json.ts"
import type { Model } from "../core/model.ts"
import type { ServiceSpec } from "../core/service-spec.ts"
import type { Suite } from "../core/suite.ts"
import type { Variables } from "../lib/dotenv.ts"
import { deterministicRole, type EvaluationRole } from "../service/role.ts"
import { modelChecker } from "../service/roles/checker.ts"
import { modelMinds } from "../service/roles/model-mind.ts"
import { SimulatedBuyerRole } from "../service/roles/simulated.ts"
import { templateMinds } from "../service/roles/template.ts"
import { endpointVariables, modelFor, type SharedModel } from "./model.ts"

/** Our side of a run's conversations. */
export interface BuyerSide {
  readonly identity: JsonObject
  /** Who plays the buyer in one case; a simulated one remembers its case. */
  forCase(): EvaluationRole | SimulatedBuyerRole
  readonly limiter?: NonNullable<Suite["limiter"]>
  /** Names of the environment's variables that it reads. */
  readonly variables: readonly string[]
  close(): Promise<void>
}

/** The buyer that `role` names. With `variables` null it may be asked for its identity only. */
export async function openBuyer(role: ServiceSpec["role"], variables: Variables | null): Promise<BuyerSide> {
  if (role.kind === "deterministic") {
    return {
      identity: deterministicRole.identity(),
      forCase: () => deterministicRole,
      variables: [],
      close: async () => {},
    }
  }
  const shared = role.model === null ? undefined : await modelFor(role.model, variables)
  const forCase = () =>
    new SimulatedBuyerRole({
      minds: role.mode === "model" ? modelMinds({ open: () => modelOf(shared) }) : templateMinds,
      ...(role.check === "model" && { checker: modelChecker(modelOf(shared)) }),
      maxRewrites: role.max_rewrites,
    })
  return {
    identity: forCase().identity(),
    forCase,
    ...(shared?.limiter !== undefined && { limiter: shared.limiter }),
    variables: role.model === null ? [] : endpointVariables(role.model),
    close: async () => shared?.close(),
  }
}

function modelOf(shared: SharedModel | undefined): Model {
  if (shared === undefined) throw new Error("The experiment's check lets no model be missing here")
  return shared.open()
}
