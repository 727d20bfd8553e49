import type { Choice, Kind } from "./vocabulary.ts"

/** What is known of how shoppers talk about the kinds of a store. */
export interface Lexicon {
  kindOf(category: string): Kind | undefined
  /** The attribute of that text, looked for in `kind` first, then anywhere. */
  choice(text: string, kind: Kind | undefined): Choice | undefined
}

export function lexiconOf(kinds: readonly Kind[]): Lexicon {
  const byPath = new Map(kinds.map((kind) => [kind.path, kind]))
  const byKind = new Map(kinds.map((kind) => [kind, choicesByText(kind)]))
  const anywhere = new Map(kinds.flatMap((kind) => [...byKind.get(kind)!]))
  return {
    kindOf: (category) => byPath.get(category),
    choice: (text, kind) => (kind && byKind.get(kind)?.get(text)) ?? anywhere.get(text),
  }
}

function choicesByText(kind: Kind): Map<string, Choice> {
  const choices = [...kind.facets.flatMap((facet) => facet.choices), ...kind.features]
  return new Map(choices.map((choice) => [choice.text, choice]))
}
