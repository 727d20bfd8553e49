import { AppError, messageOf } from "../core/errors.ts"
import type { Answered, Asked, Exchange } from "./exchange.ts"
import { openTape, openTapeWriter, requestOf, type Tape, type TapeWriter } from "./tape.ts"

/**
 * - `replay`: answers from the file, and never asks anybody.
 * - `record`: asks, and appends every answer to the file.
 * - `auto`: answers from the file what is in it; asks for the rest, and appends it.
 */
export type CassetteMode = "replay" | "record" | "auto"

/** Recorded calls of an endpoint: what was asked, and the answer as it came, status and body. */
export interface Cassette {
  readonly mode: CassetteMode
  /** `ask`, recorded or replaced according to the mode. */
  through(ask: Exchange): Exchange
  /**
   * The recorded answer to a request. Requests are the same when their JSON is, whatever the order of its members; one that was asked
   * several times gets its answers in the order they came. Rejects with `MODEL_REJECTED` and the kind `cassette_miss` when there is none
   * (left), and with a plain `Error` where what came was no answer.
   */
  replay(asked: Asked): Promise<Answered>
  close(): Promise<void>
}

/**
 * Opens a cassette, a file of JSON lines; what the lines hold is described in docs/models.md. With `round`, a request whose answers are
 * used up starts again with the first one. Throws `NOT_FOUND` when there is nothing to replay, `BAD_INPUT` for a damaged file.
 *
 * @example openAiModel({ model: "m", baseUrl, apiKey: null, cassette: await openCassette("calls.jsonl") })
 */
export async function openCassette(
  path: string,
  { mode = "replay", round = false }: { readonly mode?: CassetteMode; readonly round?: boolean } = {},
): Promise<Cassette> {
  const tape = await openExisting(path, mode)
  const writer = mode === "replay" ? null : await openTapeWriter(path, tape)

  const find = async (asked: Asked): Promise<Answered | null> => {
    if (tape === null) return null
    const place = tape.take(requestOf(asked).key, asked.seed, { round })
    return place === undefined ? null : await tape.answer(place)
  }

  const replay: Cassette["replay"] = async (asked) => (await find(asked)) ?? (await miss(path, tape, asked))

  return {
    mode,
    replay,
    through(ask) {
      if (writer === null) return replay
      return async (asked, call) => {
        const known = mode === "auto" ? await find(asked) : null
        return known ?? (await record(writer, ask, asked, call))
      }
    },
    async close() {
      await writer?.close()
      await tape?.close()
    },
  }
}

async function openExisting(path: string, mode: CassetteMode): Promise<Tape | null> {
  try {
    return await openTape(path)
  } catch (error) {
    if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error
    if (mode !== "replay") return null
    throw new AppError(
      "NOT_FOUND",
      `There is no cassette ${path} to replay; record one with mode \`record\` or \`auto\``,
    )
  }
}

/** Asks, and keeps what came of it; a request that was called off leaves nothing. */
async function record(
  writer: TapeWriter,
  ask: Exchange,
  asked: Asked,
  call: { readonly signal: AbortSignal },
): Promise<Answered> {
  let answered: Answered
  try {
    answered = await ask(asked, call)
  } catch (error) {
    if (!(error instanceof AppError)) await writer.append(asked, { fault: messageOf(error) })
    throw error
  }
  await writer.append(asked, { answered })
  return answered
}

async function miss(path: string, tape: Tape | null, asked: Asked): Promise<never> {
  const { request, key } = requestOf(asked)
  const times = tape?.count(key) ?? 0
  const nearest = times > 0 ? null : await tape?.nearest(request)
  const why =
    times > 0
      ? `holds this request ${times} ${times === 1 ? "time" : "times"}, and it is asked once more`
      : `holds no such request; ${nearest ?? "it holds no calls at all"}`
  throw new AppError("MODEL_REJECTED", `The cassette ${path} ${why}. Record it with mode \`auto\` or \`record\``, {
    details: { code: "cassette_miss", key, recorded: times },
  })
}
