import type { ReadRef } from "../../core/case-record.ts"
import type { ReplayReason, ToolClass } from "../../core/conversation.ts"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import { fingerprint } from "../../core/fingerprint.ts"
import type { Json, JsonObject } from "../../core/json.ts"
import { ScriptTime } from "../../core/time.ts"
import type { FieldPolicy } from "../field-policy.ts"
import type { ReplayEntry, Script } from "../script.ts"
import type { ScriptClock } from "../script-clock.ts"
import { argumentsReader, type PackTool, type ReadArguments, type ToolPack, toolDefinitions } from "../tool-pack.ts"
import { commerceV1 } from "../tool-packs/commerce.ts"
import type { ToolAnswer, ToolCallRequest } from "../tools.ts"
import type { EvaluationWorld, MountedWorld } from "../world.ts"
import { answer, type CaseRecords } from "./replay/answer.ts"
import { type FactReader, factReader } from "./replay/facts.ts"
import { CommandRecords, recorded } from "./replay/lookup.ts"
import { ProductRecords } from "./replay/products.ts"
import { isRequired } from "./replay/required.ts"
import { TitleIndex } from "./replay/search.ts"
import { REPLAY_TEXTS } from "./replay/texts.ts"

export interface ReplayWorldOptions {
  /** The account whose facts these are. Entries of others are never told. */
  readonly shopId: string
  readonly policy: FieldPolicy
  /** Entries beside those in the scripts, of any number of cases. Validated and cleaned of private data before they come here. */
  readonly seed?: readonly ReplayEntry[]
  readonly tools?: ToolPack
  /** Reads that verdicts need, besides those that each script names. */
  readonly requiredReads?: readonly ReadRef[]
}

/**
 * Answers an agent's reads from what was on record by the story's time, and from nothing else: what is not on record is a miss,
 * never a present fact. Throws `BAD_INPUT` for a tool pack whose parameters are not JSON Schemas, and for records of calls that its
 * tools do not take: no call could ever find them. Mounting does so for those in the script.
 */
export function replayWorld({
  shopId,
  policy,
  seed = [],
  tools = commerceV1,
  requiredReads = [],
}: ReplayWorldOptions): EvaluationWorld {
  const reader = factReader(policy)
  const commands = new Map(tools.tools.map((tool) => [tool.name, { tool, read: argumentsReader(tool) }]))
  checkCalls(seed, commands, tools.name)
  const identity = {
    world: "replay",
    version: 1,
    shop_id: shopId,
    tools: tools.name,
    tools_sha256: fingerprint(tools as unknown as Json),
    policy: `${policy.name}@${policy.version}`,
    policy_sha256: fingerprint(policy as unknown as Json),
    seed_sha256: fingerprint(seed as unknown as Json),
    required_reads: requiredReads as unknown as Json,
  }
  return {
    identity: () => identity,
    async mount(script, { clock, signal }) {
      throwIfCancelled(signal)
      const of = script.identity.shop_id
      if (of !== undefined && of !== shopId) {
        throw new AppError(
          "REFUSED",
          `Case ${script.case_id} is of shop ${String(of)}; this world holds the facts of ${shopId}`,
        )
      }
      checkCalls(script.replay, commands, tools.name)
      // Later entries win over earlier ones of the same time: the script's own over the seed.
      const own = [...seed, ...script.replay].filter(
        (entry) =>
          entry.shop_id === shopId && isOf(script, entry) && isTold(entry, commands.get(entry.command)?.tool, policy),
      )
      return new MountedReplay({
        script,
        clock,
        commands,
        pack: tools,
        records: caseRecords(own, tools, reader),
        entriesSha256: fingerprint(own as unknown as Json),
        required: [
          ...requiredReads,
          ...script.required_reads,
          ...script.checks.flatMap((check) => check.required_reads),
        ],
      })
    },
  }
}

type Commands = ReadonlyMap<string, { readonly tool: PackTool; readonly read: ReadArguments }>

