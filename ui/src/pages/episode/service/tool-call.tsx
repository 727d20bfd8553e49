import type { ToolRecord } from "../../../../../src/core/conversation.ts"
import { isJsonObject, type JsonObject } from "../../../../../src/core/json.ts"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { Badge, type Tone } from "../../../components/badge.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { Hint } from "../../../components/hint.tsx"
import { ValueTable } from "../../../components/value-table.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { useFocus } from "./focus.tsx"
import { excerpt, Quoted } from "./quoted.tsx"
import { FailedHere } from "./verdict-mark.tsx"

const TONES: { readonly [name: string]: Tone } = { hit: "ok", miss: "warn", passthrough: "plain" }

/** Characters of an answer that are shown as it was sent. */
const SHOWN = 20_000

/** One call of a tool: what was asked, what came back and where from, as tables; the text as it was sent on demand. */
export function ToolCall({
  tool,
  turn,
  isFocus,
  verdicts,
}: {
  readonly tool: ToolRecord
  /** The turn that the row around it is told for. */
  readonly turn: number
  readonly isFocus: boolean
  readonly verdicts: readonly Verdict[]
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const focus = useFocus()
  const { result, sources } = answerOf(tool)
  const quotes = verdicts.flatMap(({ evidence }) =>
    evidence.flatMap(({ tool_id, quote }) => (tool_id === tool.id ? [quote] : [])),
  )
  const quote = isFocus ? (focus.quote ?? quotes[0]) : undefined
  return (
    <article
      aria-label={t.callOf(brief(tool.name, 60))}
      className={`rounded-md ${isFocus ? "p-2 outline-2 outline-accent" : ""}`}
    >
      <header className="mb-1 flex flex-wrap items-center gap-1.5">
        <strong className="font-mono font-semibold [overflow-wrap:anywhere]">{brief(tool.name, 80)}</strong>
        {tool.class !== "passthrough" && (
          <Badge tone={TONES[tool.class] ?? "plain"}>{wordFor(t.classes, tool.class)}</Badge>
        )}
        {!tool.ok && <Badge tone="bad">{t.refused}</Badge>}
        {tool.write === true && <Badge tone="info">{t.write}</Badge>}
        {tool.affects_conclusion === true && <Badge tone="warn">{t.affects}</Badge>}
        {tool.turn !== turn && <span className="text-muted">{t.turn(format.count(tool.turn))}</span>}
        {tool.class === "passthrough" ? null : <Hint about={t.classes.hit}>{t.classHint}</Hint>}
        <FailedHere verdicts={verdicts} />
      </header>
      {tool.reason !== undefined && tool.reason !== "matched" && (
        <p className="mb-1 text-muted">{wordFor(t.reasons, tool.reason)}</p>
      )}
      {quote !== undefined && (
        <blockquote className="mb-2 rounded border-l-2 border-accent bg-raised px-2 py-1">
          <Quoted mono text={excerpt(tool.content, quote)} quotes={[quote]} />
        </blockquote>
      )}
      <div className="space-y-2">
        {Object.keys(tool.arguments).length > 0 && (
          <Part title={t.arguments}>
            <ValueTable value={tool.arguments} depth={1} />
          </Part>
        )}
        <Part title={t.result}>
          {result === undefined ? (
            <Foreign text={tool.content.slice(0, SHOWN)} />
          ) : (
            <ValueTable value={result} depth={1} />
          )}
        </Part>
        {sources.length > 0 && (
          <Part title={t.sources}>
            <ValueTable
              value={sources.map(({ field, name, source, label, at }) => ({
                [t.fact]: name ?? field ?? null,
                [t.from]: label ?? source ?? null,
                [t.of]: typeof at === "string" ? `${format.clock(at)} UTC` : null,
              }))}
              depth={1}
            />
          </Part>
        )}
        {result !== undefined && (
          <details>
            <summary className="text-muted hover:text-text">{t.asSent}</summary>
            <Foreign mono text={tool.content.slice(0, SHOWN)} className="mt-1 rounded bg-raised p-2" />
          </details>
        )}
      </div>
    </article>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <div className="mb-0.5 text-xs font-semibold text-muted">{title}</div>
      {children}
    </div>
  )
}

/** The answer as data without what is said about it, and where each fact is from; undefined: it is a text. */
function answerOf({ data, content }: ToolRecord): { result: unknown; sources: readonly JsonObject[] } {
  const value = data ?? parsed(content)
  if (!isJsonObject(value)) return { result: Array.isArray(value) ? value : undefined, sources: [] }
  const { evaluationReplay: about, ...result } = value
  const told = isJsonObject(about) && isJsonObject(about.sources) ? about.sources : {}
  const sources = Object.entries(told).flatMap(([field, source]) =>
    isJsonObject(source) ? [{ field, ...source }] : [],
  )
  return { result, sources }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
