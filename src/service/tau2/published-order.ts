import { fingerprint } from "../../core/fingerprint.ts"
import type { Product, Variant } from "./data.ts"

/** Fingerprint of `{ product id: sorted ids of its variants }` of the published database. */
const PUBLISHED = "d2b2db8156502c4d26d97caadd38b1eecade38f44eca2eeff75158c9c8ceb1b8"

/**
 * In which order the published file lists the variants of each product: the letters are places in the sorted list of their ids. A
 * program that parsed the file with `JSON.parse` cannot tell any more, and agents read the variants in this order.
 */
const ORDER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "1075968781": "fliamobhdncpegjk",
    "1656367028": "smeobjcngifadhpktrql",
    "1762337868": "fdbhkieclmgaj",
    "1801728040": "bgcfdiahe",
    "1808611083": "dgecmboiaklpqfjrnh",
    "1968349452": "pedfingjsoqmrklhcab",
    "2344688344": "gadhfbec",
    "2524789262": "ciebgkljandhfm",
    "2696197613": "facdeb",
    "2747247837": "cdheblnfiamjokg",
    "2892623495": "abdec",
    "2985987096": "hdbgcfea",
    "3377618313": "hcaejfikbgld",
    "3801771308": "fadceb",
    "3821016478": "icegdfbhakj",
    "4354588079": "dmlabehnfipogkjqc",
    "4635925001": "ceadb",
    "4760268021": "pcebjofinmalghqkd",
    "4768869376": "iopfdghncklmabej",
    "4794339885": "bhlagejkdicfm",
    "4896585277": "hgafcdieb",
    "5149340237": "abfijehdgkmlc",
    "5426915165": "acehbigfd",
    "5713490933": "hgfabdce",
    "6066914160": "echfabdg",
    "6679515468": "ghijacdebf",
    "6817146515": "kciaefgbhldj",
    "6819683148": "cbfeilkadgjh",
    "6858788497": "iebadfcjhg",
    "6938111410": "cadeb",
    "6942297802": "dghbefac",
    "6945232052": "jngbmilcdkoeahpf",
    "6992792935": "khedjglfcibma",
    "7233192239": "rcqehakilgjofdbnpm",
    "7314138884": "afebgchd",
    "7352963235": "baegfchd",
    "7363354090": "cqfhejpdmbsnaolkgri",
    "7471004230": "beadc",
    "7765186836": "hrcosipktngaedbqjlmf",
    "7996920482": "dcejfhaibg",
    "8024098596": "dbmajcgilhnfke",
    "8310926033": "afiecophmdbkjqrngl",
    "8560156827": "egbdcfa",
    "8600330539": "oqjlhbagpekicfmrdn",
    "8940227892": "gcamfibjnedlhk",
    "9523456873": "khjgalifecdb",
    "9743693396": "aefdcb",
    "9783735446": "ecdba",
    "9832717871": "ohgflbejpcmadkin",
    "9924732112": "lcajghkfeibd",
  }),
)

/** `products` with their variants in the published order, if these are the published products; else as they are. */
export function publishedOrder(products: ReadonlyMap<string, Product>): ReadonlyMap<string, Product> {
  const sorted = new Map([...products].map(([id, { variants }]) => [id, [...variants].sort(byItemId)]))
  const ids = Object.fromEntries([...sorted].map(([id, variants]) => [id, variants.map(({ item_id }) => item_id)]))
  if (fingerprint(ids) !== PUBLISHED) return products
  return new Map(
    [...products].map(([id, product]) => {
      const variants = [...(ORDER.get(id) ?? "")].map((letter) => sorted.get(id)![letter.charCodeAt(0) - 97]!)
      return [id, { ...product, variants }]
    }),
  )
}

function byItemId(left: Variant, right: Variant): number {
  return left.item_id < right.item_id ? -1 : left.item_id > right.item_id ? 1 : 0
}
