export { adaptiveLimiter, type Limiter, type LimiterOptions, type LimiterState, type Permit } from "./limiter.ts"
export { type OpenAiOptions, openAiModel } from "./openai.ts"
export { type ClassifiedReply, classifyReply, type OfferedTool, type RawReply } from "./reply.ts"
export { type ScriptedReply, scriptedModel } from "./scripted.ts"
