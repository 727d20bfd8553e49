import type { ButtonHTMLAttributes, ReactNode } from "react"

const LOOKS = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-surface text-text border-line-strong/60 hover:bg-raised",
  quiet: "bg-transparent text-text border-transparent hover:bg-raised",
  danger: "bg-surface text-bad border-bad/60 hover:bg-bad-soft",
} as const
export type ButtonLook = keyof typeof LOOKS

/** The classes of a button, also for links that look like one. */
export function buttonClass(look: ButtonLook = "plain", size: "normal" | "small" = "normal"): string {
  const measure = size === "small" ? "h-7 px-2 text-[13px]" : "h-9 px-3 text-sm"
  return `inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none disabled:opacity-50 ${measure} ${LOOKS[look]}`
}

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: ButtonLook
  readonly size?: "normal" | "small"
  readonly icon?: ReactNode
}

export function Button({ look = "plain", size = "normal", icon, className = "", children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${buttonClass(look, size)} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  )
}

/** A button that is only a picture: `label` is its name and its tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, "children"> & { readonly label: string; readonly icon: ReactNode }) {
  return (
    <Button aria-label={label} title={label} look="quiet" {...rest} className={`!px-0 w-9 ${rest.className ?? ""}`}>
      {icon}
    </Button>
  )
}
