import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../../core/errors.ts"
import { fingerprint } from "../../../core/fingerprint.ts"
import type { Json } from "../../../core/json.ts"
import { PolicyCondition } from "../../../core/policy.ts"
import { packageFolder } from "../../../lib/package-version.ts"
import { parseYaml } from "../../../lib/yaml.ts"

const Name = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,59}$/,
    "expected lower-case letters, digits and hyphens, a letter first, 60 characters at most",
  )
const words = z.string().regex(/\S/, "must not be blank")

const Criterion = z.strictObject({
  /** Its verdicts are filed under `rubric.<id>`. */
  id: Name,
  /** What is asked of the case. */
  question: words,
  /** When the answer is pass, and when it is fail. */
  pass: words,
  fail: words,
  blocking: z.boolean().default(false),
  weight: z.number().positive().default(1),
  /** Which cases it concerns; absent: every case. The others get `not_applicable` without being asked about. */
  when: PolicyCondition.optional(),
})

/** What a model is asked about a case. */
export const Rubric = z.strictObject({
  name: Name,
  /** Raised with every change that may change an answer. */
  version: z.int().positive(),
  /** What it is written in, and the language of the cases it is meant for. */
  language: z.enum(["zh", "en"]),
  criteria: z
    .array(Criterion)
    .min(1)
    .check(({ value, issues }) => {
      for (const [index, { id }] of value.entries()) {
        if (value.findIndex((other) => other.id === id) === index) continue
        issues.push({ code: "custom", path: [index, "id"], message: `there is another criterion ${id}`, input: id })
      }
    }),
})
export type Rubric = z.infer<typeof Rubric>

/** A rubric that comes with Souk, in each language. */
const BUNDLED = ["service-quality"]

/**
 * The rubrics that `name` means: a file, or `bundled:service-quality`, which is one per language. Throws `NOT_FOUND`, and `BAD_INPUT` with
 * file, line and column of every fault.
 */
export async function readRubrics(name: string): Promise<Rubric[]> {
  const bundled = /^bundled:(.*)$/.exec(name)?.[1]
  if (bundled === undefined) return [await readRubric(name)]
  if (!BUNDLED.includes(bundled)) {
    throw new AppError(
      "BAD_INPUT",
      `There is no rubric ${name}; there is bundled:${BUNDLED.join(", bundled:")}, or a file`,
    )
  }
  const folder = join(packageFolder(), "data", "rubrics")
  return Promise.all((["en", "zh"] as const).map((language) => readRubric(join(folder, `${bundled}.${language}.yaml`))))
}

async function readRubric(path: string): Promise<Rubric> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the rubric ${path}: ${messageOf(error)}`, { cause: error })
  }
  return parseYaml(text, Rubric, { file: path })
}

/** SHA-256 of what a rubric says; comments, spacing and the order of its keys are not part of it. */
export function rubricSha256(rubric: Rubric): string {
  return fingerprint(rubric as unknown as Json)
}
