export { type ScriptedReply, scriptedModel } from "./scripted.ts"
