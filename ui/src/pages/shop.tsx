import { PageHead } from "../components/page-head.tsx"

export function ShopPage() {
  return <PageHead title="Shop" />
}
