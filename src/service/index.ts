export {
  Conversation,
  type ConversationOptions,
  type DeliveryMarks,
  openConversation,
} from "../channel/conversation.ts"
export type { ChannelEvent, LoggedEvent, TurnEnd } from "../channel/events.ts"
export { type Journal, openJournal } from "../channel/journal.ts"
export { CASE_SCHEMA, CaseRecord, Check, FirstReply, HumanAction, HumanPlan } from "../core/case-record.ts"
export { ConversationMessage, Participant, Reception, ToolRecord } from "../core/conversation.ts"
export { classifyFirstReply, type FirstReplySummary, summarizeFirstReplies } from "../core/first-reply.ts"
export { CaseSales, HumanComparison, IntentPoint } from "../core/sales.ts"
export { ScriptTime } from "../core/time.ts"
export { type HostClock, type ManualClock, manualClock, systemClock } from "../lib/clock.ts"
export { type ChatAgentOptions, chatAgent } from "./agents/chat.ts"
export { type HttpAgentOptions, httpAgent } from "./agents/http.ts"
export { lexicalServiceAgent } from "./agents/lexical.ts"
export { scriptedAgent } from "./agents/scripted.ts"
export type { ContextProvider, ContextRequest } from "./context.ts"
export { type CaseEvidence, EvaluationCaseFailure } from "./failure.ts"
export { FieldPolicy, parseFieldPolicy } from "./field-policy.ts"
export { type PlannedHumanAction, planHumanActions } from "./human.ts"
export type { BuyingInsight, InsightAnalyzer, InsightRequest } from "./insights/analyzer.ts"
export { type IntentTier, intentTier } from "./insights/annotation.ts"
export {
  BuyingInsights,
  type BuyingInsightsOptions,
  type InjectionMode,
  type InsightReading,
} from "./insights/insights.ts"
export { lexicalInsights } from "./insights/lexical.ts"
export {
  type PurchaseIntentObserver,
  type PurchaseIntentReader,
  purchaseIntentObserver,
} from "./insights/observer.ts"
export { type EvaluationMetricPack, scriptMetricPack } from "./metric-pack.ts"
export { isPack, readPack, writePack } from "./pack/folder.ts"
export { type Pack, PackManifest, type PackWorld } from "./pack.ts"
export { packWorld } from "./pack-world.ts"
export {
  insightAnnotationVariants,
  type PairCall,
  type PairedRunRecord,
  type PairRequest,
  type PairSales,
  type PairVariant,
  type RunSales,
} from "./pairs.ts"
export { fieldPolicies } from "./policies/index.ts"
export type { MissingCase, PracticeAttempt } from "./practice.ts"
export { parseCaseRecord } from "./record.ts"
export { renderMessage } from "./render-message.ts"
export { deterministicRole, type EvaluationRole, type RoleAction } from "./role.ts"
export { buyerCard } from "./roles/card.ts"
export { type DraftChecker, modelChecker } from "./roles/checker.ts"
export { type BuyerFaultFound, buyerFaults, buyerFidelity } from "./roles/fidelity.ts"
export { type Finding, Knowledge } from "./roles/knowledge.ts"
export {
  type BuyerMind,
  type BuyerMinds,
  type BuyerNews,
  type BuyerSituation,
  type BuyerStep,
  MOODS,
  type Mood,
} from "./roles/mind.ts"
export { type ModelMindsOptions, modelMinds } from "./roles/model-mind.ts"
export { type BuyerNotes, type SimulatedBuyerOptions, SimulatedBuyerRole } from "./roles/simulated.ts"
export { templateMinds } from "./roles/template.ts"
export {
  type EvaluationAdapters,
  type EvaluationCall,
  type EvaluationRequest,
  type EvaluationResult,
  EvaluationRunner,
  type EvaluationRunRecord,
  type EvaluationRunRequest,
  type RunCall,
  type RunFirstReply,
  type RunnerOptions,
} from "./runner.ts"
export { RunnerConfig } from "./runner-config.ts"
export { ReplayEntry, Script } from "./script.ts"
export { ScriptClock } from "./script-clock.ts"
export {
  type EvaluationScriptSource,
  type FolderScriptSource,
  type ScriptSourceOptions,
  scriptSource,
} from "./script-source.ts"
export type { ServiceAgent, ServiceConnection, ServiceDesk } from "./service-agent.ts"
export {
  EvaluationReplyTimeout,
  type EvaluationTarget,
  type ReplyObservation,
  type TargetSession,
  type TargetSetup,
} from "./target.ts"
export {
  type ChannelBinding,
  type ChannelTargetOptions,
  channelTarget,
} from "./targets/channel.ts"
export type { HumanColleague } from "./targets/channel-seat.ts"
export type { RetailDatabase } from "./tau2/database.ts"
export { importTau2Retail } from "./tau2/import.ts"
export { proveTau2Retail, type Tau2Proof, type Tau2ProveOptions } from "./tau2/prove.ts"
export { type Tau2Retail, tau2Retail } from "./tau2/retail.ts"
export { playGold, type RefusedCall, type Tau2Play, type Tau2Reward, tau2Reward } from "./tau2/reward.ts"
export type { Tau2Mode } from "./tau2/rules.ts"
export { Tau2Criteria, Tau2Script } from "./tau2/script.ts"
export { ToolPack } from "./tool-pack.ts"
export { commerceV1 } from "./tool-packs/commerce.ts"
export type { ToolAnswer, ToolCallRequest, ToolHost } from "./tools.ts"
export { serveTools, type ToolsServer } from "./tools-server.ts"
export type { EvaluationWorld, MountedWorld } from "./world.ts"
export { type RecordOptions, recordedToolPack, recordWorld } from "./worlds/record.ts"
export { type ReplayWorldOptions, replayWorld } from "./worlds/replay.ts"
export type { RowDifference } from "./worlds/tables/difference.ts"
export { type RowOf, type Shapes, type Tables, withRow } from "./worlds/tables/state.ts"
export { type TableTool, type ToolOutcome, ToolRefusal, tableTool } from "./worlds/tables/tool.ts"
export { type TablesAnswer, type TablesOptions, TablesWorld, tablesWorld } from "./worlds/tables.ts"
