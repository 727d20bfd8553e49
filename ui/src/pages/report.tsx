import { PageHead } from "../components/page-head.tsx"

export function ReportPage() {
  return <PageHead title="Report" />
}
