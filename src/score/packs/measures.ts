/** What one episode comes to, of whatever suite. Score members are there for completed, scored episodes only. */
export interface Measures {
  readonly reward?: number
  readonly success?: boolean
  /** Parts of the reward by name, those that are numbers. */
  readonly components: ReadonlyMap<string, number>
  /** Shopping: model turns, malformed ones too; of a person, actions. Service: the buyer's turns. */
  readonly steps: number
  readonly protocolErrors: number
  readonly policyFailures: number
  /** What reached the environment or the world's tools, and what of it was refused. */
  readonly actions: number
  readonly invalidActions: number
  /** How it was played, by name. What cannot be said is absent. */
  readonly behavior: ReadonlyMap<string, number>
  /** What kind of episode it is: slice → value. */
  readonly labels: ReadonlyMap<string, string>
}
