import { measureLabel } from "../../../../src/report/measures.ts"
import { Badge } from "../../components/badge.tsx"
import { Card } from "../../components/card.tsx"
import { Hint } from "../../components/hint.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { useSettings } from "../../lib/settings.ts"
import { wordFor } from "../../texts/common.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import {
  type Comparison,
  isShare,
  type Measure,
  measureOf,
  tellChance,
  tellDifference,
  tellingOf,
  tellMean,
} from "./measure.ts"

/** Every measure on both sides, its difference with interval and test, and what these say. */
export function Measures({ comparison, suite }: { readonly comparison: Comparison; readonly suite: string | null }) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const { language } = useSettings()
  const { first, second, measures } = comparison
  const heads = [t.measure, brief(first.name, 30), brief(second.name, 30), t.difference, t.interval, "p", t.says]
  return (
    <Card title={t.measures} hint={<Hint about={t.measures}>{t.method}</Hint>}>
      <section className="overflow-x-auto" tabIndex={0} aria-label={t.measures}>
        <table className="w-full min-w-max text-sm">
          <thead>
            <tr className="border-b border-line">
              {heads.map((head, i) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                  key={i}
                  scope="col"
                  className={`px-3 py-2 text-[13px] font-semibold text-muted first:pl-0 ${i === 0 || i === 6 ? "text-left" : "text-right"}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(measures).map(([recorded, measure]) => {
              const name = measureOf(recorded, suite)
              const unit = isShare(name) ? t.points : (value: string) => value
              const { interval, mean } = measure
              return (
                <tr key={recorded} className="border-b border-line/60 last:border-0">
                  <th scope="row" className="py-1.5 pr-3 text-left font-medium">
                    {Object.hasOwn(t.measureNames, name)
                      ? wordFor(t.measureNames, name)
                      : brief(measureLabel(name, language), 60)}
                  </th>
                  <td className="px-3 text-right tabular-nums">{tellMean(name, measure.first, format)}</td>
                  <td className="px-3 text-right tabular-nums">{tellMean(name, measure.second, format)}</td>
                  <td className="px-3 text-right tabular-nums">{unit(tellDifference(name, mean, format))}</td>
                  <td className="px-3 text-right tabular-nums text-muted">
                    {interval === undefined
                      ? "–"
                      : unit(
                          t.fromTo(
                            tellDifference(name, interval.low, format),
                            tellDifference(name, interval.high, format),
                          ),
                        )}
                  </td>
                  <td className="px-3 text-right tabular-nums text-muted">{tellChance(measure.p, format)}</td>
                  <td className="px-3">
                    <Says measure={measure} higher={brief(mean > 0 ? second.name : first.name, 40)} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

/** What a difference says, in a word. Where interval and test do not agree, a hint tells which of them says what. */
function Says({ measure, higher }: { readonly measure: Measure; readonly higher: string }) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const told = tellingOf(measure)
  if (told === "apart") return <Badge tone="info">{t.higherIn(higher)}</Badge>
  if (told === "equal" || told === "neither")
    return <span className="text-muted">{told === "equal" ? t.equal : t.cannotTell}</span>
  return (
    <span className="inline-flex items-center gap-1">
      {t.unsure}
      <Hint about={t.unsure}>{t.alone[told](tellChance(measure.p, format)) + t.gap + t.both}</Hint>
    </span>
  )
}
