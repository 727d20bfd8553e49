import { TriangleAlert } from "lucide-react"
import { Hint } from "../../components/hint.tsx"
import { Stat, Stats } from "../../components/stat.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON } from "../../texts/common.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import { type Comparison, measureOf, tellChance, tellDifference, tellingOf } from "./measure.ts"

/** What the success rates' difference says, in a sentence and in figures, and what to mind when reading it. */
export function Headline({ comparison, suite }: { readonly comparison: Comparison; readonly suite: string | null }) {
  const t = useTexts(COMPARE)
  const c = useTexts(COMMON)
  const format = useFormat()
  const { measures, first, second, jobs, tasks, sales_pair: pair } = comparison
  const { success, reward } = measures
  const name = { first: brief(first.name, 60), second: brief(second.name, 60) }
  const isService = suite === "service"
  const rewardLabel = isService ? t.shareDifference : t.rewardDifference
  const points = (value: number) => format.number(Math.abs(100 * value), 1)
  const told = success?.interval === undefined ? undefined : tellingOf(success)
  const isUnsure = told === "interval_alone" || told === "test_alone"
  const range = (of: NonNullable<typeof success>, measure: string) =>
    of.interval === undefined
      ? t.noInterval
      : c.interval95(
          t.fromTo(tellDifference(measure, of.interval.low, format), tellDifference(measure, of.interval.high, format)),
        )
  return (
    <section aria-label={t.result} className="space-y-3">
      <p className="text-lg font-semibold [overflow-wrap:anywhere]">
        {verdict()} {isUnsure && <Hint about={t.sure}>{t.method}</Hint>}
      </p>
      {pair !== undefined && (
        <p className="text-sm">
          {t.pair(
            brief(pair.pair_id, 60),
            t.pairSide(name.first, pair.first.annotation),
            t.pairSide(name.second, pair.second.annotation),
          )}
        </p>
      )}
      <Stats>
        {success !== undefined && (
          <>
            <Stat
              label={t.successOf(name.first)}
              value={format.percent(success.first)}
              of={t.onTasks(format.count(success.n))}
            />
            <Stat
              label={t.successOf(name.second)}
              value={format.percent(success.second)}
              of={t.onTasks(format.count(success.n))}
            />
            <Stat
              label={t.successDifference}
              hint={<Hint about={t.successDifference}>{t.method}</Hint>}
              value={t.points(tellDifference("success", success.mean, format))}
              range={range(success, "success")}
            />
          </>
        )}
        {reward !== undefined && (
          <Stat
            label={rewardLabel}
            hint={<Hint about={rewardLabel}>{t.rewardHint}</Hint>}
            value={
              isService
                ? t.points(tellDifference("share", reward.mean, format))
                : tellDifference("reward", reward.mean, format)
            }
            range={range(reward, measureOf("reward", suite))}
          />
        )}
        <Stat
          label={t.pairedJobs}
          hint={<Hint about={t.pairedJobs}>{t.pairedJobsHint}</Hint>}
          value={format.count(jobs.paired)}
          of={t.ofShared(format.count(jobs.shared), format.count(tasks))}
        />
      </Stats>
      {comparison.warnings.length > 0 && (
        <ul className="space-y-1 rounded-lg bg-warn-soft px-4 py-3 text-sm">
          {comparison.warnings.map((warning) => (
            <li key={warning.code} className="flex gap-2">
              <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{warningText(warning)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )

  function verdict(): string {
    if (success === undefined || told === undefined) return t.tooLittle
    if (told === "apart") return t.better(success.mean > 0 ? name.second : name.first, points(success.mean))
    if (isUnsure) return `${t.notSure}${t.gap}${t.alone[told](tellChance(success.p, format))}`
    return t.notApart
  }

  function warningText(warning: Comparison["warnings"][number]): string {
    switch (warning.code) {
      case "different_conditions":
        return t.warnDifferent(warning.members.map((member) => brief(member, 60)).join(t.comma))
      case "not_a_pair":
        return warning.members.length === 0
          ? t.warnSameSide
          : t.warnNotAPair(warning.members.map((member) => brief(member, 60)).join(t.comma))
      case "jobs_not_shared":
        return t.warnNotShared(format.count(warning.shared), format.count(warning.planned))
      case "jobs_not_scored":
        return t.warnNotScored(format.count(warning.left_out))
      case "few_tasks":
        return t.warnFew(format.count(warning.tasks))
      default:
        return warning satisfies never
    }
  }
}
