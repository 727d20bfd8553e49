import type { JsonObject } from "../../../../src/core/json.ts"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { REWARD } from "../../texts/reward.ts"
import { useTexts } from "../../texts/texts.ts"
import { Facts } from "../facts.tsx"
import { Foreign } from "../foreign.tsx"
import { Hint } from "../hint.tsx"
import { Meter } from "../meter.tsx"
import { useReasons } from "./reward-reasons.ts"

/** A reward and what it is made of, in words and bars. `detail` is that of the shop, of any version. */
export function RewardExplained({ value, detail }: { readonly value: number; readonly detail: JsonObject }) {
  const t = useTexts(REWARD)
  const format = useFormat()
  const reasons = useReasons(detail)
  const { r_type, r_att, r_option, r_price, r_loose, r_success, target_asin_match } = detail
  const known = [r_type, r_att, r_option, r_price].every((part) => typeof part === "number")
  const share = (part: unknown) => format.number(typeof part === "number" ? part : null, 3)
  const isBought = detail.termination_reason === undefined || detail.termination_reason === "purchase"
  return (
    <div className="space-y-4">
      <div>
        <p className="flex items-center gap-1 text-[13px] text-muted">
          {t.reward}
          <Hint about={t.reward}>{t.rewardHint}</Hint>
        </p>
        <p className="text-3xl font-semibold tabular-nums">{format.number(value, 3)}</p>
        {known && isBought && (
          <p className="mt-1 text-sm tabular-nums">
            {t.formula(share(value), share(r_type), share(r_att), share(r_option), share(r_price))}
          </p>
        )}
        {!isBought && <p className="mt-1 text-sm">{t.noPurchase}</p>}
        {!known && <p className="mt-1 text-sm text-muted">{t.otherReward}</p>}
      </div>
      {known && isBought && (
        <ul className="grid gap-3 sm:grid-cols-2">
          <Part label={t.kind} share={r_type} why={reasons.kind} />
          <Part label={t.features} share={r_att} why={reasons.features} />
          <Part label={t.options} share={r_option} why={reasons.options} />
          <Part label={t.price} share={r_price} why={reasons.price} />
        </ul>
      )}
      {known && (
        <Facts
          items={[
            [
              <Named key="s" name={t.success} hint={t.successHint} />,
              typeof r_success === "number" ? (r_success === 1 ? t.succeeded : t.notSucceeded) : null,
            ],
            [<Named key="l" name={t.loose} hint={t.looseHint} />, typeof r_loose === "number" ? share(r_loose) : null],
            [
              <Named key="t" name={t.target} hint={t.targetHint} />,
              isBought && typeof target_asin_match === "boolean" ? (target_asin_match ? t.same : t.another) : null,
            ],
          ]}
        />
      )}
      <Recorded detail={detail} />
    </div>
  )
}

function Part({ label, share, why }: { readonly label: string; readonly share: unknown; readonly why: string }) {
  const format = useFormat()
  const value = Number(share)
  return (
    <li className="rounded-md border border-line px-3 py-2.5">
      <p className="mb-1.5 flex items-baseline justify-between gap-3 text-sm font-medium">
        {label}
        <span className="tabular-nums">{format.number(value, 3)}</span>
      </p>
      <Meter label={label} share={value} tone={value === 1 ? "ok" : value === 0 ? "bad" : "accent"} />
      <p className="mt-1.5 text-[13px] text-muted">{why}</p>
    </li>
  )
}

function Named({ name, hint }: { readonly name: string; readonly hint: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {name}
      <Hint about={name}>{hint}</Hint>
    </span>
  )
}

/** Every part of a reward by its recorded name; the shop's own explanation, where it is told. */
function Recorded({ detail }: { readonly detail: JsonObject }) {
  const t = useTexts(REWARD)
  const { explanation, ...parts } = detail
  const words =
    typeof explanation === "object" && explanation !== null && !Array.isArray(explanation)
      ? explanation.text
      : undefined
  return (
    <>
      {typeof words === "string" && (
        <details className="text-sm">
          <summary className="text-[13px] text-muted hover:text-text">{t.inWords}</summary>
          <Foreign text={words} className="mt-2 rounded-md bg-raised px-3 py-2" />
        </details>
      )}
      <details className="text-sm">
        <summary className="text-[13px] text-muted hover:text-text">{t.parts}</summary>
        <div className="mt-2 rounded-md bg-raised px-3 py-2">
          <Facts
            items={Object.entries(parts).flatMap(([name, value]) =>
              flat(value).map(([path, text]) => [
                <span key={path} className="font-mono text-[13px]">
                  {brief(path === "" ? name : `${name}.${path}`, 60)}
                </span>,
                brief(text, 300),
              ]),
            )}
          />
        </div>
      </details>
    </>
  )
}

/** A value's single parts, by their path below it. */
function flat(value: unknown): [path: string, text: string][] {
  if (typeof value !== "object" || value === null) return [["", String(value)]]
  return Object.entries(value).flatMap(([name, inner]) =>
    flat(inner).map(([path, text]): [string, string] => [path === "" ? name : `${name}.${path}`, text]),
  )
}
