import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import type { z } from "zod"
import type { TaskPage } from "../../../../src/shop/native-wire.ts"
import { address, getJson } from "../../lib/api.ts"

type Page = z.infer<typeof TaskPage>
export type PublicTask = Page["tasks"][number]

/** All tasks of the catalog, or of a split of it. */
export function useTasks(split: string | undefined): UseQueryResult<readonly PublicTask[]> {
  return useQuery({
    queryKey: ["/v1/tasks", "all", split ?? ""],
    queryFn: async ({ signal }) => {
      const tasks: PublicTask[] = []
      let after: string | null = null
      do {
        const page: Page = await getJson<Page>(address("/v1/tasks", { split, after, limit: 1000 }), signal)
        tasks.push(...page.tasks)
        after = page.next_after
      } while (after !== null)
      return tasks
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Those whose id or instruction has all the words. */
export function matching(tasks: readonly PublicTask[], words: string): readonly PublicTask[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return tasks
  return tasks.filter(({ task_id, instruction }) => {
    const text = `${task_id} ${instruction}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
