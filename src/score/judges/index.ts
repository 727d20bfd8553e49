import type { Judge } from "../judge.ts"
import { factsJudge } from "./facts.ts"
import { policyJudge } from "./policy.ts"

/** The judges that come with Souk, by the names that commands and experiment files use. */
export const JUDGES: Readonly<Record<string, Judge>> = { facts: factsJudge, policy: policyJudge }
