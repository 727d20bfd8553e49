import { PageHead } from "../components/page-head.tsx"

export function RunsPage() {
  return <PageHead title="Runs" />
}
