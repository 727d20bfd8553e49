import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { AppError, messageOf } from "../core/errors.ts"

const CHUNK_BYTES = 1 << 20

/** Bytes to read once from the start, with what they were known afterwards. */
export interface ByteSource {
  readonly name: string
  /** Bytes of the file as it lies on disk; null: not known beforehand. */
  readonly size: number | null
  /** Bytes of the file consumed so far. */
  readonly bytesRead: number
  /** Decompressed where the file is gzip. Throws `BAD_INPUT` naming the file and the place. */
  chunks(): AsyncIterable<Buffer>
  /** SHA-256 of the file and of its decompressed content; complete after the last chunk. */
  digests(): { readonly file: string; readonly data: string }
}

/** A file, gunzipped when it begins like one whatever its name is. Throws `NOT_FOUND` or `BAD_INPUT`. */
export async function fileSource(path: string): Promise<ByteSource> {
  const { size, gzip } = await look(path)
  const file = createHash("sha256")
  const data = gzip ? createHash("sha256") : file
  let bytesRead = 0
  async function* stored(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      bytesRead += chunk.length
      file.update(chunk)
      yield chunk
    }
  }
  return {
    name: path,
    size,
    get bytesRead() {
      return bytesRead
    },
    chunks: () => (gzip ? gunzipped(path, stored(), data) : stored()),
    digests: digestsOnce(file, data),
  }
}

/** Text that is already in memory or made on the way, read like a file called `name`. */
export function textSource(name: string, texts: Iterable<string> | AsyncIterable<string>): ByteSource {
  const data = createHash("sha256")
  let bytesRead = 0
  return {
    name,
    size: null,
    get bytesRead() {
      return bytesRead
    },
    async *chunks() {
      for await (const text of texts) {
        const chunk = Buffer.from(text)
        bytesRead += chunk.length
        data.update(chunk)
        yield chunk
      }
    },
    digests: digestsOnce(data, data),
  }
}

/** A hash can be read only once; this keeps the answer. */
function digestsOnce(file: Hash, data: Hash): ByteSource["digests"] {
  let digests: { file: string; data: string } | undefined
  return () => {
    if (digests === undefined) {
      const hex = file.digest("hex")
      digests = { file: hex, data: data === file ? hex : data.digest("hex") }
    }
    return digests
  }
}

async function look(path: string): Promise<{ size: number; gzip: boolean }> {
  try {
    await using handle = await open(path, "r")
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new AppError("BAD_INPUT", `${path} is a folder; name the files in it`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return { size: stats.size, gzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b }
  } catch (error) {
    if (error instanceof AppError) throw error
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT"
    throw new AppError(
      missing ? "NOT_FOUND" : "BAD_INPUT",
      missing ? `There is no file ${path}` : `Cannot read ${path}: ${messageOf(error)}`,
      {
        cause: error,
      },
    )
  }
}

async function* gunzipped(name: string, stored: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const feeding = feed(stored, gunzip)
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length
      hash.update(chunk)
      yield chunk
    }
    await feeding
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = (error as NodeJS.ErrnoException).code
    if (!code?.startsWith("Z_")) throw error
    const fault =
      code === "Z_BUF_ERROR" ? "ends in the middle (was the download cut off?)" : `is damaged (${messageOf(error)})`
    throw new AppError("BAD_INPUT", `${name}: the gzip data ${fault}, after ${bytes} decompressed bytes`, {
      cause: error,
    })
  } finally {
    gunzip.destroy()
  }
}

async function feed(stored: AsyncIterable<Buffer>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of stored) {
      if (gunzip.destroyed) return
      if (gunzip.write(chunk)) continue
      const flowing = await new Promise<boolean>((resolve) => {
        gunzip.once("drain", () => resolve(true))
        gunzip.once("close", () => resolve(false))
      })
      if (!flowing) return
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error as Error) // surfaces in the loop that reads
  }
}
