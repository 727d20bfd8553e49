import { PageHead } from "../components/page-head.tsx"

export function ComparePage() {
  return <PageHead title="Compare" />
}
