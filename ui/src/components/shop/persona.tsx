import type { JsonObject } from "../../../../src/core/json.ts"
import { brief } from "../../lib/foreign.ts"
import { Facts } from "../facts.tsx"
import { Foreign } from "../foreign.tsx"

/** A shopper's profile, folded away until it is asked for. Nothing where there is none. */
export function Persona({ persona, title }: { readonly persona: JsonObject | null; readonly title: string }) {
  if (persona === null || Object.keys(persona).length === 0) return null
  return (
    <details className="mt-3 text-sm">
      <summary className="font-medium text-muted hover:text-text">{title}</summary>
      <div className="mt-2 rounded-md bg-raised px-3 py-2">
        <Facts
          items={Object.entries(persona).map(([name, value]) => [
            brief(name, 60),
            <Foreign key={name} text={textOf(value)} />,
          ])}
        />
      </div>
    </details>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(" · ")
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
