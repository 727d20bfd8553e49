import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query"
import type { z } from "zod"
import type { ServerInfo } from "../../../src/shop/native-wire.ts"
import { currentSettings } from "./settings.ts"

/** An answer of the server that is no success. `code` is stable; `message` is for people, in English. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
})

type Values = { readonly [name: string]: string | number | boolean | null | undefined }

/** The address of a route: `path` with its query; absent values are left out. */
export function address(path: string, query: Values = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

/** The address of an episode. */
export function episodePath(run: string, episode: string): string {
  return `/v1/runs/${encodeURIComponent(run)}/episodes/${encodeURIComponent(episode)}`
}

/** Asks the server. Rejects with `ApiError`; `status` 0 where nobody answered. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const { token } = currentSettings()
  const headers = new Headers(init.headers)
  if (token !== null) headers.set("authorization", `Bearer ${token}`)
  let response: Response
  try {
    response = await fetch(path, { ...init, headers })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, "unreachable", "The server does not answer. Is `souk serve` still running?")
  }
  if (response.ok) return response
  const problem = await response.json().catch(() => ({}))
  throw new ApiError(
    response.status,
    typeof problem.code === "string" ? problem.code : `http_${response.status}`,
    typeof problem.detail === "string" ? problem.detail : response.statusText,
  )
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal === undefined ? {} : { signal })
  return (await response.json()) as T
}

export async function sendJson<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { "content-type": "application/json" }
  }
  const response = await request(path, init)
  return (response.status === 204 ? undefined : await response.json()) as T
}

type FetchOptions = {
  /** Milliseconds between two askings; false: asked once. */
  readonly every?: number | false
  readonly enabled?: boolean
  /** Keeps what is shown until the next answer is there, as of a table whose filter changes. */
  readonly keep?: boolean
}

/** The JSON at an address, kept by it. */
export function useJson<T>(
  path: string,
  { every = false, enabled = true, keep = false }: FetchOptions = {},
): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: [path],
    queryFn: ({ signal }) => getJson<T>(path, signal),
    refetchInterval: every,
    enabled,
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

/** What the server is and what this caller may do. */
export function useServer(): UseQueryResult<z.infer<typeof ServerInfo>> {
  return useJson("/v1/info")
}

/** Whether the caller may read episodes and private goals. */
export function useIsOperator(): boolean {
  const role = useServer().data?.caller.role
  return role === "operator" || role === "admin"
}
