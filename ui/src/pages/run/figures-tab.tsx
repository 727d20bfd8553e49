import type { Document } from "../../../../src/report/document.ts"
import { Blocks } from "../../components/blocks.tsx"
import { Empty, Loaded } from "../../components/states.tsx"
import { address, useJson } from "../../lib/api.ts"
import { useSettings } from "../../lib/settings.ts"
import { RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"

/** All figures of the run's report, in place. */
export function FiguresTab({ run, has }: { readonly run: string; readonly has: boolean }) {
  const t = useTexts(RUN)
  const { language } = useSettings()
  const document = useJson<Document>(
    address(`/v1/runs/${encodeURIComponent(run)}/report`, { format: "blocks", language }),
    { enabled: has },
  )
  if (!has) return <Empty title={t.noFigures} />
  return <Loaded query={document}>{({ blocks }) => <Blocks blocks={blocks} />}</Loaded>
}
