/** Columns as the ORM is told to read these alone. */
export const only = <Column extends string>(columns: readonly Column[]): Record<Column, true> =>
  Object.fromEntries(columns.map((column) => [column, true])) as Record<Column, true>;
