import type { JsonObject } from "./json.ts"

/**
 * Every code an {@link AppError} may carry. A program branches on the code; a person reads the message.
 * `BAD_INPUT` and its kin are the caller's to mend, `REFUSED` is a guard doing its work, the rest name the boundary that failed.
 */
export const ERROR_CODES = [
  "BAD_INPUT", // a file, field, flag or argument is wrong; the message says where and what to write instead
  "NOT_FOUND", // a named task, split, run, episode or file does not exist
  "REFUSED", // a lock, fingerprint or guard said no
  "CONFLICT", // the thing is in another state than the caller believes (stale lease, finished session)
  "CATALOG_CORRUPT", // a catalog file is damaged, of another version, or not what its manifest says
  "STORE_CORRUPT", // a run folder is damaged beyond the torn last line that is tolerated
  "STORE_UNWRITABLE", // disk full, read-only, no permission
  "MODEL_UNAVAILABLE", // a model endpoint did not answer, or answered with a server or transport fault
  "MODEL_REJECTED", // a model endpoint refused the request (bad key, unknown model, bad request)
  "ENVIRONMENT_UNAVAILABLE", // the environment did not answer or broke its contract
  "TARGET_UNAVAILABLE", // the service agent under test could not be had, did not stop, or broke its contract
  "DELIVERY_UNKNOWN", // words may have arrived or not; to be looked into, and not to be sent again
  "CANCELLED", // the caller's signal was aborted
  "INTERNAL", // a fault of ours
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** A failure with a stable code, a message one can act on, and the facts behind it. */
export class AppError extends Error {
  override readonly name = "AppError"
  readonly code: ErrorCode
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean
  readonly details: JsonObject

  constructor(
    code: ErrorCode,
    message: string,
    { retryable = false, details = {}, cause }: { retryable?: boolean; details?: JsonObject; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = retryable
    this.details = details
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Throws `CANCELLED` when `signal` is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError("CANCELLED", "Cancelled", { cause: signal.reason })
}
