/** Columns in the form in which the ORM reads only these. */
export const only = <Column extends string>(columns: readonly Column[]): Record<Column, true> =>
  Object.fromEntries(columns.map((column) => [column, true])) as Record<Column, true>;
