/** What differs, for a change that names only that. Values are plain data. */
export function changesOf<Values extends object>(before: Values, after: Values): Partial<Values> {
  const keys = Object.keys(after) as (keyof Values)[];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<Values>;
}
