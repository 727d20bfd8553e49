import { Dices, Play } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { Input, Segmented } from "../../components/fields.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { Hint } from "../../components/hint.tsx"
import { Failure } from "../../components/states.tsx"
import { useIsOperator, useServer } from "../../lib/api.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Playing } from "./use-game.ts"

type Search = {
  readonly task?: string | undefined
  readonly rules?: string | undefined
  readonly mode?: string | undefined
  readonly persona?: string | undefined
}

/** How the chosen task is played, and the button that starts. */
export function Setup({
  playing,
  instruction,
  search,
  onChange,
  onRandom,
}: {
  readonly playing: Playing
  /** Of the chosen task; null: none is chosen, or it is not in the list. */
  readonly instruction: string | null
  readonly search: Search
  readonly onChange: (next: Search) => void
  readonly onRandom: () => void
}) {
  const t = useTexts(SHOP)
  const server = useServer()
  const operator = useIsOperator()
  const [isRecorded, setRecorded] = useState(false)
  const [player, setPlayer] = useState("")
  const rules = search.rules === "v8" || search.rules === "souk" ? search.rules : (server.data?.rules.default ?? "souk")
  const mode = search.mode === "multi_turn" ? "multi_turn" : "single_turn"
  const persona = search.persona === "yes"
  const taskId = search.task ?? ""
  const start = () =>
    void playing.start({ taskId, rules, mode, persona, player: isRecorded && operator ? player.trim() : null })
  return (
    <Card title={t.setup}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (taskId !== "") start()
        }}
      >
        <div>
          <div className="flex flex-wrap items-center gap-2">
            <Input
              label={t.taskId}
              value={taskId}
              className="w-28"
              onChange={(event) => onChange({ task: event.target.value.trim() || undefined })}
            />
            <Button icon={<Dices size={15} aria-hidden />} onClick={onRandom}>
              {t.random}
            </Button>
          </div>
          {instruction === null ? (
            taskId === "" && <p className="mt-2 text-sm text-muted">{t.noneChosen}</p>
          ) : (
            <Foreign text={instruction} className="mt-2 rounded-md bg-raised px-3 py-2 text-sm" />
          )}
        </div>
        <Row label={t.rules} hint={t.rulesHint}>
          <Segmented
            label={t.rules}
            value={rules}
            onChange={(next) => onChange({ rules: next })}
            options={[
              { value: "souk", label: "souk" },
              { value: "v8", label: "v8" },
            ]}
          />
        </Row>
        <Row label={t.mode} hint={t.modeHint}>
          <Segmented
            label={t.mode}
            value={mode}
            onChange={(next) => onChange({ mode: next })}
            options={[
              { value: "single_turn", label: t.modes.single_turn },
              { value: "multi_turn", label: t.modes.multi_turn },
            ]}
          />
        </Row>
        <Check
          label={t.persona}
          hint={t.personaHint}
          checked={persona}
          onChange={(next) => onChange({ persona: next ? "yes" : undefined })}
        />
        <div className="space-y-2">
          <Check
            label={t.record}
            hint={t.recordHint}
            checked={isRecorded && operator}
            disabled={!operator}
            onChange={setRecorded}
          />
          {server.data !== undefined && !operator && <p className="text-[13px] text-muted">{t.needsOperator}</p>}
          {isRecorded && operator && (
            <Input
              label={t.player}
              value={player}
              placeholder={t.playerDefault}
              maxLength={80}
              className="w-36"
              onChange={(event) => setPlayer(event.target.value)}
            />
          )}
        </div>
        {playing.error !== null && <Failure error={playing.error} />}
        <Button
          type="submit"
          look="primary"
          disabled={taskId === "" || playing.busy}
          icon={<Play size={15} aria-hidden />}
        >
          {playing.busy ? t.starting : t.start}
        </Button>
      </form>
    </Card>
  )
}

function Row({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint: string
  readonly children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <span className="inline-flex items-center gap-1 text-muted">
        {label}
        <Hint about={label}>{hint}</Hint>
      </span>
      {children}
    </div>
  )
}

function Check({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  readonly label: string
  readonly hint: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (next: boolean) => void
}) {
  return (
    <div className="flex items-center gap-1 text-sm">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-(--accent)"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      <Hint about={label}>{hint}</Hint>
    </div>
  )
}
