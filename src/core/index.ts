export type { Actor, ActorCall, Move, PublicContext } from "./actor.ts"
export { decodeEpisode, decodeHeader, type EpisodeHeader, encodeEpisode } from "./compact.ts"
export type {
  ActionFeedback,
  Environment,
  EpisodeOutcome,
  Observation,
  ResetResult,
  StepResult,
} from "./environment.ts"
export { AppError, ERROR_CODES, type ErrorCode } from "./errors.ts"
export type { Json, JsonObject } from "./json.ts"
export { Message, ToolCall, ToolDefinition } from "./message.ts"
export { type Model, type ModelOutcome, type ModelReply, type ModelRequest, ParsedCall, Usage } from "./model.ts"
export { Manifest, Plan, Progress } from "./run.ts"
export { RunSpec } from "./run-spec.ts"
export { Summary } from "./score.ts"
export { ShopperExchange, ShopperFault, ShopperFigures } from "./shopper.ts"
export type { Skill, SkillProvider } from "./skill.ts"
export type { Suite } from "./suite.ts"
export { Job, jobKey, Split, SplitRole, TaskId, taskIdsSha256 } from "./task.ts"
export { type Emit, type EpisodeEnd, type EpisodeEvent, EpisodeRecord, EpisodeStatus } from "./trace.ts"
