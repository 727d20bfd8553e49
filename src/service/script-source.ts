import type { Script } from "./script.ts"

/** Where frozen scripts come from. Gives the script as it was frozen; changes nothing in it that a player could see. */
export interface EvaluationScriptSource {
  /** Throws `NOT_FOUND` for a case it does not have, `REFUSED` for one that it must not give. */
  load(caseId: string, signal: AbortSignal): Promise<Script>
}
