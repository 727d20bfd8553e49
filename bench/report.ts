import { cpus, loadavg, release, totalmem } from "node:os"
import { targetOf } from "./targets.ts"

/** One figure: the median of `n` measurements, of the clock and, where that makes sense, of the processor. */
export interface Row {
  readonly section: string
  readonly measure: string // with its unit, as `targetOf` knows it
  readonly products: number
  readonly n: number
  readonly value: number
  readonly processor: number | null
  /** The figure is a rate: more is better. */
  readonly isRate?: boolean
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly platform: string
  readonly node: string
  /** Processes that wanted to run, on average over a minute; above the number of cores, wall times are those of a busy machine. */
  readonly load: { readonly before: number; after: number }
}

export function machineFacts(): Machine {
  const load = loadavg()[0]!
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    load: { before: load, after: load },
  }
}

/** The value below which `share` of the values lie; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const HEAD = ["measure", "products", "n", "value", "processor", "floor", "aim", "reference", "against reference"]

/** A table for people, in Markdown so that it can be kept. */
export function rowsText(rows: readonly Row[]): string {
  const cells = rows.map(({ measure, products, n, value, processor, isRate }) => {
    const { floor, aim, reference } = targetOf(measure, products)
    const holds = (limit: number) => (isRate ? value >= limit : value <= limit)
    const against = (limit: number | undefined) => (limit === undefined ? "" : `${limit} ${holds(limit) ? "✓" : "✗"}`)
    const ratio =
      reference === undefined ? "" : `${figure(reference / value)} times ${/MB/.test(measure) ? "less" : "faster"}`
    return [
      measure,
      products.toLocaleString("en"),
      String(n),
      figure(value),
      processor === null ? "" : figure(processor),
      against(floor),
      against(aim),
      reference === undefined ? "" : String(reference),
      ratio,
    ]
  })
  const widths = HEAD.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i]!.length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`
  return [line(HEAD), rule, ...cells.map(line)].join("\n")
}

/** Three digits that count. */
function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en")
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
}

export function machineText({ cpu, cores, memory_gb, platform, node, load }: Machine): string {
  const busy =
    Math.max(load.before, load.after) > cores / 2 ? "; others used the machine, so the processor's times tell more" : ""
  return `${cores} × ${cpu}, ${memory_gb} GB, ${platform}, Node ${node}; load ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after${busy}`
}
