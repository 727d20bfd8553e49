import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { NumberSource, type OrderedJson } from "../../lib/ordered-json.ts"
import { numberText } from "../../lib/python-number.ts"
import { compareCodePoints } from "../../lib/python-text.ts"

/** Hashes of an archive: of the gzip file and of the JSON in it. */
export interface ArchiveHashes {
  readonly sha256: string
  readonly data_sha256: string
}

/** Of gzip's header, the byte that names the system it was made on; 255: not told. */
const SYSTEM_BYTE = 9

/**
 * Writes records as one compact JSON array with sorted keys and a line feed at its end, gzipped without name or time: the same records
 * give the same bytes. Rejects with the file system's errors and when `signal` aborts.
 */
export async function writeArchive(
  path: string,
  records: Iterable<OrderedJson>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<ArchiveHashes> {
  const data = createHash("sha256")
  const file = createHash("sha256")
  const texts = function* () {
    let separator = "["
    for (const record of records) {
      yield `${separator}${sortedJsonText(record)}`
      separator = ","
    }
    yield separator === "[" ? "[]\n" : "]\n"
  }
  const hashed = (hash: ReturnType<typeof createHash>) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
  await pipeline(
    Readable.from(texts()),
    hashed(data),
    createGzip({ level: 9 }),
    withoutSystem(),
    hashed(file),
    createWriteStream(path),
    ...(signal === undefined ? [] : [{ signal }]),
  )
  return { sha256: file.digest("hex"), data_sha256: data.digest("hex") }
}

function withoutSystem(): Transform {
  let at = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const index = SYSTEM_BYTE - at
      if (index >= 0 && index < chunk.length) chunk[index] = 255
      at += chunk.length
      done(null, chunk)
    },
  })
}

/** Compact JSON with keys in code point order and numbers as Python writes them (`520.0` stays, `1e3` is `1000.0`). */
function sortedJsonText(value: OrderedJson): string {
  if (value instanceof NumberSource) return /^-?\d/.test(value.text) ? pythonNumber(value.text) : value.text
  if (Array.isArray(value)) return `[${value.map(sortedJsonText).join(",")}]`
  if (!(value instanceof Map)) return JSON.stringify(value)
  const members = [...value].sort(([a], [b]) => compareCodePoints(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJsonText(member)}`).join(",")}}`
}

/** A number too large for a float stays as it is spelled. */
function pythonNumber(text: string): string {
  const shown = numberText(text)
  return /\d/.test(shown) ? shown : text
}
