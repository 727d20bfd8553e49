import { createRequire } from "node:module"
import { dirname } from "node:path"

/** The version of this package, read from its `package.json` wherever the calling file was bundled to. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("souk/package.json") as { version: string }
  return version
}

/** The folder of this package, wherever the calling file was bundled to. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("souk/package.json"))
}
