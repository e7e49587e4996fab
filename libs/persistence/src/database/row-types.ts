/**
 * How a statement returns columns of an entity other than under their names and types. A row type is a `Pick` of
 * entities, changed by these where needed, and the columns that the statement computes.
 */

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The columns are named in camel case: `account_id AS "accountId"`. */
export type CamelCased<Columns> = { [Name in keyof Columns & string as CamelCase<Name>]: Columns[Name] };

/** The columns' names have a prefix: `s.name AS status_name`. */
export type Prefixed<Prefix extends string, Columns> = {
  [Name in keyof Columns & string as `${Prefix}${Name}`]: Columns[Name];
};

/** The columns come from an outer join, or are null in some rows. */
export type OrNull<Columns> = { [Name in keyof Columns]: Columns[Name] | null };

/** The statement returns no row where one of these columns is null, or another value instead. */
export type NotNull<Columns> = { [Name in keyof Columns]: NonNullable<Columns[Name]> };

/** Whole numbers of eight bytes, selected as float8: exact below 2^53. */
export type AsNumbers<Columns> = { [Name in keyof Columns]: number | Extract<Columns[Name], null> };

/** Times that are selected as text, with their microseconds. */
export type AsText<Columns> = { [Name in keyof Columns]: string | Extract<Columns[Name], null> };

/** The row that a statement with RETURNING returned; null when it changed none. */
export const returnedRow = <Row>({ raw }: { raw: unknown }): Row | null => (raw as Row[])[0] ?? null;
