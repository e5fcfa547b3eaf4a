/** The states from which a row can reach `to`: for the WHERE of the statement that writes that state. */
export function statesBefore<State extends string>(
  states: readonly State[],
  transitions: Readonly<Record<State, readonly State[]>>,
  to: State,
): State[] {
  return states.filter((from) => transitions[from].includes(to));
}
