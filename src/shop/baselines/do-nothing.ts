import type { Policy } from "./policy.ts"

/** Says nothing, which costs an action each time, until the limit: what an agent that never buys is worth. */
export const doNothing: Policy = () => ""
