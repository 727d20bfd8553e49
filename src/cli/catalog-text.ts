import type { CatalogInspection } from "../shop/catalog/inspect.ts"

/** An inspection for people: one fact a line, tallies in one line each. */
export function inspectionText(inspection: CatalogInspection): string {
  const { manifest, domains, axes, price_affecting_axes, price_kinds, tasks, exclusions, problems, audits } = inspection
  const { counts } = manifest
  const lines = [
    `language ${manifest.language}, currency ${manifest.currency}, filter ${manifest.filter}, content ${manifest.content_hash}`,
    `from ${manifest.sources.map(({ name, records }) => `${name} (${records} records)`).join(", ")}`,
    `${counts.products} products, ${counts.tasks} tasks, ${counts.persona_tasks} of them with a persona`,
    "",
    `domains: ${tally(domains)}`,
    `option axes: ${tally(axes)}; of these moving the price: ${tally(price_affecting_axes)}`,
    `prices: ${tally(price_kinds)}`,
    "",
    `tasks by split: ${tally(tasks.by_split)}`,
    `tasks by source: ${tally(tasks.by_source)}`,
    `budgets, v8 rules: ${tally(tasks.budget_v8)}`,
    `budgets, souk rules: ${tally(tasks.budget_souk)}; another upper bound than v8: ${tasks.budget_differs.count}`,
    `wanted options: ${tally(tasks.wanted_options)}`,
    "",
    `excluded: ${exclusions.products} products, ${exclusions.tasks} tasks: ${tally(exclusions.by_reason)}`,
    `problems at import: ${problems.count}: ${tally(problems.by_effect)}`,
    "",
    "looks odd (nothing was changed because of it):",
  ]
  for (const [name, { count, examples }] of Object.entries(audits)) {
    if (count > 0) lines.push(`  ${name.replaceAll("_", " ")}: ${count} (${examples.join(", ")})`)
  }
  if (Object.values(audits).every(({ count }) => count === 0)) lines.push("  nothing")
  return lines.join("\n")
}

function tally(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([key, count]) => `${key} ${count}`)
  return parts.length === 0 ? "none" : parts.join(", ")
}
