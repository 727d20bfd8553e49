import { existsSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, extname, join, normalize, sep } from "node:path"
import { gzipSync } from "node:zlib"

interface FileType {
  readonly type: string
  /** Whether it is worth compressing. */
  readonly text: boolean
}

const TYPES: Readonly<Record<string, FileType>> = {
  ".html": { type: "text/html; charset=utf-8", text: true },
  ".js": { type: "text/javascript; charset=utf-8", text: true },
  ".css": { type: "text/css; charset=utf-8", text: true },
  ".json": { type: "application/json", text: true },
  ".svg": { type: "image/svg+xml", text: true },
  ".png": { type: "image/png", text: false },
  ".ico": { type: "image/x-icon", text: false },
  ".woff2": { type: "font/woff2", text: false },
}

/**
 * Scripts, requests and frames from here alone, no inline script, no image from elsewhere, no form, not shown in other pages. Styles
 * may stand in the page, since charts and dialogs set them on elements.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The folder of the built web UI, wherever this file was bundled to; null when it was not built. */
export function uiFolder(): string | null {
  const folder = join(dirname(createRequire(import.meta.url).resolve("souk/package.json")), "dist", "ui")
  return existsSync(join(folder, "index.html")) ? folder : null
}

/**
 * One file of the UI, or its page: at `/`, and for browsers that ask for a page at any address without a file's ending, since the UI has
 * addresses of its own (`/runs/first/episodes/…`). Null: there is nothing. Nothing outside the folder, whatever the path says.
 */
export function uiFile(folder: string, urlPath: string, headers: Headers): Response | null {
  let path: string
  try {
    path = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  const name = normalize(path)
  if (path.includes("\0") || name.split(/[/\\]/).some((part) => part.startsWith("."))) return null
  const found = fileAt(folder, name)
  if (found !== null) return answer(found, headers)
  const isPage = path === "/" || (wantsPage(headers) && isAddress(name))
  const page = isPage ? fileAt(folder, "/index.html") : null
  return page === null ? null : answer(page, headers)
}

/**
 * Where a request for the reference server's replay page goes: to the run that its `path` means (a run's folder, or a file of traces in
 * one), else to all runs. Whether there is such a run is said by its page, to those who may know.
 */
export function replayPage(path: string | undefined): string {
  const parts = (path ?? "").split(/[/\\]/).filter((part) => part !== "")
  const name = /\.jsonl(\.gz)?$/.test(parts.at(-1) ?? "") ? parts.at(-2) : parts.at(-1)
  return name === undefined || name.startsWith(".") ? "/runs" : `/runs/${encodeURIComponent(name)}`
}

interface UiFile {
  readonly path: string
  readonly type: FileType
  /** Its name changes with its content. */
  readonly isNamedByContent: boolean
}

function fileAt(folder: string, name: string): UiFile | null {
  const type = TYPES[extname(name)]
  const path = join(folder, name)
  if (type === undefined || !path.startsWith(folder + sep)) return null
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  return { path, type, isNamedByContent: /^[/\\]assets[/\\]/.test(name) }
}

function wantsPage(headers: Headers): boolean {
  return (headers.get("accept") ?? "").includes("text/html")
}

/** Names of runs may have dots, and end like a file. */
function isAddress(name: string): boolean {
  return /^[/\\]runs[/\\]/.test(name) || TYPES[extname(name)] === undefined
}

function answer({ path, type, isNamedByContent }: UiFile, headers: Headers): Response {
  const zipped = type.text && takesGzip(headers)
  return new Response(zipped ? gzipped(path) : readFileSync(path), {
    headers: {
      "content-type": type.type,
      "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
      ...(type.text && { vary: "accept-encoding" }),
      ...(zipped && { "content-encoding": "gzip" }),
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    },
  })
}

function takesGzip(headers: Headers): boolean {
  return /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(
    headers.get("accept-encoding") ?? "",
  )
}

/** Compressed once, for as long as the file stays the same. */
const compressed = new Map<string, { readonly version: string; readonly bytes: Uint8Array<ArrayBuffer> }>()

function gzipped(path: string): Uint8Array<ArrayBuffer> {
  const { mtimeMs, size } = statSync(path)
  const version = `${mtimeMs} ${size}`
  const known = compressed.get(path)
  if (known?.version === version) return known.bytes
  const bytes = new Uint8Array(gzipSync(readFileSync(path), { level: 9 }))
  compressed.set(path, { version, bytes })
  return bytes
}
