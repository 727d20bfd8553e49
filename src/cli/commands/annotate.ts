import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { AppError } from "../../core/errors.ts"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import type { Model } from "../../core/model.ts"
import { type FolderLock, lockFolder } from "../../lib/folder-lock.ts"
import { openLineWriter } from "../../lib/jsonl.ts"
import { isDatabaseOfKind } from "../../lib/sqlite.ts"
import { noLimiter } from "../../models/limiter.ts"
import { openAiModel } from "../../models/openai.ts"
import { type AnnotateProgress, type AnnotateResult, annotate, TRACE_HEADERS } from "../../shop/annotate/annotate.ts"
import { buildPriced } from "../../shop/annotate/build.ts"
import { type CacheContent, type Provenance, readCache } from "../../shop/annotate/cache.ts"
import { createPacer } from "../../shop/annotate/pace.ts"
import { ANNOTATION_VERSION, isNamed, promptSha256, replyFormat } from "../../shop/annotate/protocol.ts"
import { openPriceSource, type PriceSource } from "../../shop/annotate/source.ts"
import { owedQuestions } from "../../shop/annotate/tasks.ts"
import { CATALOG_KIND } from "../../shop/catalog/file.ts"
import type { Catalog } from "../../shop/catalog.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import { type CommandContext, EXIT, type Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { seconds, wholeNumber } from "../flags.ts"

const SILICONFLOW = "https://api.siliconflow.cn/v1"
const CACHE_FILE = "annotations.jsonl"
const TOLD_FAILURES = 5

/** Flags that say whose annotations are meant; all three commands take them. */
interface WhoseFlags {
  readonly out: string
  readonly model: string
  readonly baseUrl: string
}

interface AskFlags extends WhoseFlags {
  readonly confirmPaidApi?: boolean
  readonly apiKeyEnv: string | false
  readonly workers: string
  readonly requestsPerMinute: string
  readonly retries: string
  readonly maxRequests?: string
  readonly extraBody?: string
  readonly timeout: string
}

interface BuildFlags extends WhoseFlags {
  readonly runtimeRegexTaskId: string[]
  readonly force?: boolean
}

/** What a command works on: the cleaned source, whose annotations are meant, and those there are. */
interface Workplace extends CacheContent {
  readonly source: PriceSource
  readonly origin: Catalog
  readonly provenance: Provenance
  readonly cache: string
}

function withWhose(command: Command): Command {
  return command
    .argument("<source...>", "a catalog (a file, bundled:zh, bundled:en), or raw product files")
    .requiredOption("--out <folder>", "the folder that keeps annotations and what is built of them")
    .option("--model <name>", "the model that is asked", "Qwen/Qwen3.5-27B")
    .option("--base-url <url>", "its endpoint, up to and without /chat/completions", SILICONFLOW)
    .option("--json", "print JSON")
}

const registerPlan: Register = (program, run) => {
  withWhose(commandGroup(program, "annotate").command("plan"))
    .description("count what would be asked; nobody is asked")
    .addHelpText("after", "\nExample:\n  souk annotate plan products.json.gz --out priced")
    .action(
      run(async (context, sources: string[], flags: WhoseFlags) => {
        await withWorkplace(context, sources, flags, { lock: false }, async (place) => {
          const counts = countsOf(place)
          context.result({ ...counts, provenance: place.provenance, cache: place.cache }, planText(counts, place))
        })
      }),
    )
}

const collect = (value: string, all: string[]) => [...all, value]

