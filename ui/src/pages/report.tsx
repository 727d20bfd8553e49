import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { ChevronLeft, Download } from "lucide-react"
import { useState } from "react"
import { Button } from "../components/button.tsx"
import { Hint } from "../components/hint.tsx"
import { PageHead } from "../components/page-head.tsx"
import { Failure, Loaded } from "../components/states.tsx"
import { address, request } from "../lib/api.ts"
import { brief } from "../lib/foreign.ts"
import { useSettings } from "../lib/settings.ts"
import { REPORT } from "../texts/report.ts"
import { useTexts } from "../texts/texts.ts"

const FORMATS = ["html", "md", "json"] as const
type Format = (typeof FORMATS)[number]

/** A run's report as `souk report` writes it, in place and to keep. It is fetched with the token and shown without any rights. */
export function ReportPage() {
  const t = useTexts(REPORT)
  const { run } = useParams({ from: "/runs/$run/report" })
  const { language } = useSettings() // told of every change of the theme too
  const [failed, setFailed] = useState<unknown>()
  const from = (format: Format) =>
    address(`/v1/runs/${encodeURIComponent(run)}/report`, {
      language,
      format,
      download: format !== "html" || undefined,
    })
  const query = useQuery({
    queryKey: [from("html"), "text"],
    queryFn: async ({ signal }) => (await request(from("html"), { signal })).text(),
    placeholderData: keepPreviousData,
  })
  const keep = async (format: Format) => {
    setFailed(undefined)
    try {
      const text =
        format === "html" && query.data !== undefined ? query.data : await (await request(from(format))).text()
      save(text, `${run}.${format}`)
    } catch (error) {
      setFailed(error)
    }
  }
  return (
    <div className="flex min-h-[calc(100dvh-6rem)] flex-col">
      <nav aria-label={t.toRun} className="mb-2 text-sm">
        <Link
          to="/runs/$run"
          params={{ run }}
          className="inline-flex max-w-full items-center gap-1 text-muted hover:text-text"
        >
          <ChevronLeft size={15} aria-hidden className="shrink-0" />
          <span className="truncate">
            {t.toRun} {brief(run, 80)}
          </span>
        </Link>
      </nav>
      <PageHead title={t.title(run)} beside={<Hint about={t.report}>{t.hint}</Hint>}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            look={format === "html" ? "primary" : "plain"}
            disabled={query.data === undefined}
            icon={<Download size={15} aria-hidden />}
            onClick={() => void keep(format)}
          >
            {t.formats[format]}
          </Button>
        ))}
      </PageHead>
      {failed !== undefined && (
        <div className="mb-4">
          <Failure error={failed} />
        </div>
      )}
      <Loaded query={query} rows={10}>
        {(page) => (
          <iframe
            title={t.title(run)}
            // Nothing in it may run, load or lead anywhere: it quotes what models and buyers wrote.
            sandbox=""
            srcDoc={inTheme(page, document.documentElement.dataset.theme)}
            className="min-h-[70dvh] w-full grow rounded-lg border border-line bg-surface"
          />
        )}
      </Loaded>
    </div>
  )
}

/** The report in the theme of the app. What is saved has none: there the reader's setting decides. */
function inTheme(page: string, theme = "light"): string {
  return page.replace("<html ", `<html data-theme="${theme}" `)
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text]))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
