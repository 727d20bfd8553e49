export { type ContractCheck, environmentContract, modelContract, storeContract } from "./contracts.ts"
export { TINY_TASKS, tinyActor, tinyEnvironment, tinySolution } from "./tiny.ts"
