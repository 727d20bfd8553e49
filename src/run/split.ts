import { AppError } from "../core/errors.ts"
import type { Split } from "../core/task.ts"

/** The split called `name` among those of `place`. Throws `NOT_FOUND`, naming what there is, and `BAD_INPUT` when it is empty. */
export function chooseSplit(name: string, splits: readonly Split[], place: string): Split {
  const split = splits.find((candidate) => candidate.name === name)
  if (split === undefined) {
    throw new AppError(
      "NOT_FOUND",
      `${place} has no split ${name}; it has ${splits.map((known) => known.name).join(", ") || "none"}`,
    )
  }
  if (split.task_ids.length === 0) throw new AppError("BAD_INPUT", `Split ${name} of ${place} is empty`)
  return split
}

/** Whether episodes are played with the shopper's profile: as asked, else as the split says, else without. They must not disagree. */
export function personaOf(split: Split, asked: boolean | null): boolean {
  if (asked !== null && split.persona !== null && asked !== split.persona) {
    throw new AppError(
      "BAD_INPUT",
      `environment.persona is ${asked}, but split ${split.name} was made for persona: ${split.persona}`,
    )
  }
  return asked ?? split.persona ?? false
}
