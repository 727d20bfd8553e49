import { z } from "zod"
import { AppError } from "../core/errors.ts"
import { fingerprint, sha256Hex } from "../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { Skill, SkillProvider } from "../core/skill.ts"
import { taskIdValues } from "../core/task.ts"
import type { PromptLanguage } from "./prompt.ts"

/** Version of how skills are shown to a model. */
const RENDERER = "souk-skills-1"

const SkillTaskId = z.union([z.int().nonnegative(), z.string().min(1)])
const text = z.string().regex(/\S/, "must not be blank")
const json = z.custom<JsonObject>(isJsonObject, "expected an object")

const BankSkill = z.strictObject({
  skill_id: text,
  content: text,
  version: text.default("1"),
  enabled: z.boolean().default(true),
  /** Tasks it is for; null or none: all. */
  task_ids: z.array(SkillTaskId).nullable().default(null),
  metadata: json.default({}),
})

/** A file of skills. */
export const SkillBank = z.strictObject({
  schema_version: z.literal("shopsimrl-skillbank-v1"),
  bank_version: z.union([text, z.number()]),
  metadata: json.optional(),
  skills: z.array(BankSkill),
})
export type SkillBank = z.infer<typeof SkillBank>

/** Which skills each episode of a plan gets, decided before any is played. */
const SkillAssignment = z.strictObject({
  schema_version: z.literal("souk-skill-assignment-1"),
  assignments: z.array(
    z.strictObject({
      split: z.string(),
      task_id: SkillTaskId,
      sample_id: z.int().nonnegative(),
      skill_ids: z.array(text),
    }),
  ),
})

/** Plays without skills. */
export const NO_SKILLS: SkillProvider = { identity: () => ({ provider: "none" }), select: async () => [] }

/** A bank from the text of its file at `path`. Throws `BAD_INPUT` naming the place. */
export function parseSkillBank(content: string, path: string): SkillBank {
  const bank = parse(SkillBank, content, path)
  const seen = new Set<string>()
  for (const { skill_id } of bank.skills) {
    if (seen.has(skill_id)) throw new AppError("BAD_INPUT", `${path}: skill ${skill_id} is there twice`)
    seen.add(skill_id)
  }
  return bank
}

/** The bank's enabled skills that are for the task or for all, in the order of the file, at most `maxSkills`. */
export function bankProvider(bank: SkillBank, maxSkills: number | null): SkillProvider {
  return {
    identity: () => ({ provider: "json_skillbank", ...bankIdentity(bank), max_skills: maxSkills }),
    async select({ task_id }) {
      const skills = bank.skills.flatMap((skill) => {
        const scope = scopeFor(skill, task_id)
        return scope === null ? [] : [shown(skill, scope)]
      })
      return maxSkills === null ? skills : skills.slice(0, maxSkills)
    },
  }
}

/**
 * For each episode exactly the skills that the assignment at `path` names. Throws `BAD_INPUT` for ids the bank does not have, has
 * twice, or that are disabled or for other tasks; episodes without an assignment fail.
 */
export function assignedProvider(bank: SkillBank, content: string, path: string): SkillProvider {
  const { assignments } = parse(SkillAssignment, content, path)
  const chosen = new Map<string, readonly Skill[]>()
  for (const { split, task_id, sample_id, skill_ids } of assignments) {
    const key = keyOf(split, String(task_id), sample_id)
    if (chosen.has(key)) throw new AppError("BAD_INPUT", `${path}: ${key} is assigned twice`)
    const skills = skill_ids.map((id, index) => {
      if (skill_ids.indexOf(id) !== index) throw new AppError("BAD_INPUT", `${path}: ${key} names skill ${id} twice`)
      const skill = bank.skills.find((candidate) => candidate.skill_id === id)
      if (skill === undefined)
        throw new AppError("BAD_INPUT", `${path}: ${key} names skill ${id}, which the bank lacks`)
      const scope = scopeFor(skill, String(task_id))
      if (scope === null) {
        throw new AppError("BAD_INPUT", `${path}: ${key} names skill ${id}, which is disabled or for other tasks`)
      }
      return shown(skill, scope)
    })
    chosen.set(key, skills)
  }
  return {
    identity: () => ({
      provider: "assigned",
      ...bankIdentity(bank),
      assignment_sha256: fingerprint(assignments as unknown as Json),
    }),
    async select({ split, task_id, sample_id }) {
      const skills = chosen.get(keyOf(split, task_id, sample_id))
      if (skills !== undefined) return skills
      throw new AppError("BAD_INPUT", `${path} assigns nothing to ${keyOf(split, task_id, sample_id)}`)
    },
  }
}

/** What identifies skills in a fingerprint: the provider and, where there are any, how they are shown. */
export function skillsIdentity(provider: SkillProvider, language: PromptLanguage): JsonObject {
  const identity = provider.identity()
  if (identity.provider === "none") return identity
  return { ...identity, renderer: RENDERER, words_sha256: sha256Hex(JSON.stringify(WORDS[language])) }
}

const WORDS = {
  zh: ["[可选策略提示]", "以下提示是通用经验，未必适用于本任务；使用前请对照任务要求和当前页面核实。"],
  en: [
    "[Optional hints]",
    "These hints are general experience and may not fit this task: check them against the request and the page before you rely on them.",
  ],
} as const

/**
 * The block of the system message that shows skills; undefined where there are none. Ids and versions are JSON texts; in contents a
 * `<` that could begin or end a skill is written `&lt;`, so that no skill can pass for two, or for something else.
 */
export function skillBlock(skills: readonly Skill[], language: PromptLanguage): string | undefined {
  if (skills.length === 0) return undefined
  const blocks = skills.map(
    ({ skill_id, version, content }) =>
      `<skill id=${attribute(skill_id)} version=${attribute(version)}>\n${content.trim().replace(/<(?=\s*\/?\s*skill\b)/gi, "&lt;")}\n</skill>`,
  )
  return [...WORDS[language], ...blocks].join("\n")
}

function attribute(value: string): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e")
}

function scopeFor(skill: SkillBank["skills"][number], taskId: string): "global" | "task" | null {
  if (!skill.enabled) return null
  if (skill.task_ids === null || skill.task_ids.length === 0) return "global"
  return skill.task_ids.some((id) => String(id) === taskId) ? "task" : null
}

function shown({ skill_id, version, content, metadata }: SkillBank["skills"][number], scope: "global" | "task"): Skill {
  return { skill_id, version, content, metadata: { ...metadata, selection_scope: scope } }
}

function bankIdentity(bank: SkillBank): JsonObject {
  const { schema_version, bank_version } = bank
  return { schema_version, bank_version, bank_sha256: fingerprint(bank as unknown as Json) }
}

function keyOf(split: string, taskId: string, sampleId: number): string {
  return JSON.stringify([split, ...taskIdValues([taskId]), sampleId])
}

function parse<T>(schema: z.ZodType<T>, content: string, path: string): T {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new AppError("BAD_INPUT", `${path} is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${path} is not valid:\n${z.prettifyError(parsed.error)}`)
}
