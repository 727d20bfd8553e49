import { accessSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { run } from "../../assemble.ts"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import type { Manifest } from "../../core/run.ts"
import type { RunSpec } from "../../core/run-spec.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import { FLAWS, type Flaw } from "../../shop/prove/check-task.ts"
import { proveTasks } from "../../shop/prove/prove.ts"
import { FILES, readManifest } from "../../store/read.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import type { Check } from "./check.ts"
import { diagnose } from "./diagnose.ts"
import { shopCheck } from "./shop.ts"

/** So many tasks of the split are proved. */
const TRIED_TASKS = 100

export interface ExamineOptions {
  readonly episodes: number
  /** Keeps the trial run below this folder instead of throwing it away. */
  readonly keepIn?: string
  readonly signal: AbortSignal
  readonly onCheck?: (check: Check) => void
}

/**
 * Looks at everything an experiment needs before it is run: catalog, split, model and prompt by planning it, its folder, whether its
 * tasks can be done, and a few trial episodes through the real agent. Nothing is written to the experiment's own folder.
 * What is wrong is in the checks; throws only what `signal` throws.
 */
export async function examine(spec: RunSpec, { episodes, keepIn, signal, onCheck }: ExamineOptions): Promise<Check[]> {
  const checks: Check[] = []
  const report = (...found: Check[]) => {
    for (const check of found) {
      checks.push(check)
      onCheck?.(check)
    }
  }
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), "souk-doctor-"))
  try {
    const trial = await playTrial(spec, { folder, episodes, signal })
    report(planCheck(spec, trial))
    if (trial.manifest === null) return checks
    report(folderCheck(spec, trial.manifest))
    const shop = await shopCheck(spec, trial.manifest.plan, signal)
    if (shop !== null) report(shop)
    report(await tasksCheck(spec, trial.manifest, signal))
    report(...diagnose(trial.episodes))
    const whole = wholeRun(spec, trial.manifest, trial.episodes)
    if (whole !== null) report(whole)
    return checks
  } finally {
    if (keepIn === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

interface Trial {
  readonly manifest: Manifest | null // null: it could not even be planned
  readonly episodes: readonly EpisodeRecord[]
  readonly fault: unknown
}

async function playTrial(
  spec: RunSpec,
  { folder, episodes, signal }: { folder: string; episodes: number; signal: AbortSignal },
): Promise<Trial> {
  const { experiment } = spec
  const trial = {
    ...experiment,
    output_dir: folder,
    concurrency: Math.min(experiment.concurrency, episodes),
    max_attempts: 1,
  }
  const played: EpisodeRecord[] = []
  let fault: unknown
  try {
    await run({ ...spec, experiment: trial }, { signal, limit: episodes, onEpisode: (record) => played.push(record) })
  } catch (error) {
    fault = error
  }
  throwIfCancelled(signal)
  const runFolder = join(folder, experiment.name)
  const planned = existsSync(join(runFolder, FILES.manifest))
  return { manifest: planned ? readManifest(runFolder) : null, episodes: played, fault }
}

function planCheck({ environment, tasks, model }: RunSpec, { manifest, fault }: Trial): Check {
  const name = "plan"
  if (manifest === null) return { name, result: "failed", detail: messageOf(fault) }
  if (fault !== undefined)
    return { name, result: "failed", detail: `planned, but not played to its end: ${messageOf(fault)}` }
  const { plan } = manifest
  const { jobs, split } = plan
  const detail = `${jobs.length} episodes of ${split.task_count} tasks (split ${tasks.split}) in ${environment.catalog ?? environment.base_url}, rules ${String(plan.environment.rules)}, by ${model.id ?? model.name}`
  return { name, result: "ok", detail }
}

/** Whether a run would be written there, begin anew or go on, or be refused. */
function folderCheck({ experiment }: RunSpec, planned: Manifest): Check {
  const name = "folder"
  const { output_dir } = experiment
  const folder = join(output_dir, experiment.name)
  try {
    tryWriting(output_dir)
  } catch (error) {
    return {
      name,
      result: "failed",
      detail: `cannot write in ${output_dir}: ${messageOf(error)}`,
      advice: "name another experiment.output_dir",
    }
  }
  if (!existsSync(join(folder, FILES.manifest))) return { name, result: "ok", detail: `${folder} will be made` }
  try {
    if (readManifest(folder).fingerprint === planned.fingerprint)
      return { name, result: "ok", detail: `${folder} holds this run already; souk run goes on with it` }
  } catch (error) {
    return { name, result: "failed", detail: messageOf(error), advice: "choose another experiment.name" }
  }
  return {
    name,
    result: "failed",
    detail: `${folder} holds another run`,
    advice: "choose another experiment.name, or restore its settings to go on with it",
  }
}

/** Throws when nothing could be written in `folder`, which need not be there yet. */
function tryWriting(folder: string): void {
  if (!existsSync(folder)) {
    let parent = dirname(folder)
    while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent)
    accessSync(parent, constants.W_OK)
    return
  }
  const probe = join(folder, `.souk-doctor-${process.pid}`)
  writeFileSync(probe, "")
  rmSync(probe)
}

/** Whether the tasks can be done at all, by an oracle on the catalog. */
async function tasksCheck({ environment, tasks }: RunSpec, { plan }: Manifest, signal: AbortSignal): Promise<Check> {
  const name = "tasks"
  if (environment.catalog === null)
    return { name, result: "skipped", detail: "a server's catalog cannot be looked into" }
  const taskIds = [...new Set(plan.jobs.map(({ task_id }) => task_id))].slice(0, TRIED_TASKS)
  try {
    using catalog = await openNamedCatalog(environment.catalog)
    const proof = await proveTasks(catalog, { taskIds, rules: environment.rules ?? "souk", signal })
    const detail = `${proof.proved} of ${taskIds.length} tasks tried can be done with the product they were written for`
    if (proof.failing.length === 0) return { name, result: "ok", detail }
    const flaws = (Object.entries(proof.flaws) as [Flaw, number][]).map(([flaw, count]) => `${count} × ${FLAWS[flaw]}`)
    const advice = `souk tasks prove ${environment.catalog} --split ${tasks.split} lists them`
    return { name, result: proof.proved === 0 ? "failed" : "warning", detail: `${detail}: ${flaws.join("; ")}`, advice }
  } catch (error) {
    if (error instanceof AppError && error.code === "CANCELLED") throw error
    return { name, result: "skipped", detail: messageOf(error) }
  }
}

/** What the whole run will take, going by the trial. */
function wholeRun({ experiment }: RunSpec, { plan }: Manifest, episodes: readonly EpisodeRecord[]): Check | null {
  const played = episodes.filter(({ status }) => status === "completed")
  if (played.length === 0) return null
  const mean = (of: (episode: EpisodeRecord) => number) =>
    played.reduce((sum, episode) => sum + of(episode), 0) / played.length
  const seconds =
    (mean(({ duration_ms }) => duration_ms) * plan.jobs.length) /
    Math.min(experiment.concurrency, plan.jobs.length) /
    1000
  const tokens = mean(({ usage }) => (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0)) * plan.jobs.length
  const time =
    seconds < 90
      ? `${Math.max(1, Math.round(seconds))} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : `${(seconds / 3600).toFixed(1)} h`
  const spend = tokens === 0 ? "" : `, ${Math.round(tokens / 1000)} thousand tokens`
  return {
    name: "whole run",
    result: "ok",
    detail: `about ${time}${spend} for ${plan.jobs.length} episodes, ${experiment.concurrency} at a time`,
  }
}
