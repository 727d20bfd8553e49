import { texts } from "./texts.ts"

/** Words around data that is shown as tables. */
export const VALUES = texts(
  {
    yes: "yes",
    no: "no",
    nothing: "nothing",
    table: "Table",
    more: (count: string) => `… and ${count} more`,
  },
  {
    yes: "是",
    no: "否",
    nothing: "无",
    table: "表格",
    more: (count) => `……另有 ${count} 项`,
  },
)
