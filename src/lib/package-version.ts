import { createRequire } from "node:module"

/** The version of this package, read from its `package.json` wherever the calling file was bundled to. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("souk/package.json") as { version: string }
  return version
}
