import { PageHead } from "../components/page-head.tsx"

export function EpisodePage() {
  return <PageHead title="Episode" />
}
