import { createHash } from "node:crypto"
import { fingerprint } from "../../core/fingerprint.ts"
import type { FileKind } from "../../lib/sqlite.ts"

/** `SOUK` in the file header tells a catalog from other SQLite files; the version is that of the tables below. */
export const CATALOG_KIND: FileKind = { applicationId: 0x534f554b, version: 1 }

/** The search index is stored in pieces of this many bytes. */
export const INDEX_CHUNK_BYTES = 4 << 20

/**
 * Records are compact JSON in their schema's key order. What pages of results show (`summaries`) and what only an export needs
 * (`extras`) stand apart from products, so that reading one does not read the others.
 */
export const CATALOG_TABLES = `
  CREATE TABLE manifest (json TEXT NOT NULL);
  CREATE TABLE products (document INTEGER PRIMARY KEY, asin TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
  CREATE TABLE summaries (document INTEGER PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE extras (
    document INTEGER PRIMARY KEY,
    source_product_index INTEGER NOT NULL,
    instruction_count INTEGER NOT NULL,
    difference TEXT
  );
  CREATE TABLE tasks (
    number INTEGER PRIMARY KEY,
    task_id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    persona INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE TABLE splits (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
  CREATE TABLE exclusions (
    number INTEGER PRIMARY KEY,
    source_product_index INTEGER NOT NULL,
    asin TEXT NOT NULL,
    whole_product INTEGER NOT NULL,
    task_ids TEXT NOT NULL,
    reason TEXT NOT NULL,
    details TEXT NOT NULL
  );
  CREATE TABLE problems (
    number INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    item INTEGER NOT NULL,
    asin TEXT,
    field TEXT NOT NULL,
    reason TEXT NOT NULL,
    effect TEXT NOT NULL
  );
  CREATE TABLE index_chunks (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`
/** Made when everything is in: much quicker than keeping it up to date row by row. */
export const CATALOG_INDEXES = "CREATE INDEX tasks_of_document ON tasks (document, position)"

/** Takes the content in, record by record in catalog order, for the content hash. */
export class ContentHash {
  readonly #products = createHash("sha256")
  readonly #tasks = createHash("sha256")

  product(json: string): void {
    this.#products.update(`${json}\n`)
  }

  task(json: string): void {
    this.#tasks.update(`${json}\n`)
  }

  finish({ language, currency }: { language: string; currency: string }): {
    products_sha256: string
    tasks_sha256: string
    content_hash: string
  } {
    const products_sha256 = this.#products.digest("hex")
    const tasks_sha256 = this.#tasks.digest("hex")
    const content_hash = fingerprint({ content: "souk.catalog/1", language, currency, products_sha256, tasks_sha256 })
    return { products_sha256, tasks_sha256, content_hash }
  }
}
