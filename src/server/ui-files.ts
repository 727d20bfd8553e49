import { existsSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, extname, join, normalize, sep } from "node:path"

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
}

/** Scripts and styles from here alone, no frames, no forms to elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The folder of the built web UI, wherever this file was bundled to; null when it was not built. */
export function uiFolder(): string | null {
  const folder = join(dirname(createRequire(import.meta.url).resolve("souk/package.json")), "dist", "ui")
  return existsSync(join(folder, "index.html")) ? folder : null
}

/** One file of the UI (`/` is its page), or null. Nothing outside the folder, whatever the path says. */
export function uiFile(folder: string, urlPath: string): Response | null {
  let path: string
  try {
    path = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  const name = normalize(path === "/" ? "/index.html" : path)
  const type = TYPES[extname(name)]
  if (type === undefined || path.includes("\0") || name.split(sep).some((part) => part.startsWith("."))) return null
  const file = join(folder, name)
  if (!file.startsWith(folder + sep) || !existsSync(file) || !statSync(file).isFile()) return null
  const isNamedByContent = /^[/\\]assets[/\\]/.test(name)
  return new Response(readFileSync(file), {
    headers: {
      "content-type": type,
      "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    },
  })
}
