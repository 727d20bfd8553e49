import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import Database from "better-sqlite3"
import { AppError, messageOf } from "../core/errors.ts"

/** Held until closed, or until the process ends in whatever way. */
export interface FolderLock {
  close(): void
}

/**
 * Takes `folder` (made if absent) for this process alone. The lock is SQLite's lock on an empty database file: the kernel drops
 * it with the process, so kill -9 leaves nothing to clean up. Throws `REFUSED` when another process holds it and
 * `STORE_UNWRITABLE` when the folder cannot be written.
 */
export function lockFolder(folder: string, { waitMs = 0 }: { waitMs?: number } = {}): FolderLock {
  const holder = join(folder, "lock.pid")
  let database: Database.Database | undefined
  try {
    makeFolder(folder)
    database = new Database(join(folder, "lock"), { timeout: waitMs })
    database.pragma("journal_mode = OFF") // nothing is ever written: no journal beside it
    database.exec("BEGIN EXCLUSIVE")
    writeFileSync(holder, `${process.pid}\n`)
  } catch (error) {
    database?.close()
    if ((error as { code?: string }).code === "SQLITE_BUSY") {
      throw new AppError("REFUSED", `${folder} is in use by another process${pidOf(holder)}`, { cause: error })
    }
    throw new AppError("STORE_UNWRITABLE", `Cannot write to ${folder}: ${reasonOf(error, folder)}`, { cause: error })
  }
  const held = database
  return {
    close() {
      if (!held.open) return
      rmSync(holder, { force: true })
      held.close()
    },
  }
}

/** SQLite says no more than that it could not open its file; the file system may know why. */
function reasonOf(error: unknown, folder: string): string {
  if (!(error instanceof Database.SqliteError)) return messageOf(error)
  try {
    accessSync(folder, constants.W_OK)
  } catch (denied) {
    return messageOf(denied)
  }
  return messageOf(error)
}

/** As `mkdir -p`. Node's own recursive `mkdir` never returns on file systems that deny it with "no such file", such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(resolve(path))
  if (parent !== path) makeFolder(parent)
  mkdirSync(path)
}

function pidOf(path: string): string {
  try {
    return ` (pid ${readFileSync(path, "utf8").trim()})`
  } catch {
    return ""
  }
}
