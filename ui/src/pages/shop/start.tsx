import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"
import { Card } from "../../components/card.tsx"
import { SearchBox, Select } from "../../components/fields.tsx"
import { Hint } from "../../components/hint.tsx"
import { Empty, Loaded } from "../../components/states.tsx"
import { type Column, Table } from "../../components/table.tsx"
import { useServer } from "../../lib/api.ts"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import { Setup } from "./setup.tsx"
import type { Playing } from "./use-game.ts"
import { matching, type PublicTask, useTasks } from "./use-tasks.ts"

/** Chooses a task and how to play it. */
export function Start({ playing }: { readonly playing: Playing }) {
  const t = useTexts(SHOP)
  const format = useFormat()
  const search = useSearch({ from: "/shop" })
  const navigate = useNavigate({ from: "/shop" })
  const set = useCallback(
    (next: Wishes) =>
      void navigate({
        search: (now) => given({ ...now, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const setWords = useCallback((q: string) => set({ q: q === "" ? undefined : q }), [set])
  const catalog = useServer().data?.catalog
  const tasks = useTasks(search.split)
  const found = useMemo(() => matching(tasks.data ?? [], search.q ?? ""), [tasks.data, search.q])

  const columns = useMemo<readonly Column<PublicTask>[]>(
    () => [
      { id: "id", label: t.columns.id, width: "5rem", cell: ({ task_id }) => brief(task_id, 40) },
      {
        id: "instruction",
        label: t.columns.instruction,
        width: "minmax(10rem,1fr)",
        cell: ({ instruction }) => <span title={brief(instruction, 400)}>{brief(instruction, 240)}</span>,
      },
      {
        id: "persona",
        label: t.columns.persona,
        width: "5rem",
        from: 560,
        cell: ({ has_persona }) => (has_persona ? t.hasPersona : <span className="text-muted">–</span>),
      },
    ],
    [t],
  )
  const chosen = tasks.data?.find(({ task_id }) => task_id === search.task)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
      <div className="min-w-0 max-lg:order-last">
        <Card title={t.tasks}>
          <div className="mb-3 flex flex-wrap items-center gap-3">
            <SearchBox label={t.findTask} value={search.q ?? ""} onChange={setWords} />
            {catalog !== undefined && catalog.splits.length > 0 && (
              <span className="inline-flex items-center gap-1">
                <Select
                  label={t.split}
                  value={search.split ?? ""}
                  options={[
                    { value: "", label: t.allTasks },
                    ...catalog.splits.map(({ name, tasks: count }) => ({
                      value: name,
                      label: t.splitOption(brief(name, 40), format.count(count)),
                    })),
                  ]}
                  onChange={(split) => set({ split: split === "" ? undefined : split })}
                />
                <Hint about={t.split}>{t.splitHint}</Hint>
              </span>
            )}
            {tasks.data !== undefined && (
              <span role="status" className="text-[13px] text-muted">
                {t.found(format.count(found.length), format.count(tasks.data.length))}
              </span>
            )}
          </div>
          <Loaded query={tasks} rows={8}>
            {(all) =>
              found.length === 0 ? (
                all.length === 0 ? (
                  <Empty title={t.noTasks}>{t.noTasksWhy}</Empty>
                ) : (
                  <Empty title={t.noTask}>{t.noTaskWhy}</Empty>
                )
              ) : (
                <Table
                  label={t.tasks}
                  columns={columns}
                  count={found.length}
                  rowAt={(index) => found[index]}
                  keyAt={(index) => found[index]?.task_id ?? index}
                  onOpen={({ task_id }) => set({ task: task_id })}
                  height="min(56dvh, 34rem)"
                />
              )
            }
          </Loaded>
        </Card>
      </div>
      <Setup
        playing={playing}
        instruction={chosen?.instruction ?? null}
        search={search}
        onChange={set}
        onRandom={() => {
          const task = found[Math.floor(Math.random() * found.length)]
          if (task !== undefined) set({ task: task.task_id })
        }}
      />
    </div>
  )
}

type Wishes = { readonly [Name in "task" | "rules" | "mode" | "persona" | "split" | "q"]?: string | undefined }

/** Without the members that are undefined: they leave the address. */
function given(wishes: Wishes): { [Name in keyof Wishes]?: string } {
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined))
}
