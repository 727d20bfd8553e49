import { renameSync, rmSync } from "node:fs"
import Database from "better-sqlite3"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import { compareCodePoints } from "../../lib/python-text.ts"
import type { EngineSource, SearchDocument, SearchEngine, SearchHit, SearchOptions } from "./engine.ts"
import { FIELD_WEIGHTS, roundScore, SEARCH_VERSION } from "./ranking.ts"
import { foldText, modelText, tokenize } from "./tokens.ts"

const SCHEMA_VERSION = 1
const FIELDS = FIELD_WEIGHTS.map(([field]) => field)
const WEIGHTS = FIELD_WEIGHTS.map(([, weight]) => weight)

/**
 * Builds the reference engine's file: SQLite FTS5 over the same tokens and weights. It holds no texts, only the inverted index and the
 * ids. Written to `<path>.building` and renamed when complete. `contentHash` says which catalog it belongs to.
 *
 * The layout matters: contentless tables with `detail=column` rank everything 0, and `detail=none` cannot rank by column at all.
 */
export function buildFts5(
  path: string,
  documents: Iterable<SearchDocument>,
  { signal, contentHash = "" }: { signal?: AbortSignal; contentHash?: string } = {},
): void {
  const building = `${path}.building`
  rmSync(building, { force: true })
  try {
    const database = new Database(building)
    try {
      fill(database, documents, contentHash, signal)
    } finally {
      database.close()
    }
    renameSync(building, path)
  } catch (error) {
    rmSync(building, { force: true })
    if (!(error instanceof Database.SqliteError)) throw error
    throw new AppError("STORE_UNWRITABLE", `The FTS5 index ${path} cannot be written: ${error.message}`, {
      cause: error,
    })
  }
}

function fill(
  database: Database.Database,
  documents: Iterable<SearchDocument>,
  contentHash: string,
  signal: AbortSignal | undefined,
): void {
  database.pragma("journal_mode = OFF")
  database.pragma("synchronous = OFF")
  database.exec(`
    CREATE VIRTUAL TABLE products USING fts5(${FIELDS.join(", ")},
      content='', contentless_delete=1, detail=full, tokenize='unicode61 remove_diacritics 2');
    INSERT INTO products(products, rank) VALUES ('rank', 'bm25(${WEIGHTS.join(", ")})');
    CREATE TABLE documents (number INTEGER PRIMARY KEY, asin TEXT NOT NULL);
    CREATE TABLE manifest (schema INTEGER NOT NULL, search_version TEXT NOT NULL, content_hash TEXT NOT NULL, documents INTEGER NOT NULL);
  `)
  const insertProduct = database.prepare(
    `INSERT INTO products(rowid, ${FIELDS.join(", ")}) VALUES (?, ${FIELDS.map(() => "?").join(", ")})`,
  )
  const insertDocument = database.prepare("INSERT INTO documents VALUES (?, ?)")
  let count = 0
  database.exec("BEGIN")
  for (const document of documents) {
    throwIfCancelled(signal)
    insertDocument.run(count, document.asin)
    insertProduct.run(count, ...FIELDS.map((field) => fieldText(document, field)))
    count++
  }
  database.prepare("INSERT INTO manifest VALUES (?, ?, ?, ?)").run(SCHEMA_VERSION, SEARCH_VERSION, contentHash, count)
  database.exec("COMMIT")
  database.exec("INSERT INTO products(products) VALUES ('optimize')")
}

function fieldText(document: SearchDocument, field: (typeof FIELDS)[number]): string {
  return field === "model" ? modelText(foldText(document.title)) : tokenize(document[field]).join(" ")
}

/**
 * Opens what {@link buildFts5} wrote, read-only. Throws `NOT_FOUND` where there is none, `CATALOG_CORRUPT` when it is damaged, of
 * another version, or not of the catalog with this `contentHash`.
 */
export function openFts5(path: string, { contentHash = "" }: { contentHash?: string } = {}): SearchEngine {
  let database: Database.Database
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
  } catch (error) {
    throw new AppError("NOT_FOUND", `There is no FTS5 index at ${path}: ${messageOf(error)}`, { cause: error })
  }
  try {
    return new Fts5Engine(path, database, contentHash)
  } catch (error) {
    database.close()
    if (error instanceof AppError) throw error
    throw corrupt(path, `it cannot be read (${messageOf(error)})`)
  }
}

function corrupt(path: string, why: string): AppError {
  return new AppError(
    "CATALOG_CORRUPT",
    `The FTS5 index ${path} does not serve: ${why}. Delete it; it is built again when it is needed.`,
  )
}

interface Row {
  readonly document: number
  readonly rank: number
}

class Fts5Engine implements SearchEngine {
  readonly name = "fts5"
  readonly documentCount: number
  readonly source: EngineSource
  readonly #database: Database.Database
  readonly #match: Database.Statement<[string], Row>
  readonly #asin: Database.Statement<[number], { asin: string }>

  constructor(path: string, database: Database.Database, contentHash: string) {
    const manifest = database.prepare<[], Record<string, unknown>>("SELECT * FROM manifest").get()
    if (manifest?.schema !== SCHEMA_VERSION || manifest.search_version !== SEARCH_VERSION) {
      throw corrupt(path, `it is of version ${manifest?.schema} (${manifest?.search_version})`)
    }
    if (manifest.content_hash !== contentHash) {
      throw corrupt(path, `it belongs to a catalog with SHA-256 ${manifest.content_hash}, not ${contentHash}`)
    }
    this.documentCount = Number(manifest.documents)
    this.source = { engine: "fts5", path, contentHash }
    this.#database = database
    this.#match = database.prepare("SELECT rowid AS document, rank FROM products WHERE products MATCH ? ORDER BY rank")
    this.#asin = database.prepare("SELECT asin FROM documents WHERE number = ?")
  }

  search(query: string, top: number, { maxTokens = Number.POSITIVE_INFINITY }: SearchOptions = {}): SearchHit[] {
    const limit = Math.floor(top)
    const tokens = tokenize(query).slice(0, maxTokens)
    if (!(limit > 0) || tokens.length === 0) return []
    const hits: (SearchHit & { readonly asin: string })[] = []
    // Past the last rank through its ties, since the order within a tie is the ids', which SQLite does not know here.
    for (const { document, rank } of this.#match.iterate(tokens.map((token) => `"${token}"`).join(" OR "))) {
      const score = roundScore(-rank)
      if (hits.length >= limit && score < hits[limit - 1]!.score) break
      hits.push({ document, score, asin: this.#asin.get(document)!.asin })
    }
    return hits
      .sort((a, b) => b.score - a.score || compareCodePoints(a.asin, b.asin) || a.document - b.document)
      .slice(0, limit)
      .map(({ document, score }) => ({ document, score }))
  }

  close(): void {
    this.#database.close()
  }
}
