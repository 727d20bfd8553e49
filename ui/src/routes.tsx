import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { Empty, Failure } from "./components/states.tsx"
import { Layout } from "./layout.tsx"
import { queryClient } from "./lib/api.ts"
import { episodeAt } from "./lib/episode.ts"
import { COMMON } from "./texts/common.ts"
import { useTexts } from "./texts/texts.ts"

type Search = { readonly [name: string]: unknown }
const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined
/** The named members of an address's query that are there, as texts. */
const texts =
  <const Names extends readonly string[]>(...names: Names) =>
  (search: Search): { [Name in Names[number]]?: string } => {
    const found = names.flatMap((name) => {
      const value = text(search[name])
      return value === undefined || value === "" ? [] : [[name, value] as const]
    })
    return Object.fromEntries(found) as { [Name in Names[number]]?: string }
  }

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NoPage,
  errorComponent: ({ error }) => <Failure error={error} />,
})

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/runs" })
  },
})

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: texts("q", "suite", "state", "sort", "order", "pick"),
  component: lazyRouteComponent(() => import("./pages/runs.tsx"), "RunsPage"),
})

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run",
  validateSearch: texts(
    "q",
    "status",
    "end_reason",
    "error",
    "outcome",
    "category",
    "verdict",
    "check",
    "sort",
    "order",
    "tab",
  ),
  component: lazyRouteComponent(() => import("./pages/run.tsx"), "RunPage"),
})

const episode = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/episodes/$episode",
  validateSearch: texts("step", "attempt", "message", "tab"),
  // The record is long and is asked for while the page's code is on its way; a link that is only pointed at asks for nothing.
  loader: ({ params: { run, episode }, location: { search }, cause }) => {
    const asked = { attempt: text((search as Search).attempt) }
    if (cause !== "preload") void queryClient.prefetchQuery(episodeAt(run, episode, asked))
  },
  component: lazyRouteComponent(() => import("./pages/episode.tsx"), "EpisodePage"),
})

const report = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/report",
  component: lazyRouteComponent(() => import("./pages/report.tsx"), "ReportPage"),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: texts("first", "second", "flip", "episode", "different"),
  component: lazyRouteComponent(() => import("./pages/compare.tsx"), "ComparePage"),
})

const shop = createRoute({
  getParentRoute: () => root,
  path: "/shop",
  validateSearch: texts("task", "rules", "mode", "persona", "split", "q"),
  component: lazyRouteComponent(() => import("./pages/shop.tsx"), "ShopPage"),
})

export const router = createRouter({
  routeTree: root.addChildren([home, runs, run, episode, report, compare, shop]),
  defaultPreload: "intent",
  // All that stands in a query is text, and is written as it is.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: (search) => {
    const query = new URLSearchParams(
      Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
    ).toString()
    return query === "" ? "" : `?${query}`
  },
  scrollRestoration: true,
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}

function NoPage() {
  const t = useTexts(COMMON)
  return (
    <Empty title={t.noPage}>
      <Link to="/runs" className="font-medium text-accent underline">
        {t.toRuns}
      </Link>
    </Empty>
  )
}
