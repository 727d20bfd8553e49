import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { CopyButton } from "../copy-button.tsx"
import { Foreign } from "../foreign.tsx"
import { Pane } from "./pane.tsx"

/** The page as text: exactly what a model reads. */
export function AgentPane({
  text,
  shown,
  short = false,
}: {
  readonly text: string
  readonly shown: string | number
  readonly short?: boolean
}) {
  const t = useTexts(SHOP_PAGE)
  return (
    <Pane title={t.agentSees} actions={<CopyButton text={text} />} shown={shown} short={short}>
      <Foreign mono text={text} />
    </Pane>
  )
}
