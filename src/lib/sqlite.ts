import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { AppError, messageOf } from "../core/errors.ts"
import { buildingPath, commitFile } from "./files.ts"

/** An open SQLite database. */
export type SqliteDatabase = Database.Database
export type SqliteStatement = Database.Statement<unknown[]>

/** What tells this kind of file from every other SQLite file, and its version. */
export interface FileKind {
  readonly applicationId: number // 32 bits, in the file's header
  readonly version: number
}

/** A database under construction: held by this process alone, at its place only once it is finished. */
export interface Building {
  readonly database: SqliteDatabase
  /** Puts the finished file in its place. */
  commit(): void
  /** Throws the unfinished file away. After {@link commit} it does nothing. */
  discard(): void
}

const PAGE_BYTES = 8192

/**
 * Begins a new database that will replace the file at `path` as a whole. What a dead process left half built is removed;
 * `REFUSED` when a living one is building the same file, `STORE_UNWRITABLE` when the place cannot be written.
 * One transaction is open until the commit. Nothing is rolled back: a failed build is thrown away.
 */
export function buildDatabase(path: string, kind: FileKind): Building {
  const building = buildingPath(path)
  const database = takeOver(building, path, () => {})
  database.pragma(`application_id = ${kind.applicationId}`)
  database.pragma(`user_version = ${kind.version}`)
  return underConstruction(database, path)
}

/**
 * Begins the next version of a finished file from a copy of it, on the same terms as {@link buildDatabase}; the file itself can be read
 * all the while. Throws as {@link openDatabase} does where it is not of this kind.
 */
export function reviseDatabase(path: string, kind: FileKind, what: string): Building {
  openDatabase(path, kind, what).close()
  return underConstruction(
    takeOver(buildingPath(path), path, () => copyFileSync(path, buildingPath(path))),
    path,
  )
}

function underConstruction(database: SqliteDatabase, path: string): Building {
  const building = buildingPath(path)
  let finished = false
  return {
    database,
    commit() {
      database.exec("COMMIT")
      database.close()
      commitFile(building, path)
      finished = true
    },
    discard() {
      if (finished) return
      finished = true
      database.close()
      rmSync(building, { force: true })
    },
  }
}

function takeOver(building: string, path: string, begin: () => void): SqliteDatabase {
  try {
    mkdirSync(dirname(path), { recursive: true })
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new AppError("STORE_UNWRITABLE", `${path} is a folder; name a file`)
    }
    if (existsSync(building)) removeLeftover(building)
    begin()
    return openExclusive(building)
  } catch (error) {
    if (error instanceof AppError) throw error
    if ((error as { code?: string }).code === "SQLITE_BUSY") {
      throw new AppError("REFUSED", `Another process is writing ${path}; wait for it to end`, { cause: error })
    }
    throw new AppError("STORE_UNWRITABLE", `Cannot write ${building}: ${messageOf(error)}`, { cause: error })
  }
}

/** A file that nobody holds a lock on is of a process that died; one that is locked makes this throw `SQLITE_BUSY`. */
function removeLeftover(building: string): void {
  let database: SqliteDatabase | undefined
  try {
    database = openExclusive(building)
  } catch (error) {
    if ((error as { code?: string }).code === "SQLITE_BUSY") throw error // anything else: half a file, as expected
  } finally {
    database?.close()
  }
  for (const file of [building, `${building}-journal`]) rmSync(file, { force: true })
}

function openExclusive(file: string): SqliteDatabase {
  const database = new Database(file, { timeout: 0 })
  try {
    database.pragma(`page_size = ${PAGE_BYTES}`)
    database.pragma("journal_mode = MEMORY") // no file beside it; better-sqlite3 refuses OFF
    database.pragma("synchronous = OFF")
    database.pragma("locking_mode = EXCLUSIVE")
    database.pragma("cache_size = -65536")
    database.pragma("temp_store = MEMORY")
    database.exec("BEGIN EXCLUSIVE")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Whether the file at `path` is an SQLite file with this application id, of any version: the file's first bytes say so. */
export function isDatabaseOfKind(path: string, { applicationId }: FileKind): boolean {
  const header = Buffer.alloc(72)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return header.toString("latin1", 0, 16) === "SQLite format 3\0" && header.readUInt32BE(68) === applicationId
}

/**
 * Opens a finished file for reading, in one read transaction for as long as it is open: several processes may read it at once,
 * and a new version put in its place does not disturb them.
 * Throws `NOT_FOUND` when there is no file and `CATALOG_CORRUPT` when it is not of this kind or version (`what` names the kind).
 */
export function openDatabase(path: string, kind: FileKind, what: string): SqliteDatabase {
  if (!existsSync(path)) throw new AppError("NOT_FOUND", `There is no ${what} ${path}`)
  const corrupt = (why: string, cause?: unknown) => new AppError("CATALOG_CORRUPT", `${path} ${why}`, { cause })
  let database: SqliteDatabase | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    database.exec("BEGIN")
    const applicationId = database.pragma("application_id", { simple: true })
    const version = Number(database.pragma("user_version", { simple: true }))
    if (applicationId !== kind.applicationId) throw corrupt(`is not a ${what}`)
    if (version !== kind.version) {
      const advice = version < kind.version ? "make it again from its source" : "use a newer souk to read it"
      throw corrupt(`is a ${what} of version ${version}; this program reads version ${kind.version}: ${advice}`)
    }
    return database
  } catch (error) {
    database?.close()
    if (error instanceof AppError) throw error
    throw corrupt(`cannot be read as a ${what}: ${messageOf(error)}`, error)
  }
}
