import { Link, Outlet } from "@tanstack/react-router"
import { KeyRound, Monitor, Moon, Sun } from "lucide-react"
import { type FormEvent, useState } from "react"
import { Button, IconButton } from "./components/button.tsx"
import { Dialog } from "./components/dialog.tsx"
import { Segmented } from "./components/fields.tsx"
import { ApiError, queryClient, useServer } from "./lib/api.ts"
import { change, useSettings } from "./lib/settings.ts"
import { COMMON } from "./texts/common.ts"
import { useTexts } from "./texts/texts.ts"

/** What is around every page: where one can go, language, theme, who one is. */
export function Layout() {
  const t = useTexts(COMMON)
  const { language, theme } = useSettings()
  const link =
    "rounded-md px-2.5 py-1.5 text-sm font-medium text-muted hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:left-3 focus:top-3 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        {t.skip}
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur">
        <div className="mx-auto flex max-w-[100rem] flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
          <Link to="/runs" className="flex items-center gap-2 text-lg font-bold tracking-tight">
            <img src="/icon.svg" alt="" width={24} height={24} />
            Souk
          </Link>
          <nav aria-label={t.menu} className="flex gap-1">
            <Link to="/runs" className={link}>
              {t.runs}
            </Link>
            <Link to="/compare" className={link}>
              {t.compare}
            </Link>
            <Link to="/shop" className={link}>
              {t.shop}
            </Link>
          </nav>
          <div className="ml-auto flex items-center gap-2">
            <Token />
            <Segmented
              label={t.theme}
              value={theme}
              onChange={(next) => change({ theme: next })}
              options={[
                { value: "system", label: <Monitor size={15} aria-hidden />, name: t.system },
                { value: "light", label: <Sun size={15} aria-hidden />, name: t.light },
                { value: "dark", label: <Moon size={15} aria-hidden />, name: t.dark },
              ]}
            />
            <Segmented
              label={t.language}
              value={language}
              onChange={(next) => change({ language: next })}
              options={[
                { value: "en", label: "EN", name: "EN, English" },
                { value: "zh", label: "中", name: "中文" },
              ]}
            />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-[100rem] px-4 py-5 outline-none">
        <Outlet />
      </main>
    </>
  )
}

/** Asks for a token where the server wants one; shows and forgets it where one is in use. */
function Token() {
  const t = useTexts(COMMON)
  const { token } = useSettings()
  const server = useServer()
  const [open, setOpen] = useState(false)
  const refused = server.error instanceof ApiError && server.error.status === 401
  if (!refused && token === null) return null
  const use = (next: string | null) => {
    change({ token: next })
    setOpen(false)
    void queryClient.resetQueries()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get("token") ?? "").trim()
    if (text !== "") use(text)
  }
  const label = refused ? t.token : t.role(server.data?.caller.role ?? "…")
  return (
    <>
      {refused ? (
        <Button look="primary" icon={<KeyRound size={15} aria-hidden />} onClick={() => setOpen(true)}>
          {label}
        </Button>
      ) : (
        <IconButton label={label} icon={<KeyRound size={15} aria-hidden />} onClick={() => setOpen(true)} />
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title={t.token}>
        <form onSubmit={submit} className="space-y-3">
          <p className="text-sm text-muted">{t.tokenWhy}</p>
          <input
            name="token"
            type="password"
            autoComplete="off"
            aria-label={t.token}
            className="h-9 w-full rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm"
          />
          <div className="flex gap-2">
            <Button type="submit" look="primary">
              {t.tokenSet}
            </Button>
            {token !== null && <Button onClick={() => use(null)}>{t.tokenForget}</Button>}
          </div>
        </form>
      </Dialog>
    </>
  )
}
