import type { Manifest } from "../core/run.ts"
import type { Price } from "../core/run-spec.ts"
import type { SkillProvider } from "../core/skill.ts"
import type { Suite } from "../core/suite.ts"
import type { Split } from "../core/task.ts"
import type { Assumption } from "../run/expectation.ts"

export interface AssembleCall {
  readonly signal: AbortSignal
  /** Chooses skills, instead of what the experiment names. */
  readonly skills?: SkillProvider
  /** Nobody is spoken to and no key is needed: good for looking at the plan, not for playing it. */
  readonly offline?: boolean
}

/** What a run is played with, once its names have become live parts. */
export interface Assembly {
  readonly folder: string
  readonly manifest: Manifest
  readonly suite: Suite
  /** Texts that many episodes share. */
  readonly blobs: readonly string[]
  readonly split: Split
  /** The file that the split is from. */
  readonly source: string
  /** How reports call what is evaluated. */
  readonly modelId: string
  readonly price?: Price
  /** Whether skills are used, and whether the experiment names them as frozen. */
  readonly skills: "none" | "frozen" | "open"
  /** Variables that the experiment names by a key; those that are not set stop a run. */
  readonly variables: readonly string[]
  /** What one episode may take, before there is one on record. */
  readonly assumed: Assumption
}
