import { AppError } from "../../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { EPISODE_SCHEMA, EpisodeRecord } from "../../core/trace.ts"
import { applyJsonDifference, jsonDifference } from "../../lib/json-difference.ts"
import { orderedJsonText, parseOrderedJson } from "../../lib/ordered-json.ts"
import { leaveOut, type Private } from "../leave-out.ts"
import { recordOfV4 } from "./from-v4.ts"
import { type Kept, type Shared, sharedParts } from "./identities.ts"
import { checkV4Line, V4_SCHEMA } from "./line.ts"
import { v4OfRecord } from "./to-v4.ts"

/*
 * Both ways without loss: what one form has no place for is kept beside it as a difference from what reading or writing it alone
 * gives. A v4 line from elsewhere that becomes a record keeps it under `imported`; a record of ours that becomes a v4 line keeps it
 * under `souk`. Such a difference means something only to the reading and writing it was made with: hence the version.
 */

/** Version of how records and v4 lines are made of each other. */
const CONVERSION = "souk-v4-2"

/**
 * A line of the v4 form as a record of the run with fingerprint `run`. A line that {@link v4OfEpisode} wrote gives back the record it
 * was written from. Throws `BAD_INPUT` for what is not such a line.
 */
export function episodeOfV4(value: unknown, { run, kept }: { run: string; kept: Kept }): EpisodeRecord {
  const line = checkV4Line(value)
  const texts = new Map<string, string>() // what writing will find when it asks for the shared parts
  const keep = (text: string) => {
    const hash = kept.keep(text)
    texts.set(hash, text)
    return hash
  }
  const { record, session } = recordOfV4(line, run, { keep })
  const { souk } = line
  if (isJsonObject(souk) && souk.form === EPISODE_SCHEMA) {
    if (souk.conversion !== CONVERSION) throw otherVersion(souk.conversion)
    return checked(changed(record as unknown as JsonObject, souk.difference))
  }
  const read = checked(record as unknown as JsonObject)
  const imported = { form: V4_SCHEMA, conversion: CONVERSION, ...(session !== undefined && { session }) }
  const again = v4OfRecord(
    read,
    sharedParts((hash) => texts.get(hash)),
    session,
  )
  const missed = difference(again, line)
  return { ...read, imported: { ...imported, ...(missed !== undefined && { difference: missed }) } }
}

/**
 * A record as a line of the v4 form. Reasoning, goal and persona are left out unless `include` names them, and so is then all that
 * is not known to be free of them. Throws `BAD_INPUT` for a record that another version of Souk imported.
 */
export function v4OfEpisode(record: EpisodeRecord, shared: Shared, include: ReadonlySet<Private>): JsonObject {
  const { imported, ...rest } = record as EpisodeRecord & { imported?: Json }
  const shown = leaveOut(rest as EpisodeRecord, include)
  if (isJsonObject(imported) && imported.form === V4_SCHEMA) {
    if (imported.conversion !== CONVERSION) throw otherVersion(imported.conversion)
    const { session } = imported
    const line = v4OfRecord(shown, shared, typeof session === "string" ? session : undefined)
    return shown.left_out === undefined ? changed(line, imported.difference) : line
  }
  const whole = imported === undefined ? shown : { ...shown, imported }
  const line = v4OfRecord(whole, shared)
  const nowhere = "\u0000" // unlike any hash of the record's
  const { record: again } = recordOfV4(checkV4Line(JSON.parse(JSON.stringify(line))), nowhere, { keep: () => nowhere })
  const missed = difference(again as unknown as JsonObject, whole as unknown as JsonObject)
  if (missed === undefined) return line
  const { souk } = line
  return {
    ...line,
    souk: { ...(isJsonObject(souk) ? souk : {}), form: EPISODE_SCHEMA, conversion: CONVERSION, difference: missed },
  }
}

function checked(value: JsonObject): EpisodeRecord {
  const parsed = EpisodeRecord.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError("BAD_INPUT", `${issue?.path.map(String).join(".")}: ${issue?.message}`)
}

function otherVersion(found: Json | undefined): AppError {
  return new AppError(
    "BAD_INPUT",
    `converted by another version of Souk (${JSON.stringify(found)}, this one is ${CONVERSION}); import or export it again`,
  )
}

/** What changes `from` into `to`, as JSON; undefined when they are equal. */
function difference(from: JsonObject, to: JsonObject): Json | undefined {
  const found = jsonDifference(ordered(from), ordered(to))
  return found === undefined ? undefined : (JSON.parse(orderedJsonText(found)) as Json)
}

function changed(from: JsonObject, change: Json | undefined): JsonObject {
  if (change === undefined) return from
  try {
    return JSON.parse(orderedJsonText(applyJsonDifference(ordered(from), ordered(change)))) as JsonObject
  } catch (error) {
    if (error instanceof TypeError) throw new AppError("BAD_INPUT", `souk.difference: ${error.message}`)
    throw error
  }
}

function ordered(value: Json) {
  return parseOrderedJson(JSON.stringify(value))
}
