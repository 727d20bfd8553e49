import { useQuery } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { Button } from "../../components/button.tsx"
import { Dialog } from "../../components/dialog.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { Loaded } from "../../components/states.tsx"
import { address, request } from "../../lib/api.ts"
import { useFormat } from "../../lib/format.ts"
import { EPISODE } from "../../texts/episode.ts"
import { useTexts } from "../../texts/texts.ts"

/** Characters of a record that are shown; a file has the rest. */
const SHOWN = 200_000

/** The record of an attempt as it is stored, to read and to keep. */
export function RawRecord({
  path,
  attempt,
  isPrivate,
  onClose,
}: {
  readonly path: string
  readonly attempt: number
  readonly isPrivate: boolean
  readonly onClose: () => void
}) {
  const t = useTexts(EPISODE)
  const format = useFormat()
  const from = address(`${path}/raw`, { attempt, private: isPrivate || undefined })
  const query = useQuery({
    queryKey: [from, "raw"],
    queryFn: async ({ signal }) => {
      const response = await request(from, { signal })
      const file = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1]
      return { text: await response.text(), file: file ?? `attempt-${attempt}.json` }
    },
    gcTime: 0,
  })
  return (
    <Dialog open onClose={onClose} title={t.rawTitle} wide>
      <Loaded query={query} rows={10}>
        {({ text, file }) => (
          <>
            <div className="mb-3 flex flex-wrap items-center gap-3 text-sm text-muted">
              <Button look="primary" icon={<Download size={15} aria-hidden />} onClick={() => save(text, file)}>
                {t.download}
              </Button>
              {!isPrivate && <span>{t.rawWithout}</span>}
              {text.length > SHOWN && <span>{t.rawCut(format.bytes(SHOWN), format.bytes(text.length))}</span>}
            </div>
            <Foreign mono text={text.slice(0, SHOWN)} className="rounded-md bg-raised p-3" />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
