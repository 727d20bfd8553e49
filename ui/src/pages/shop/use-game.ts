import { useCallback, useEffect, useRef, useState } from "react"
import type { JsonObject } from "../../../../src/core/json.ts"
import type { InteractionMode, RulesName } from "../../../../src/shop/rules.ts"
import { ApiError, queryClient, request, sendJson } from "../../lib/api.ts"

/** What is played, and how. `player`: it is recorded under this name; null: nothing is kept. */
type Terms = {
  readonly taskId: string
  readonly rules: RulesName
  readonly mode: InteractionMode
  readonly persona: boolean
  readonly player: string | null
}

type PageSeen = { readonly text: string; readonly state: JsonObject }
type Exchange = { readonly question: string; readonly answer: string }

/** One action and what came of it. */
export type Turn = {
  readonly action: string
  readonly valid: boolean
  readonly message: string
  readonly exchange: Exchange | null
  readonly page: PageSeen
}

export type GameOutcome = {
  readonly termination_reason: string
  readonly reward: number
  readonly reward_detail: JsonObject
  readonly purchase: JsonObject | null
}

export type Game = {
  readonly terms: Terms
  /** Of the session or play at the server. */
  readonly path: string
  /** Seconds that it lives unused. */
  readonly ttlS: number
  readonly instruction: string
  readonly persona: JsonObject | null
  readonly info: JsonObject
  readonly page: PageSeen
  readonly nextStep: number
  readonly turns: readonly Turn[]
  readonly outcome: GameOutcome | null
  readonly isOver: boolean
  /** Where a play is kept, once it is over. */
  readonly recorded: { readonly run: string; readonly episode_id: string } | null
}

type Created = Pick<Game, "instruction" | "persona" | "info"> & {
  readonly lease?: string
  readonly play?: string
  readonly ttl_s: number
  readonly next_step: number
  readonly observation: PageSeen
}
type Answer = {
  readonly next_step: number
  readonly feedback: { readonly valid: boolean; readonly message: string } | null
  readonly observation: PageSeen
  readonly outcome: GameOutcome | null
  readonly exchange?: Exchange | null
  readonly recorded?: Game["recorded"]
}

export type Playing = {
  readonly game: Game | null
  readonly busy: boolean
  readonly error: unknown
  /** An action that may not have arrived; sent again, it is played once. */
  readonly unsent: string | null
  start(terms: Terms): Promise<void>
  act(action: string): Promise<void>
  leave(): void
}

/** A session or a recorded play at the server. It is kept alive while the page is open, and released when it is left. */
export function useGame(): Playing {
  const [game, setGame] = useState<Game | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [unsent, setUnsent] = useState<string | null>(null)
  const held = useRef<string | null>(null)
  const isBusy = useRef(false)
  const isGone = useRef(false)

  /** One request at a time: what is asked for meanwhile is not done. */
  const alone = useCallback(async (work: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (problem) {
      setError(problem)
    } finally {
      isBusy.current = false
      setBusy(false)
    }
  }, [])

  const leave = useCallback(() => {
    release(held.current)
    held.current = null
    setGame(null)
    setError(null)
    setUnsent(null)
  }, [])

  const start = useCallback(
    (terms: Terms) =>
      alone(async () => {
        release(held.current)
        held.current = null
        const { taskId: task_id, rules, mode, persona, player } = terms
        const kind = player === null ? "sessions" : "plays"
        const body = { task_id, rules, mode, persona, ...(player !== null && player !== "" && { player }) }
        const made = await sendJson<Created>("POST", `/v1/${kind}`, body)
        const path = `/v1/${kind}/${made.lease ?? made.play}`
        if (isGone.current) return release(path)
        held.current = path
        setUnsent(null)
        setGame({
          terms,
          path,
          ttlS: made.ttl_s,
          instruction: made.instruction,
          persona: made.persona,
          info: made.info,
          page: made.observation,
          nextStep: made.next_step,
          turns: [],
          outcome: null,
          isOver: false,
          recorded: null,
        })
      }),
    [alone],
  )

  const act = useCallback(
    (action: string) =>
      alone(async () => {
        if (game === null || game.isOver) return
        setUnsent(action)
        const answer = await sendJson<Answer>("POST", `${game.path}/actions`, { step: game.nextStep, action })
        setUnsent(null)
        setGame(after(game, action, answer))
        if (answer.recorded) void queryClient.invalidateQueries({ queryKey: ["/v1/runs"] })
      }),
    [alone, game],
  )

  useEffect(() => {
    isGone.current = false
    const go = () => {
      release(held.current)
      held.current = null
    }
    addEventListener("pagehide", go)
    return () => {
      isGone.current = true
      removeEventListener("pagehide", go)
      go()
    }
  }, [])

  const { path, ttlS } = game ?? {}
  useEffect(() => {
    if (path === undefined || ttlS === undefined || !path.startsWith("/v1/sessions/")) return
    const timer = setInterval(() => void sendJson("POST", `${path}/heartbeat`).catch(() => {}), (1000 * ttlS) / 3)
    return () => clearInterval(timer)
  }, [path, ttlS])

  return { game, busy, error, unsent: error === null ? null : unsent, start, act, leave }
}

/** Whether the server knows the session no more. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === "session_not_found"
}

function after(game: Game, action: string, answer: Answer): Game {
  const { feedback, observation, outcome, exchange = null, recorded = null, next_step } = answer
  return {
    ...game,
    page: observation,
    nextStep: next_step,
    turns: [
      ...game.turns,
      {
        action,
        valid: feedback?.valid ?? true,
        message: feedback?.message ?? "",
        exchange,
        page: observation,
      },
    ],
    outcome,
    recorded,
    isOver: outcome !== null || recorded !== null,
  }
}

/** Gives a place back; also while the page is being left, when nobody waits for the answer. */
function release(path: string | null): void {
  if (path === null) return
  void request(path, { method: "DELETE", keepalive: true }).catch(() => {})
}
