import { Problem } from "./problem.ts"

export interface BodyLimits {
  readonly maxBytes: number
  /** Objects and arrays within each other. */
  readonly maxDepth: number
}

export const BODY_LIMITS: BodyLimits = { maxBytes: 256 * 1024, maxDepth: 64 }

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Reads a request's body, no more than `maxBytes` of it; throws `body_too_large` beyond. */
export async function readBody(request: Request, { maxBytes }: BodyLimits): Promise<Uint8Array> {
  const tooLarge = (): Problem => new Problem("body_too_large", `A body may have ${maxBytes} bytes at most`)
  const stated = request.headers.get("content-length")
  if (stated !== null && Number(stated) > maxBytes) throw tooLarge()
  if (stated !== null) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    length += part.value.length
    if (length > maxBytes) {
      void reader?.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

/** The text and value of a JSON body; throws `bad_request` for what is not UTF-8, not JSON, or nested too deeply. */
export function parseBody(bytes: Uint8Array, { maxDepth }: BodyLimits): { text: string; value: unknown } {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem("bad_request", "The body is not UTF-8")
  }
  if (isDeeper(text, maxDepth)) throw new Problem("bad_request", `The body nests deeper than ${maxDepth} levels`)
  try {
    return { text, value: JSON.parse(text) }
  } catch {
    throw new Problem("bad_request", "The body is not JSON")
  }
}

/** Whether brackets outside strings nest deeper than `limit`; looked at before parsing, which recurses or costs memory. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

export function isJsonType(contentType: string | null | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";")
  return /^application\/(?:[\w.-]+\+)?json$/i.test(mediaType.trim())
}
