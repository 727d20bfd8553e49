/**
 * A state of a world: tables by name, rows by id, in their order. Rows are plain JSON objects. Nothing in it is ever changed in place:
 * a step makes a new state that shares with the old one whatever is the same, so keeping one costs nothing.
 */
export type Tables = { readonly [table: string]: ReadonlyMap<string, object> }

/** The names of a state's tables. */
export type TableName<State extends Tables> = keyof State & string

/** What a row of one of its tables is. */
export type RowOf<State extends Tables, Name extends keyof State> =
  State[Name] extends ReadonlyMap<string, infer Row> ? Row : never

/** `state` with `row` in the place of what `table` holds under `id`, or at its end. */
export function withRow<State extends Tables, Name extends TableName<State>>(
  state: State,
  table: Name,
  id: string,
  row: RowOf<State, Name>,
): State {
  const rows = new Map<string, object>(state[table])
  rows.set(id, row as object) // rows are objects; the compiler cannot see it through the conditional type
  return { ...state, [table]: rows }
}

/** How rows are shown where they are compared and digested; tables that are not named are shown as they are. */
export type Shapes<State extends Tables> = {
  readonly [Name in keyof State]?: (row: RowOf<State, Name>) => object
}

/** A row as it is compared and digested. */
export function shapeOf<State extends Tables>(shapes: Shapes<State>, table: keyof State): (row: object) => object {
  return (shapes[table] as ((row: object) => object) | undefined) ?? ((row) => row)
}
