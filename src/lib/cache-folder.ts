import { homedir } from "node:os"
import { join } from "node:path"

/**
 * Where things go that can be made again: `SOUK_CACHE`, else `souk` in the user's cache folder (`XDG_CACHE_HOME`, on Windows
 * `LOCALAPPDATA`, else `~/.cache`). The folder need not exist yet.
 */
export function cacheFolder(environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const { SOUK_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (SOUK_CACHE) return SOUK_CACHE
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "souk")
}
