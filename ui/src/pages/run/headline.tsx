import type { Summary } from "../../../../src/core/score.ts"
import { Hint } from "../../components/hint.tsx"
import { Stat, Stats } from "../../components/stat.tsx"
import { useFormat } from "../../lib/format.ts"
import { COMMON } from "../../texts/common.ts"
import { RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"

/** The figures one looks for first, each with its interval and what it is over. */
export function Headline({ summary }: { readonly summary: Summary }) {
  const t = useTexts(RUN)
  const common = useTexts(COMMON)
  const format = useFormat()
  const { counts, primary, behavior, cost, judgment } = summary
  const over = t.scored(format.count(counts.scored), format.count(counts.requested))
  const rewards = primary.reward_task_interval ?? primary.reward_interval
  const unscored = counts.failed + counts.cancelled + counts.invalid + counts.missing
  const tokens = Object.entries(cost.tokens)
    .filter(([kind]) => kind === "prompt_tokens" || kind === "completion_tokens" || kind === "total_tokens")
    .reduce((most, [, count]) => Math.max(most, count), 0)
  return (
    <Stats>
      {judgment === undefined ? (
        <Stat
          label={t.success}
          hint={<Hint about={t.success}>{t.successHint}</Hint>}
          value={format.percent(primary.success_rate)}
          range={rangeText(format.percentRange(primary.success_task_interval ?? primary.success_interval))}
          of={over}
        />
      ) : (
        <Stat
          label={t.passRate}
          hint={<Hint about={t.passRate}>{t.passHint}</Hint>}
          value={format.percent(judgment.pass_rate.rate)}
          range={rangeText(format.percentRange(judgment.pass_rate.interval))}
          of={`${t.judged(format.count(judgment.pass_rate.passed), format.count(judgment.pass_rate.of))} · ${t.excluded(
            format.count(Object.values(judgment.excluded).reduce((sum, count) => sum + count, 0)),
          )}`}
        />
      )}
      <Stat
        label={judgment === undefined ? t.reward : t.share}
        hint={judgment === undefined && <Hint about={t.reward}>{t.rewardHint}</Hint>}
        value={judgment === undefined ? format.fixed(primary.reward_mean, 3) : format.percent(primary.reward_mean)}
        range={rangeText(judgment === undefined ? format.range(rewards, 3) : format.percentRange(rewards))}
        of={over}
      />
      <Stat
        label={summary.suite === "service" ? t.turns : t.steps}
        value={format.fixed(behavior.steps_mean, 1)}
        of={t.perEpisode}
      />
      <Stat
        label={t.cost}
        value={
          cost.money && cost.money.length > 0 ? format.money(cost.money) : tokens > 0 ? format.count(tokens) : t.free
        }
        range={
          cost.money && cost.money.length > 0 && tokens > 0
            ? `${format.count(tokens)} ${t.tokens}`
            : tokens > 0
              ? t.tokens
              : undefined
        }
        of={tokens > 0 ? t.inAll : t.freeOf}
      />
      <Stat
        label={t.faults}
        hint={<Hint about={t.faults}>{t.faultsHint}</Hint>}
        value={format.count(unscored)}
        of={
          unscored === 0
            ? t.allScored(format.count(counts.requested))
            : t.faultsOf(
                format.count(counts.failed),
                format.count(counts.cancelled),
                format.count(counts.invalid),
                format.count(counts.missing),
              )
        }
      />
    </Stats>
  )

  function rangeText(range: string): string {
    return range === "–" ? range : common.interval95(range)
  }
}
