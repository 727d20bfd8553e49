import type { Register } from "../command.ts"

/** Every command, in the order the help shows them. */
export const COMMANDS: readonly Register[] = []
