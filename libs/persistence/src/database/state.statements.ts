/** A table of states, each with those that may follow it. */
export type States = Readonly<Record<string, readonly string[]>>;

/** Words as a list of SQL. */
export const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** What the column of a state may have. */
export const isStateOf = (states: States, column: string): string =>
  `${column} IN (${listed(Object.keys(states))})`;