const registerAsk: Register = (program, run) => {
  withWhose(commandGroup(program, "annotate").command("annotate").alias("run"))
    .description("ask a model for the budget in every text that is owed, one text a request; goes on where it was")
    .option("--confirm-paid-api", "say that requests may cost money; nothing is asked without it")
    .option("--api-key-env <name>", "the variable that holds the key", "SILICONFLOW_API_KEY")
    .option("--no-api-key-env", "the endpoint wants no key")
    .option("--workers <n>", "requests in flight", "32")
    .option("--requests-per-minute <n>", "requests that are started in a minute", "32")
    .option("--retries <n>", "further attempts at a text after a fault or an unusable reply", "5")
    .option("--max-requests <n>", "texts to ask about in this invocation, at most")
    .option("--extra-body <json>", "members added to the request, over those that turn thinking off and ask for JSON")
    .option("--timeout <seconds>", "for one reply", "180")
    .addHelpText(
      "after",
      `
The first request goes alone. Every answer is kept as it comes, so the command can be stopped and given again.
Exit codes: 0 every text is annotated · 1 some are not · 2 bad input · 3 refused · 130 interrupted

Examples:
  souk annotate annotate products.json.gz --out priced --confirm-paid-api --max-requests 1
  souk annotate annotate products.json.gz --out priced --confirm-paid-api
  souk annotate annotate store.catalog --out priced --confirm-paid-api \\
    --base-url http://127.0.0.1:8000/v1 --model Qwen/Qwen3-8B --no-api-key-env --requests-per-minute 600`,
    )
    .action(
      run(async (context, sources: string[], flags: AskFlags) => {
        const limits = limitsOf(flags)
        const confirmed = flags.confirmPaidApi === true
        await withWorkplace(context, sources, flags, { lock: confirmed }, async (place) => {
          const { simple, full_at_most } = countsOf(place).owed
          if (!confirmed) {
            throw new AppError(
              "REFUSED",
              `This may send ${simple} to ${simple + full_at_most} requests to ${flags.baseUrl}, which may cost money; add --confirm-paid-api`,
            )
          }
          const model = modelFor(flags, place.source)
          const writer = await openLineWriter(place.cache)
          try {
            const view = progressNotes(context)
            const result = await annotate({
              ...limits,
              ...{ model, tasks: place.source.tasks, annotations: place.annotations, provenance: place.provenance },
              language: place.source.catalog.manifest.language,
              append: async (record) => void (await writer.append(JSON.stringify(record))),
              signal: context.signal,
              onProgress: view,
            })
            if (result.owed > 0) context.exitCode = EXIT.incomplete
            context.result({ ...result, cache: place.cache }, resultText(result, place))
          } finally {
            await writer.close()
            await model.close()
          }
        })
      }),
    )
}

const registerBuild: Register = (program, run) => {
  withWhose(commandGroup(program, "annotate").command("build"))
    .description("write the annotated store: archive, catalog, audit, exclusions, source splits, manifest")
    .option(
      "--runtime-regex-task-id <id>",
      "a task that may do without an annotation: its budget is read from the text; repeat it for more",
      collect,
      [],
    )
    .option("--force", "build again over what is there")
    .addHelpText(
      "after",
      `
Examples:
  souk annotate build products.json.gz --out priced
  souk annotate build products.json.gz --out priced --runtime-regex-task-id 3446 --runtime-regex-task-id 4436`,
    )
    .action(
      run(async (context, sources: string[], flags: BuildFlags) => {
        await withWorkplace(context, sources, flags, { lock: true }, async (place) => {
          if (place.annotations.size === 0 && place.others > 0) {
            context.warn(
              `none of the ${place.others} lines in ${place.cache} is of this source, model, endpoint and prompt: give --model and --base-url as they were asked`,
            )
          }
          const { files, manifest } = await buildPriced({
            ...{ source: place.source, origin: place.origin, annotations: place.annotations },
            ...{ provenance: place.provenance, fallback: flags.runtimeRegexTaskId, folder: flags.out },
            keep: [...sources, place.cache],
            ...(flags.force === true && { force: true }),
            signal: context.signal,
          })
          const { products, tasks } = manifest.counts as Record<string, number>
          const lines = [
            `${files.catalog}: ${products} products, ${tasks} tasks, content ${manifest.catalog_content_hash}`,
            `${files.archive}: data SHA-256 ${manifest.output_data_sha256}`,
            `Budgets: ${tallyText(manifest.annotations as Record<string, number>)}; read ${files.audit} before you use them`,
          ]
          context.result({ files, manifest }, lines.join("\n"))
        })
      }),
    )
}

