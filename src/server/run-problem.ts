import { AppError, messageOf } from "../core/errors.ts"
import { Problem } from "./problem.ts"

/** What `read` gives; a run that cannot be read, or not so, is `conflict` in words that hold no path of this machine. */
export async function readingRun<T>(folders: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const told = error instanceof AppError && (error.code === "STORE_CORRUPT" || error.code === "REFUSED")
    if (!told) throw error
    throw new Problem("conflict", withoutPaths(messageOf(error), folders))
  }
}

/** Folders of runs by their names alone. */
function withoutPaths(text: string, folders: readonly string[]): string {
  return folders.reduce((said, folder) => said.replaceAll(folder, nameOf(folder)), text)
}

function nameOf(folder: string): string {
  return folder.slice(Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\")) + 1)
}
