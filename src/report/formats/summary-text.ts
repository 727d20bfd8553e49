import type { Summary } from "../../core/score.ts"

/** A run's figures for a terminal: what they are over, their intervals, and what went wrong. */
export function summaryText(summary: Summary): string {
  const { counts, primary, behavior, cost, reward_components, errors } = summary
  const rows: [string, string][] = [["Episodes", episodesText(counts)]]
  if (primary.success_rate !== undefined && primary.success_interval !== undefined) {
    const successes = Math.round(primary.success_rate * counts.scored)
    const { low, high } = primary.success_interval
    rows.push([
      "Success",
      `${percent(primary.success_rate)}  ${successes} of ${counts.scored}; 95 % interval ${range(percent(low), percent(high))}`,
    ])
  }
  if (primary.reward_mean !== undefined) {
    const { reward_interval: interval } = primary
    const spread = interval ? `  95 % interval ${range(decimal(interval.low), decimal(interval.high))}` : ""
    rows.push(["Reward", `${decimal(primary.reward_mean)}${spread}`])
  }
  const components = Object.entries(reward_components).map(([name, mean]) => `${name} ${decimal(mean)}`)
  if (components.length > 0) rows.push(["Components", components.join(" · ")])
  if (behavior.steps_mean !== undefined) {
    rows.push(["Steps", `${decimal(behavior.steps_mean, 1)} an episode; ${stepFaults(behavior)}`])
    rows.push([
      "Actions",
      `${behavior.total_actions}, invalid ${of(behavior.invalid_actions, behavior.invalid_action_rate)}`,
    ])
    rows.push(["Ended by", counted(behavior.termination_reasons)])
  }
  if (cost.duration_ms_mean !== undefined) rows.push(["Time", `${duration(cost.duration_ms_mean)} an episode`])
  if (Object.keys(cost.tokens).length > 0) rows.push(["Tokens", counted(cost.tokens)])
  if (Object.keys(errors).length > 0) rows.push(["Errors", counted(errors)])
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`).join("\n")
}

function episodesText(counts: Summary["counts"]): string {
  const others = (["failed", "cancelled", "invalid", "missing"] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => `${counts[key]} ${key}`)
  const attempts = counts.attempts > counts.recorded ? [`${counts.attempts} attempts`] : []
  const notes = [...others, ...attempts]
  const scored = `${counts.scored} of ${counts.requested} scored (${percent(counts.coverage)})`
  return notes.length === 0 ? scored : `${scored}; ${notes.join(", ")}`
}

function stepFaults(behavior: Summary["behavior"]): string {
  const protocol = `protocol errors ${of(behavior.protocol_errors, behavior.protocol_error_rate)}`
  return `${protocol}, policy failures ${of(behavior.policy_failures, behavior.policy_failure_rate)}`
}

function of(count: number, rate: number | undefined): string {
  return rate === undefined || count === 0 ? `${count}` : `${count} (${percent(rate)})`
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1])
  return entries.map(([name, count]) => `${name} ${count}`).join(" · ")
}

/** `34.6 %`, from a share. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function range(low: string, high: string): string {
  return `${low.replace(" %", "")} to ${high}`
}

function decimal(value: number, digits = 3): string {
  return value.toFixed(digits)
}

/** Milliseconds for people: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
