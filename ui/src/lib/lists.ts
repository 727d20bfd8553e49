/** Values in one member of an address: separated by commas; in a value a comma is `\,` and a backslash `\\`, as the server reads them. */
export function listOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return []
  return [...text.matchAll(/(?:^|,)((?:[^\\,]|\\[\s\S]?)*)/g)].map(([, value]) => value!.replace(/\\([\s\S])/g, "$1"))
}

export function listText(values: readonly string[]): string {
  return values.map((value) => value.replace(/[\\,]/g, "\\$&")).join(",")
}
