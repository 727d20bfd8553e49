export { type ShopEnvironmentOptions, shopEnvironment } from "./environment.ts"
export { fuzzyRatio } from "./fuzzy.ts"
export { type Goal, goalOf } from "./goal.ts"
export { observe } from "./observation.ts"
export { observationState } from "./observe.ts"
export { type PriceResolution, priceAffectingAxes, resolvePrice, type SelectedOptions } from "./price.ts"
export { renderObservation } from "./render/state.ts"
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
