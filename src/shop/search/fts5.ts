import Database from "better-sqlite3"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import { compareCodePoints } from "../../lib/python-text.ts"
import { buildDatabase, openDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import type { EngineSource, SearchDocument, SearchEngine, SearchHit, SearchOptions } from "./engine.ts"
import { FIELD_WEIGHTS, roundScore, SEARCH_VERSION } from "./ranking.ts"
import { foldText, modelText, tokenize } from "./tokens.ts"

/** A file of the reference engine: `SKFT`. */
const FTS5_KIND = { applicationId: 0x534b4654, version: 1 }

const FIELDS = FIELD_WEIGHTS.map(([field]) => field)
const WEIGHTS = FIELD_WEIGHTS.map(([, weight]) => weight)

/**
 * Builds the reference engine's file: SQLite FTS5 over the same tokens and weights. It holds no texts, only the inverted index and the
 * ids. It is at `path` only once it is complete. `contentHash` says which catalog it belongs to. Throws `CANCELLED`, and
 * what {@link buildDatabase} throws.
 *
 * The layout matters: contentless tables with `detail=column` rank everything 0, and `detail=none` cannot rank by column at all.
 */
export function buildFts5(
  path: string,
  documents: Iterable<SearchDocument>,
  { signal, contentHash = "" }: { signal?: AbortSignal; contentHash?: string } = {},
): void {
  const building = buildDatabase(path, FTS5_KIND)
  try {
    fill(building.database, documents, contentHash, signal)
    building.commit()
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    throw new AppError("STORE_UNWRITABLE", `The FTS5 index ${path} cannot be written: ${error.message}`, {
      cause: error,
    })
  } finally {
    building.discard()
  }
}

function fill(
  database: SqliteDatabase,
  documents: Iterable<SearchDocument>,
  contentHash: string,
  signal: AbortSignal | undefined,
): void {
  database.exec(`
    CREATE VIRTUAL TABLE products USING fts5(${FIELDS.join(", ")},
      content='', contentless_delete=1, detail=full, tokenize='unicode61 remove_diacritics 2');
    INSERT INTO products(products, rank) VALUES ('rank', 'bm25(${WEIGHTS.join(", ")})');
    CREATE TABLE documents (number INTEGER PRIMARY KEY, asin TEXT NOT NULL);
    CREATE TABLE manifest (search_version TEXT NOT NULL, content_hash TEXT NOT NULL, documents INTEGER NOT NULL);
  `)
  const insertProduct = database.prepare(
    `INSERT INTO products(rowid, ${FIELDS.join(", ")}) VALUES (?, ${FIELDS.map(() => "?").join(", ")})`,
  )
  const insertDocument = database.prepare("INSERT INTO documents VALUES (?, ?)")
  let count = 0
  for (const document of documents) {
    throwIfCancelled(signal)
    insertDocument.run(count, document.asin)
    insertProduct.run(count, ...FIELDS.map((field) => fieldText(document, field)))
    count++
  }
  database.prepare("INSERT INTO manifest VALUES (?, ?, ?)").run(SEARCH_VERSION, contentHash, count)
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
  const database = openDatabase(path, FTS5_KIND, "FTS5 index")
  try {
    return new Fts5Engine(path, database, contentHash)
  } catch (error) {
    database.close()
    throw error instanceof AppError ? error : corrupt(path, `cannot be read (${messageOf(error)})`, error)
  }
}

function corrupt(path: string, why: string, cause?: unknown): AppError {
  return new AppError("CATALOG_CORRUPT", `The FTS5 index ${path} ${why}; delete it and it is made again when needed`, {
    cause,
  })
}

interface Manifest {
  readonly search_version: string
  readonly content_hash: string
  readonly documents: number
}

interface Row {
  readonly document: number
  readonly rank: number
}

class Fts5Engine implements SearchEngine {
  readonly name = "fts5"
  readonly documentCount: number
  readonly source: EngineSource
  readonly #database: SqliteDatabase
  readonly #match: Database.Statement<[string], Row>
  readonly #asin: Database.Statement<[number], { asin: string }>

  constructor(path: string, database: SqliteDatabase, contentHash: string) {
    const manifest = database.prepare<[], Manifest>("SELECT * FROM manifest").get()
    if (manifest === undefined) throw corrupt(path, "has no manifest")
    if (manifest.search_version !== SEARCH_VERSION) {
      throw corrupt(path, `was made by search ${manifest.search_version}; this is ${SEARCH_VERSION}`)
    }
    if (manifest.content_hash !== contentHash) {
      throw corrupt(path, `belongs to a catalog with SHA-256 ${manifest.content_hash}, not ${contentHash}`)
    }
    this.documentCount = manifest.documents
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
