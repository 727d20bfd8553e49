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
export { ScriptTime } from "../core/time.ts"
export { type HostClock, type ManualClock, manualClock, systemClock } from "../lib/clock.ts"
export { type CaseEvidence, EvaluationCaseFailure } from "./failure.ts"
export { classifyFirstReply, type FirstReplySummary, summarizeFirstReplies } from "./first-reply.ts"
export { type PlannedHumanAction, planHumanActions } from "./human.ts"
export { type EvaluationMetricPack, scriptMetricPack } from "./metric-pack.ts"
export type { MissingCase, PracticeAttempt } from "./practice.ts"
export { parseCaseRecord } from "./record.ts"
export { deterministicRole, type EvaluationRole, type RoleAction } from "./role.ts"
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
export { Script } from "./script.ts"
export { ScriptClock } from "./script-clock.ts"
export type { EvaluationScriptSource } from "./script-source.ts"
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
  type HumanColleague,
} from "./targets/channel.ts"
export type { ToolAnswer, ToolCallRequest, ToolHost } from "./tools.ts"
export type { EvaluationWorld, MountedWorld } from "./world.ts"