function checkCalls(entries: readonly ReplayEntry[], commands: Commands, pack: string): void {
  for (const { case_id, command, arguments: given } of entries) {
    const read = commands.get(command)?.read(given)
    if (read !== undefined && !("fault" in read)) continue
    const what = read === undefined ? `${pack} has no such tool` : read.fault
    throw new AppError("BAD_INPUT", `A record of case ${case_id} is of ${command}: ${what}`)
  }
}

function isOf({ case_id, case_revision }: Script, entry: ReplayEntry): boolean {
  return entry.case_id === case_id && (entry.case_revision ?? case_revision) === case_revision
}

/** Entries of views that are not collected count for nothing. */
function isTold({ arguments: given }: ReplayEntry, tool: PackTool | undefined, policy: FieldPolicy): boolean {
  return tool?.kind !== "product" || policy.views.some(({ name, collected }) => collected && name === given.view)
}

function caseRecords(entries: readonly ReplayEntry[], pack: ToolPack, reader: FactReader): CaseRecords {
  const records = entries.map(recorded)
  const ofKind = (kind: PackTool["kind"]) => {
    const names = new Set(pack.tools.filter((tool) => tool.kind === kind).map(({ name }) => name))
    return records.filter(({ command }) => names.has(command))
  }
  const products = new ProductRecords(reader, ofKind("product"), ofKind("snapshot"))
  return {
    commands: new Map(pack.tools.map((tool) => [tool.name, new CommandRecords(tool, records)])),
    products,
    titles: new TitleIndex(products, ofKind("search"), reader),
  }
}

interface Mounting {
  readonly script: Script
  readonly clock: ScriptClock
  readonly pack: ToolPack
  readonly commands: Commands
  readonly records: CaseRecords
  readonly entriesSha256: string
  readonly required: readonly ReadRef[]
}

class MountedReplay implements MountedWorld {
  readonly tools: MountedWorld["tools"]
  readonly #mounting: Mounting
  readonly #counts = new Map<ToolClass | ReplayReason | "affects_conclusion", number>()
  #mounted = true

  constructor(mounting: Mounting) {
    this.#mounting = mounting
    this.tools = {
      schemas: toolDefinitions(mounting.pack, mounting.script.language),
      call: async (request, { signal }) => {
        throwIfCancelled(signal)
        if (!this.#mounted)
          throw new AppError("CONFLICT", `Case ${mounting.script.case_id} is over; its facts are put away`)
        const answered = this.#answer(request)
        this.#count(answered.class)
        if (answered.reason !== undefined) this.#count(answered.reason)
        if (answered.affects_conclusion === true) this.#count("affects_conclusion")
        return answered
      },
    }
  }

  /** How often what came of a read, without arguments or results. */
  evidence(): JsonObject {
    return {
      world: "replay",
      entries_sha256: this.#mounting.entriesSha256,
      reads: Object.fromEntries([...this.#counts].sort()),
    }
  }

  async unmount(): Promise<void> {
    this.#mounted = false
  }

  #count(what: ToolClass | ReplayReason | "affects_conclusion"): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  #answer({ name, arguments: asked }: ToolCallRequest): ToolAnswer {
    const { script, clock, commands, records, required } = this.#mounting
    const texts = REPLAY_TEXTS[script.language]
    const command = commands.get(name)
    if (command === undefined) return refusal(texts.unknownTool(name, [...commands.keys()].join(", ")))
    const { tool, read } = command
    const parsed = read(asked)
    if ("fault" in parsed) return refusal(texts.badArguments(name, parsed.fault))
    const { at: asOf, ...given } = parsed.arguments
    const requested = ScriptTime.safeParse(asOf ?? clock.now()).data
    if (requested === undefined) return refusal(texts.badArguments(name, texts.badTime))
    const cutOff = [requested, clock.now()].sort()[0]!

    const { reason, data } = answer(records, { tool, arguments: given, cutOff, language: script.language, texts })
    const answered = { ok: true, content: JSON.stringify(data), data, reason }
    if (reason === "matched") return { ...answered, class: "hit" }
    return { ...answered, class: "miss", affects_conclusion: isRequired(tool, given, required) }
  }
}

/** What production's own parser would have said: no facts were asked for, so none are missing. */
function refusal(content: string): ToolAnswer {
  return { ok: false, content, class: "passthrough" }
}
