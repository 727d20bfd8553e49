import { isJsonObject, type JsonObject } from "../../../../../src/core/json.ts"
import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Hint } from "../../../components/hint.tsx"
import { ValueTable } from "../../../components/value-table.tsx"
import { brief } from "../../../lib/foreign.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"

/** What the agent changed in the store, and whether the store ended as it should. */
export function WorldCard({ world }: { readonly world: JsonObject | undefined }) {
  const t = useTexts(SERVICE)
  if (world === undefined || !Array.isArray(world.changes)) return null
  const changes = world.changes.filter(isJsonObject)
  const told = typeof world.state_expected === "string"
  const right = world.state_expected === world.state_after
  return (
    <Card title={t.world} hint={<Hint about={t.world}>{t.worldHint}</Hint>}>
      {told && (
        <p className="mb-2 text-sm">
          <Badge tone={right ? "ok" : "bad"}>{right ? t.asExpected : t.notAsExpected}</Badge>
        </p>
      )}
      {changes.length === 0 ? (
        <p className="text-sm text-muted">{t.nothingChanged}</p>
      ) : (
        <ul className="space-y-3 text-sm">
          {changes.map(({ table, id, before, after }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            <li key={i}>
              <p className="mb-1 font-medium">
                {brief(String(table ?? ""), 40)} <span className="font-mono">{brief(String(id ?? ""), 60)}</span>
              </p>
              <ValueTable value={differences(before, after, { before: t.before, after: t.after })} depth={1} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The members that are not the same before and after. */
function differences(before: unknown, after: unknown, names: { readonly before: string; readonly after: string }) {
  const [a, b] = [isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {}]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const changed = keys.filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))
  return Object.fromEntries(
    changed.map((key) => [key, { [names.before]: a[key] ?? null, [names.after]: b[key] ?? null }]),
  )
}
