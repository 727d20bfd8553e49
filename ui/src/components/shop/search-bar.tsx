import { Search } from "lucide-react"
import { type FormEvent, useState } from "react"
import { visible } from "../../lib/foreign.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { Button } from "../button.tsx"
import { ClickMark } from "./acting.tsx"

/** The shop's search. Without `onSearch` it shows what was searched for, marked as what was done. */
export function SearchBar({
  searched,
  onSearch,
}: {
  readonly searched: string | null
  readonly onSearch?: (words: string) => void
}) {
  const t = useTexts(SHOP_PAGE)
  const [words, setWords] = useState("")
  const box = "flex items-center gap-2 rounded-full border bg-surface py-1 pl-4 pr-1"
  if (onSearch === undefined) {
    return (
      <div
        data-mark={searched !== null || undefined}
        className={`${box} ${searched === null ? "border-line-strong/60" : "border-accent"}`}
      >
        <span className={`min-w-0 grow py-1 [overflow-wrap:anywhere] ${searched === null ? "text-muted" : ""}`}>
          {searched === null ? t.searchFor : visible(searched)}
        </span>
        {searched !== null && <ClickMark />}
        <span className="rounded-full bg-raised p-2 text-muted">
          <Search size={16} aria-hidden />
        </span>
      </div>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (words.trim() !== "") onSearch(words.trim())
  }
  return (
    <form role="search" onSubmit={submit} className={`${box} border-line-strong`}>
      <input
        type="search"
        aria-label={t.searchFor}
        placeholder={t.searchFor}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="min-w-0 grow bg-transparent py-1 outline-none placeholder:text-muted"
      />
      <Button type="submit" look="primary" className="!rounded-full" icon={<Search size={15} aria-hidden />}>
        {t.search}
      </Button>
    </form>
  )
}
