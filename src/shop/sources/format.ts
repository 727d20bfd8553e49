import type { ByteSource } from "../../lib/byte-source.ts"
import type { FieldProblem, SourceRecord, UnusableRecord } from "./source.ts"

/** A record that is sound but not on sale (a draft, sold out): left out by rule, not by fault. */
interface ExcludedRecord {
  readonly product: null
  readonly asin: string
  readonly instruction_count: number
  /** `draft`, `archived`, `unpublished`, `sold_out`. */
  readonly excluded: string
}

/** A fault with a line of its own, where a record spans many. */
export interface PlacedProblem extends FieldProblem {
  readonly line?: number
}

/** A record as it was read, with its place. */
export interface ReadRecord {
  readonly file: string
  readonly line: number // where it begins, from 1
  readonly item: number // its place among the records of its file, from 0
  readonly record: SourceRecord | UnusableRecord | ExcludedRecord
  readonly problems: readonly PlacedProblem[]
}

/** A way of writing a store down. */
export interface SourceFormat {
  /** What `--format` says about it in the help: which files, in a few words. */
  readonly summary: string
  /**
   * Reads the files as one list of products, in order, each file once from its start to its end. Faults of a record come with it and
   * never throw; what leaves nothing to go on with (damaged gzip, no header line) throws `BAD_INPUT` naming file and place.
   */
  read(files: readonly ByteSource[], signal?: AbortSignal): AsyncIterable<readonly ReadRecord[]>
}