/** `souk annotate plan | annotate | build`. */
export const registerAnnotate: Register = (program, run) => {
  for (const register of [registerPlan, registerAsk, registerBuild]) register(program, run)
}

async function withWorkplace(
  { signal }: CommandContext,
  sources: readonly string[],
  { out, model, baseUrl }: WhoseFlags,
  { lock }: { lock: boolean }, // before anything is read: nobody pays twice for what another process is asking
  work: (place: Workplace) => Promise<void>,
): Promise<void> {
  const { protocol, username, password, search } = URL.canParse(baseUrl) ? new URL(baseUrl) : new URL("none:")
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}` !== "") {
    throw new AppError("BAD_INPUT", `--base-url must be an address such as ${SILICONFLOW}, without a key in it`)
  }
  using named = await catalogAmong(sources, signal)
  const source = await openPriceSource(named ?? sources, { signal })
  let held: FolderLock | undefined
  try {
    if (lock) held = lockFolder(out)
    const provenance: Provenance = {
      annotation_version: ANNOTATION_VERSION,
      model,
      api_url: baseUrl.replace(/\/+$/, ""),
      prompt_sha256: promptSha256(source.catalog.manifest.language),
      source_archive_sha256: source.sha256,
    }
    const cache = join(out, CACHE_FILE)
    const content = await readCache(cache, { provenance, tasks: source.tasks })
    await work({ ...content, source, origin: named ?? source.catalog, provenance, cache })
  } finally {
    held?.close()
    source.close()
  }
}

/** The catalog, where that is what is named; null: raw files. */
async function catalogAmong(sources: readonly string[], signal: AbortSignal): Promise<(Catalog & Disposable) | null> {
  const isCatalog = (name: string) =>
    name.startsWith("bundled:") || (existsSync(name) && isDatabaseOfKind(name, CATALOG_KIND))
  const [first] = sources
  if (!sources.some(isCatalog)) return null
  if (sources.length === 1) return openNamedCatalog(first!, signal)
  throw new AppError("BAD_INPUT", "Name one catalog, or raw files only")
}

/** Asks once a request: retries, pace and rest are the annotation's own. */
function modelFor(flags: AskFlags, { tasks }: PriceSource): Model {
  return openAiModel({
    model: flags.model,
    baseUrl: flags.baseUrl,
    apiKey: keyOf(flags),
    temperature: 0,
    maxTokens: 128,
    extraBody: {
      enable_thinking: false,
      response_format: replyFormat({ namedTasks: tasks.some(({ task_id }) => isNamed(task_id)) }),
      ...extraOf(flags.extraBody),
    },
    totalTimeoutMs: seconds(flags.timeout, "--timeout") * 1000,
    attempts: 1,
    patience: 0,
    limiter: noLimiter,
    keepHeaders: TRACE_HEADERS,
  })
}

function keyOf({ apiKeyEnv, baseUrl }: AskFlags): string | null {
  if (apiKeyEnv === false) return null
  const key = process.env[apiKeyEnv]
  if (!key) throw new AppError("BAD_INPUT", `The environment variable ${apiKeyEnv}, named by --api-key-env, is not set`)
  if (baseUrl.startsWith(SILICONFLOW) && !(key.startsWith("sk-") && key.length >= 20)) {
    throw new AppError("BAD_INPUT", `${apiKeyEnv} holds no SiliconFlow key: those begin with sk- and are longer`)
  }
  return key
}

function extraOf(text: string | undefined): JsonObject {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  throw new AppError("BAD_INPUT", `--extra-body must be a JSON object, such as '{"enable_thinking": false}'`)
}

function limitsOf({ workers, requestsPerMinute, retries, maxRequests }: AskFlags) {
  return {
    workers: wholeNumber(workers, "--workers", { from: 1, to: 10_000 }),
    retries: wholeNumber(retries, "--retries", { from: 0, to: 1000 }),
    maxRequests: maxRequests === undefined ? null : wholeNumber(maxRequests, "--max-requests", { from: 1 }),
    pacer: createPacer({ perMinute: wholeNumber(requestsPerMinute, "--requests-per-minute", { from: 1 }) }),
  }
}

/** Tells phases, refusals and, every now and then, how far it is. */
function progressNotes(context: CommandContext): (progress: AnnotateProgress) => void {
  let waves = 0
  let told = { field: "", done: 0 }
  return ({ field, done, of, failed, requests, pace }) => {
    if (pace.waves > waves) {
      waves = pace.waves
      const wait = Math.ceil(pace.cooling_ms / 1000)
      context.note(`Refused by a limit: waiting ${wait} s, then ${pace.per_minute} requests a minute`)
    }
    const step = Math.max(1, Math.ceil(of / 20))
    if (field === told.field && done < of && done < told.done + step) return
    told = { field, done }
    context.note(`${field}: ${done} of ${of}${failed > 0 ? `, ${failed} failed` : ""} (${requests} requests)`)
  }
}

function countsOf({ source, annotations, others }: Pick<Workplace, "source" | "annotations" | "others">) {
  const simple = owedQuestions(source.tasks, annotations, "instruction_simple")
  const waiting = new Set(simple.map(({ task_id }) => task_id))
  const full_at_most = source.tasks.filter(
    ({ task_id, instruction, instruction_simple }) =>
      waiting.has(task_id) && instruction_simple !== null && instruction_simple !== instruction,
  ).length
  const full = owedQuestions(source.tasks, annotations, "instruction").length
  const { counts } = source.catalog.manifest
  return {
    products: counts.products,
    products_excluded: counts.products_excluded,
    tasks: counts.tasks,
    persona_tasks: counts.persona_tasks,
    stated: source.stated,
    to_annotate: source.tasks.length,
    cached: annotations.size,
    cached_otherwise: others,
    owed: { simple: simple.length, full_now: full, full_at_most: full + full_at_most },
  }
}

function planText(counts: ReturnType<typeof countsOf>, { provenance, cache }: Workplace): string {
  const { owed } = counts
  return [
    `${counts.products} products (${counts.products_excluded} excluded), ${counts.tasks} tasks, ${counts.persona_tasks} with a persona; of those ${counts.stated} state their budget`,
    `${counts.to_annotate} tasks to annotate; ${counts.cached} annotations in ${cache}${counts.cached_otherwise > 0 ? `, and ${counts.cached_otherwise} lines of another source, model, endpoint or prompt` : ""}`,
    `Owed: ${owed.simple} simple texts, then ${owed.full_now === owed.full_at_most ? owed.full_now : `${owed.full_now} to ${owed.full_at_most}`} full ones`,
    `Asked would be ${provenance.model} at ${provenance.api_url}, prompt ${provenance.prompt_sha256.slice(0, 12)}…`,
    "Nobody was asked.",
  ].join("\n")
}

function resultText({ requests, annotated, failures, owed, tokens }: AnnotateResult, { cache }: Workplace): string {
  const lines = [`${annotated} texts annotated with ${requests} requests and ${tokens} tokens; kept in ${cache}`]
  for (const { task_id, source_field, message } of failures.slice(0, TOLD_FAILURES)) {
    lines.push(`failed: ${task_id}:${source_field}: ${message}`)
  }
  if (failures.length > TOLD_FAILURES) lines.push(`and ${failures.length - TOLD_FAILURES} more failed`)
  lines.push(
    owed > 0
      ? `${owed} texts are owed; the same command goes on with them`
      : "Every text is annotated; now: souk annotate build",
  )
  return lines.join("\n")
}

function tallyText(tally: Readonly<Record<string, number>>): string {
  const shown = Object.entries(tally).filter(([, count]) => count > 0)
  return shown.map(([kind, count]) => `${kind} ${count}`).join(", ") || "none annotated"
}
