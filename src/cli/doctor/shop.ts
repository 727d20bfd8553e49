import { AppError, messageOf } from "../../core/errors.ts"
import type { Plan } from "../../core/run.ts"
import type { RunSpec } from "../../core/run-spec.ts"
import { probeShop } from "../../shop/probe.ts"
import { remoteEnvironment } from "../../shop/remote.ts"
import { smokeTest } from "../../shop/smoke.ts"
import type { Check } from "./check.ts"

/** So many of the run's tasks are walked through without a model. */
const WALKED_TASKS = 3

/** Walks through a shop server without a model, by the protocol the run will speak; null: the shop is in this process. */
export async function shopCheck({ environment }: RunSpec, { jobs }: Plan, signal: AbortSignal): Promise<Check | null> {
  const { base_url: baseUrl, token_env, protocol, rules } = environment
  if (baseUrl === null) return null
  const name = "shop"
  const advice = `souk smoke ${baseUrl} tells more`
  try {
    const token = token_env === null ? undefined : process.env[token_env]
    const [spoken] = await probeShop({ baseUrl, token, signal, protocol: protocol ?? undefined })
    if (spoken === undefined) return { name, result: "failed", detail: `${baseUrl} speaks neither protocol`, advice }
    const shop = remoteEnvironment({
      baseUrl,
      token,
      protocol: spoken.protocol,
      ...(rules === null || spoken.protocol === "reference" ? {} : { rules }),
    })
    const taskIds = [...new Set(jobs.map(({ task_id }) => task_id))].slice(0, WALKED_TASKS)
    const checks = await smokeTest(shop, { taskIds, signal })
    const failed = checks.filter(({ result }) => result === "failed")
    const passed = checks.filter(({ result }) => result === "passed").length
    const detail = `${baseUrl} (${spoken.protocol}): ${passed} of ${checks.length} checks passed`
    if (failed.length === 0) return { name, result: "ok", detail }
    const faults = failed.map((check) => `${check.name}: ${check.detail}`).join("; ")
    return { name, result: "failed", detail: `${detail}; ${faults}`, advice }
  } catch (error) {
    if (error instanceof AppError && error.code === "CANCELLED") throw error
    return { name, result: "failed", detail: messageOf(error), advice }
  }
}
