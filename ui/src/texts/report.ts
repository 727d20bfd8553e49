import { texts } from "./texts.ts"

/** Words around a run's report. */
export const REPORT = texts(
  {
    title: (run: string) => `Report on ${run}`,
    report: "this report",
    hint: "The figures of the run with their intervals and denominators, and what failed, as souk report writes it. It follows the language set above. Saved as HTML it is one file that needs nothing else.",
    toRun: "Run",
    formats: { html: "Save as HTML", md: "Markdown", json: "JSON" },
  },
  {
    title: (run) => `${run} 的报告`,
    report: "这份报告",
    hint: "运行的各项指标（含区间与分母）以及未通过的内容，与 souk report 的输出相同，语言随上方设置。保存为 HTML 后是一个独立文件。",
    toRun: "运行",
    formats: { html: "保存为 HTML", md: "Markdown", json: "JSON" },
  },
)
