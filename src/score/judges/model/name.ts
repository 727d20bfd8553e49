/** Name and version of the judge that asks a model. */
export const MODEL_JUDGE = "model@1"
