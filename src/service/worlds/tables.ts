import { AppError, throwIfCancelled } from "../../core/errors.ts"
import type { Json, JsonObject } from "../../core/json.ts"
import type { ToolDefinition } from "../../core/message.ts"
import type { Script } from "../script.ts"
import type { ScriptClock } from "../script-clock.ts"
import type { ToolAnswer, ToolHost } from "../tools.ts"
import type { EvaluationWorld } from "../world.ts"
import { type RowDifference, tablesDifference } from "./tables/difference.ts"
import { tablesDigest } from "./tables/digest.ts"
import type { Shapes, Tables } from "./tables/state.ts"
import { type TableTool, ToolRefusal, toolDefinition } from "./tables/tool.ts"

/** What a live world is made of. */
export interface TablesOptions<State extends Tables> {
  readonly tables: State
  readonly tools: readonly TableTool<State>[]
  readonly shapes?: Shapes<State>
}

/** What a call came to. After a refusal (`ok: false`) the state is what it was. */
export interface TablesAnswer {
  readonly ok: boolean
  readonly content: string
  readonly data?: Json
  /** Whether this call changed the state. */
  readonly changed: boolean
  /** The digest of the state after the call; computed when it is read first. */
  readonly state: string
}

/**
 * A live world of small tables. What one call writes the next one reads; every state it was in can be kept, returned to, compared
 * and gone on from, because none is ever changed in place.
 */
export class TablesWorld<State extends Tables> {
  readonly schemas: readonly ToolDefinition[]
  readonly #tools: ReadonlyMap<string, TableTool<State>>
  readonly #shapes: Shapes<State>
  readonly #digest: (state: State) => string
  readonly #start: State
  #state: State

  constructor({ tables, tools, shapes = {} }: TablesOptions<State>, digest = tablesDigest<State>(shapes)) {
    this.schemas = tools.map((tool) => toolDefinition(tool as unknown as TableTool<Tables>)) // only its description is read
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#shapes = shapes
    this.#digest = digest
    this.#start = tables
    this.#state = tables
  }

  /** The state now; safe to keep. */
  get state(): State {
    return this.#state
  }

  digest(): string {
    return this.#digest(this.#state)
  }

  /** Calls a tool. Unknown names and wrong arguments are answered, not thrown; only a fault of the tool itself is thrown. */
  call(name: string, args: JsonObject): TablesAnswer {
    const before = this.#state
    try {
      const tool = this.#tools.get(name)
      if (tool === undefined) throw new ToolRefusal(`Tool '${name}' not found.`)
      const { state, content, data } = tool.run(before, args)
      this.#state = state
      return this.#answer(before, state, { ok: true, content, ...(data === undefined ? {} : { data }) })
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error
      return this.#answer(before, before, { ok: false, content: `Error: ${error.message}` })
    }
  }

  #answer(before: State, after: State, said: Pick<TablesAnswer, "ok" | "content" | "data">): TablesAnswer {
    const digest = this.#digest
    return {
      ...said,
      get changed() {
        return after !== before && digest(after) !== digest(before)
      },
      get state() {
        return digest(after)
      },
    }
  }

  /** Goes to a state that this world, or a fork of it, was in. */
  restore(state: State): void {
    this.#state = state
  }

  /** Another world in the same state, with a life of its own. */
  fork(): TablesWorld<State> {
    const { tools, shapes } = { tools: [...this.#tools.values()], shapes: this.#shapes }
    const fork = new TablesWorld({ tables: this.#start, tools, shapes }, this.#digest)
    fork.restore(this.#state)
    return fork
  }

  /** What is not as it was in `since`; left out: at the start. */
  difference(since: State = this.#start): RowDifference[] {
    return tablesDifference(since, this.#state, this.#shapes)
  }
}

/**
 * The world of an evaluation: every case gets tables of its own, brought to where its script begins by the script's calls. Tools that
 * depend on the story's time are made for each case, with its clock.
 */
export function tablesWorld<State extends Tables>(
  options: Omit<TablesOptions<State>, "tools"> & {
    readonly tools: readonly TableTool<State>[] | ((clock: ScriptClock) => readonly TableTool<State>[])
  },
  { identity }: { readonly identity: JsonObject },
): EvaluationWorld {
  const digest = tablesDigest<State>(options.shapes)
  return {
    identity: () => ({ world: "tables", ...identity, tables_sha256: digest(options.tables) }),
    async mount(script, { clock, signal }) {
      throwIfCancelled(signal)
      const tools = typeof options.tools === "function" ? options.tools(clock) : options.tools
      const world = new TablesWorld({ ...options, tools }, digest)
      begin(world, script)
      const start = world.state
      return {
        tools: tablesHost(world),
        evidence: () => ({
          state_before: digest(start),
          state_after: world.digest(),
          ...(script.gold !== undefined && { state_expected: digest(stateAfter(world, start, script.gold.actions)) }),
          changes: world.difference(start) as unknown as Json, // differences are JSON
        }),
        async unmount() {},
      }
    },
  }
}

/** Where the reference play leads from `start`. A refused call changes nothing, there as here. */
function stateAfter<State extends Tables>(
  world: TablesWorld<State>,
  start: State,
  actions: readonly { readonly name: string; readonly arguments: JsonObject }[],
): State {
  const reference = world.fork()
  reference.restore(start)
  for (const action of actions) reference.call(action.name, action.arguments)
  return reference.state
}

/** Throws when a call of the script's `initialization` is refused: the case could not begin where it should. */
function begin<State extends Tables>(world: TablesWorld<State>, { id, initialization }: Script): void {
  for (const { name, arguments: args } of initialization) {
    const { ok, content } = world.call(name, args)
    if (!ok) throw new AppError("BAD_INPUT", `Script ${id} begins with ${name}, which was refused: ${content}`)
  }
}

/** The tools of `world` for an agent. */
function tablesHost<State extends Tables>(world: TablesWorld<State>): ToolHost {
  return {
    schemas: world.schemas,
    async call({ name, arguments: args }, { signal }): Promise<ToolAnswer> {
      throwIfCancelled(signal)
      const { ok, content, data, changed, state } = world.call(name, args)
      return {
        ok,
        content,
        ...(data === undefined ? {} : { data }),
        class: "passthrough",
        ...(changed ? { write: true } : {}),
        state,
      }
    },
  }
}
