export { doNothing } from "./baselines/do-nothing.ts"
export { type Policy, playPolicy } from "./baselines/policy.ts"
export { randomPolicy } from "./baselines/random.ts"
export { takeFirst } from "./baselines/take-first.ts"
export { BUDGET_VERSIONS, type BudgetOptions, type BudgetSource, goalBudget, parseBudget } from "./budget.ts"
export { exportCatalog } from "./catalog/export.ts"
export { type ImportOptions, type ImportProgress, type ImportResult, importCatalog } from "./catalog/import.ts"
export { type CatalogInspection, inspectCatalog, listExclusions, listProblems } from "./catalog/inspect.ts"
export { openCatalog } from "./catalog/open.ts"
export { type CatalogCheck, verifyCatalog } from "./catalog/verify.ts"
export type { Exclusion, ImportProblem } from "./catalog/writer.ts"
export { type Catalog, CatalogFilter, CatalogManifest, Language } from "./catalog.ts"
export { type ShopEnvironmentOptions, shopEnvironment } from "./environment.ts"
export { fuzzyRatio } from "./fuzzy.ts"
export { type Goal, goalOf } from "./goal.ts"
export { observe } from "./observation.ts"
export { observationState } from "./observe.ts"
export { oracle } from "./oracle.ts"
export { type PriceResolution, priceAffectingAxes, resolvePrice, type SelectedOptions } from "./price.ts"
export { OptionAxis, OptionValue, Product, ProductSummary } from "./product.ts"
export { type Proof, type ProveOptions, proveTasks } from "./prove/prove.ts"
export { remoteEnvironment } from "./remote.ts"
export { renderObservation } from "./render/state.ts"
export { replayEnvironment } from "./replay.ts"
export { type Purchase, type RewardDetail, scorePurchase } from "./reward.ts"
export { InteractionMode, type Rules, RulesName, rulesOf } from "./rules.ts"
export type { SearchEngine, SearchHit, SearchOptions } from "./search/engine.ts"
export { evaluateSearch, type SearchEvaluation } from "./search/evaluate.ts"
export { type SearchPool, searchPool } from "./search/pool.ts"
export { type CatalogHit, type CatalogSearchOptions, searchCatalog } from "./search/search-catalog.ts"
export { normalizeQuery, tokenize } from "./search/tokens.ts"
export {
  act,
  plannedSearch,
  replaySession,
  Session,
  type SessionStart,
  type Step,
  startSession,
  terminate,
} from "./session.ts"
export { type Shop, shopOf } from "./shop.ts"
export { type SmokeCheck, smokeTest } from "./smoke.ts"
export { checkSplits } from "./split/check.ts"
export { buildPersonaSplits, type PersonaSplit, type PersonaSplitOptions } from "./split/persona-splits.ts"
export { readSplitFile } from "./split/split-file.ts"
export { openStore } from "./store.ts"
export { BudgetKind, BudgetReading, ShopTask } from "./task.ts"
