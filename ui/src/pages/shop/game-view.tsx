import { Braces, LogOut, RotateCcw } from "lucide-react"
import { useState } from "react"
import { Badge } from "../../components/badge.tsx"
import { Button } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { Dialog } from "../../components/dialog.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { PageHead } from "../../components/page-head.tsx"
import { Persona } from "../../components/shop/persona.tsx"
import { Sides } from "../../components/shop/sides.tsx"
import { Failure } from "../../components/states.tsx"
import { useFormat } from "../../lib/format.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import { ActionBox, AskBox } from "./action-box.tsx"
import { Chips } from "./chips.tsx"
import { GameOutcomeCard } from "./outcome.tsx"
import { Trajectory } from "./trajectory.tsx"
import { type Game, isLost, type Playing } from "./use-game.ts"

/** A task being played: what is wanted, the page from both sides, every way to act, and what was done so far. */
export function GameView({ playing, game }: { readonly playing: Playing; readonly game: Game }) {
  const t = useTexts(SHOP)
  const format = useFormat()
  const [isState, setState] = useState(false)
  const { terms, turns, page, info } = game
  const limit = typeof info.max_actions === "number" ? format.count(info.max_actions) : null
  const now = format.count(game.nextStep)
  const act = (action: string) => void playing.act(action)
  const canAsk = terms.player !== null && terms.mode === "multi_turn" && terms.rules === "souk"
  return (
    <>
      <PageHead
        title={`${t.chosen} ${terms.taskId}`}
        beside={
          <span className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
            <Badge>{terms.rules}</Badge>
            <Badge>{t.modes[terms.mode]}</Badge>
            {terms.player !== null && !game.isOver && <Badge tone="info">{t.recording}</Badge>}
            {!game.isOver && <span>{limit === null ? t.stepNumber(now) : t.stepOf(now, limit)}</span>}
          </span>
        }
      >
        <Button icon={<Braces size={15} aria-hidden />} onClick={() => setState(true)}>
          {t.state}
        </Button>
        {game.isOver && (
          <Button icon={<RotateCcw size={15} aria-hidden />} onClick={() => void playing.start(terms)}>
            {t.again}
          </Button>
        )}
        <Button icon={<LogOut size={15} aria-hidden />} onClick={playing.leave}>
          {game.isOver ? t.another : terms.player === null ? t.release : t.giveUp}
        </Button>
      </PageHead>
      <Card title={t.task}>
        <Foreign text={game.instruction} className="max-w-[80ch] text-base leading-relaxed" />
        <Persona persona={game.persona} title={t.personaTitle} />
      </Card>
      <div className="mt-4 space-y-4">
        {playing.error !== null && (
          <div className="space-y-2">
            {isLost(playing.error) ? (
              <p role="alert" className="rounded-lg border border-bad/40 bg-bad-soft px-5 py-4 text-sm text-bad">
                {t.lost}
              </p>
            ) : (
              <Failure error={playing.error} />
            )}
            {isLost(playing.error) ? (
              <Button onClick={() => void playing.start(terms)}>{t.startOver}</Button>
            ) : (
              playing.unsent !== null && <Button onClick={() => act(playing.unsent!)}>{t.sendAgain}</Button>
            )}
          </div>
        )}
        {game.isOver ? (
          <GameOutcomeCard game={game} />
        ) : (
          <ActionBox
            busy={playing.busy}
            onAct={act}
            last={turns.at(-1)}
            beside={canAsk ? <AskBox busy={playing.busy} onAct={act} /> : null}
          />
        )}
        <Sides page={page} shown={turns.length} short={game.isOver} {...(!game.isOver && { onAct: act })} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {!game.isOver && <Chips state={page.state} onAct={act} />}
          <Trajectory turns={turns} />
        </div>
      </div>
      <Dialog open={isState} onClose={() => setState(false)} title={t.state} wide>
        <p className="mb-3 text-sm text-muted">{t.stateHint}</p>
        <Foreign mono text={JSON.stringify(page.state, null, 2)} className="rounded-md bg-raised p-3" />
      </Dialog>
    </>
  )
}
