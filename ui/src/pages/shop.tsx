import { PageHead } from "../components/page-head.tsx"
import { useServer } from "../lib/api.ts"
import { useFormat } from "../lib/format.ts"
import { SHOP } from "../texts/shop.ts"
import { useTexts } from "../texts/texts.ts"
import { GameView } from "./shop/game-view.tsx"
import { Start } from "./shop/start.tsx"
import { useGame } from "./shop/use-game.ts"

/** The shop by hand: a person sees what an agent sees and does what it can do. */
export function ShopPage() {
  const t = useTexts(SHOP)
  const format = useFormat()
  const playing = useGame()
  const { game } = playing
  const catalog = useServer().data?.catalog
  if (game !== null) return <GameView playing={playing} game={game} />
  return (
    <>
      <PageHead title={t.title} />
      {catalog !== undefined && (
        <p className="-mt-2 mb-4 text-muted">{t.lead(format.count(catalog.tasks), format.count(catalog.products))}</p>
      )}
      <Start playing={playing} />
    </>
  )
}
