export { type ContractCheck, environmentContract, modelContract, storeContract } from "./contracts.ts"
export { evaluationTargetContract, serviceAgentContract } from "./service-contracts.ts"
export { TINY_TASKS, tinyActor, tinyEnvironment, tinySolution } from "./tiny.ts"
