import { Search } from "lucide-react"
import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useState } from "react"

const BOX = "h-9 rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm text-text placeholder:text-muted"

/** A choice of a few values. The label is shown unless `hidden`. */
export function Select<T extends string>({
  label,
  hidden = false,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly hidden?: boolean
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}) {
  const id = useId()
  return (
    <div className="inline-flex items-center gap-2 text-sm">
      <label htmlFor={id} className={hidden ? "sr-only" : "text-muted"}>
        {label}
      </label>
      <select
        id={id}
        className={`${BOX} max-w-32 pr-7 sm:max-w-56`}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

type InputProps = InputHTMLAttributes<HTMLInputElement> & { readonly label: string; readonly hidden?: boolean }

export function Input({ label, hidden = false, className = "", ...rest }: InputProps) {
  const id = useId()
  return (
    <div className="inline-flex min-w-0 items-center gap-2 text-sm">
      <label htmlFor={id} className={hidden ? "sr-only" : "text-muted"}>
        {label}
      </label>
      <input id={id} className={`${BOX} min-w-0 ${className}`} {...rest} />
    </div>
  )
}

/** A search that tells what was typed a moment after the last key. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 250)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className="relative min-w-0 grow basis-full sm:basis-56">
      <Search size={15} aria-hidden className="pointer-events-none absolute left-2.5 top-2.5 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        className={`${BOX} w-full pl-8`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}

/** One of two or three ways to look at a thing. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: ReactNode; readonly name?: string }[]
  readonly onChange: (value: T) => void
}) {
  return (
    <fieldset className="inline-flex flex-wrap rounded-md border border-line-strong/60 bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={option.name}
          title={option.name}
          onClick={() => onChange(option.value)}
          className="inline-flex h-7.5 items-center rounded px-2.5 text-[13px] font-medium text-muted hover:text-text aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
