/** The parts of a comparison that are written down; `Comparison` of `score/compare.ts` is one. */
interface Compared {
  readonly first: { readonly name: string }
  readonly second: { readonly name: string }
  readonly differences: readonly { readonly path: string; readonly first: unknown; readonly second: unknown }[]
  readonly jobs: { readonly paired: number; readonly shared: number }
  readonly tasks: number
  readonly measures: {
    readonly [name: string]: {
      readonly first: number
      readonly second: number
      readonly mean: number
      readonly p: number
      readonly interval?: { readonly low: number; readonly high: number }
    }
  }
  readonly flips: {
    readonly gained: readonly string[]
    readonly lost: readonly string[]
    readonly mixed: readonly string[]
  }
  readonly warnings: readonly string[]
}

const SHOWN_TASKS = 12

/** A comparison as Markdown, which also reads well in a terminal. */
export function comparisonMarkdown(comparison: Compared): string {
  const { first, second, jobs, tasks, measures, flips, differences, warnings } = comparison
  const lines = [
    `# ${first.name} → ${second.name}`,
    "",
    `${jobs.paired} of ${jobs.shared} shared jobs are scored on both sides, ${tasks} tasks. ${verdict(comparison)}`,
    "",
    "| measure | first | second | difference | 95 % interval | p |",
    "|---|--:|--:|--:|--:|--:|",
    ...Object.entries(measures).map(([name, { first, second, mean, interval, p }]) => {
      const range = interval === undefined ? "–" : `${signed(interval.low)} to ${signed(interval.high)}`
      return `| ${name} | ${decimal(first)} | ${decimal(second)} | ${signed(mean)} | ${range} | ${chance(p)} |`
    }),
    "",
    `- gained (failed, then succeeded): ${list(flips.gained)}`,
    `- lost (succeeded, then failed): ${list(flips.lost)}`,
    ...(flips.mixed.length > 0 ? [`- changed in some samples: ${list(flips.mixed)}`] : []),
    "",
    differences.length === 0
      ? "Their plans are the same: what differs is chance."
      : `What differs in their plans: ${differences.map(({ path }) => `\`${path}\``).join(", ")}.`,
    ...warnings.map((warning) => `\nWarning: ${warning}.`),
  ]
  return lines.join("\n")
}

/** What the success rates' difference says, in a sentence. */
function verdict({ measures, first, second }: Compared): string {
  const success = measures.success
  if (success?.interval === undefined) return "That is too little to tell them apart."
  const { low, high } = success.interval
  if (low <= 0 && high >= 0) return "Their success rates cannot be told apart."
  const better = low > 0 ? second.name : first.name
  return `${better} succeeds more often, by ${decimal(Math.abs(success.mean) * 100)} points.`
}

function list(tasks: readonly string[]): string {
  if (tasks.length === 0) return "none"
  const more = tasks.length > SHOWN_TASKS ? `, and ${tasks.length - SHOWN_TASKS} more` : ""
  return `${tasks.length} (task ${tasks.slice(0, SHOWN_TASKS).join(", ")}${more})`
}

function decimal(value: number): string {
  return Number.isInteger(value)
    ? String(value)
    : value.toPrecision(3).includes("e")
      ? value.toFixed(0)
      : value.toPrecision(3)
}

function signed(value: number): string {
  return value > 0 ? `+${decimal(value)}` : decimal(value)
}

function chance(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3)
}
