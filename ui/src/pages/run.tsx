import { PageHead } from "../components/page-head.tsx"

export function RunPage() {
  return <PageHead title="Run" />
}
