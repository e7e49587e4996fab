import type { EntityManager } from 'typeorm';

/**
 * A statement with named parameters, compiled once. Its name is unique in the product, because each connection plans
 * a statement once by its name.
 */
export interface SqlStatement<Row extends object, Parameter extends string> {
  readonly name: string;
  /** The text with `$1`, `$2` … instead of the names. */
  readonly text: string;
  /** The names in the order of `$1`, `$2` and so on. */
  readonly parameters: readonly Parameter[];
  /** The type of a row; no value at run time. */
  readonly row?: Row;
}

/** A value for each parameter, no fewer and no more. */
export type ValuesOf<Parameter extends string> = Readonly<Record<Parameter, unknown>>;

interface StatementBuilder<Parameter extends string> {
  /**
   * @param text in which a parameter is its name after a colon
   * @throws when the text has an undeclared parameter, or lacks a declared one: a bug, found when the module is
   * loaded.
   */
  returns<Row extends object>(text: string): SqlStatement<Row, Parameter>;
}

/**
 * Declares a statement: `statement('lead-find').takes('accountId', 'threadId').returns<LeadRow>('SELECT …')`. The text may be
 * composed of fragments that name the same parameters.
 */
export function statement(name: string): StatementBuilder<never> & {
  takes<Parameter extends string>(...parameters: Parameter[]): StatementBuilder<Parameter>;
} {
  const taking = <Parameter extends string>(...parameters: Parameter[]): StatementBuilder<Parameter> => ({
    returns: (text) => ({ name, parameters, text: compile(name, parameters, text) }),
  });
  return { takes: taking, ...taking<never>() };
}

/**
 * Text that is not searched for names, then a cast, then a name. A colon after a word belongs to a slice:
 * `array[1:n]`.
 */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|::|(?<![\w\]]):([a-zA-Z]\w*)/g;

function compile(statementName: string, parameters: readonly string[], text: string): string {
  const found = new Set<string>();
  const compiled = text.replaceAll(TOKENS, (token: string, _tag: string | undefined, parameter?: string) => {
    if (parameter === undefined) return token;
    found.add(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  const undeclared = [...found].filter((parameter) => !parameters.includes(parameter));
  if (undeclared.length > 0) throw new Error(`${statementName} does not declare ${undeclared.join(', ')}`);
  const unused = parameters.filter((parameter) => !found.has(parameter));
  if (unused.length > 0) throw new Error(`${statementName} does not use ${unused.join(', ')}`);
  if (new Set(parameters).size < parameters.length)
    throw new Error(`${statementName} declares a parameter twice`);
  return compiled;
}

/** The values in the order of the statement's parameters. */
export function orderedValues<Parameter extends string>(
  { parameters }: { parameters: readonly Parameter[] },
  values: ValuesOf<Parameter>,
): unknown[] {
  return parameters.map((parameter) => values[parameter]);
}

/** A time as text with its microseconds, in UTC. A JavaScript date would cut them off. */
export const preciseTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

/** The time in a parameter that {@link preciseTime} wrote. */
export const preciseTimeOf = (parameter: string): string => `${parameter}::timestamp AT TIME ZONE 'UTC'`;

interface Old {
  /** Which rows of the table `o` are old enough. */
  where: string;
  /** By what the oldest come first: an index has it. */
  by: string;
}

/**
 * Deletes the oldest rows of a table, at most `:limit`, besides those that others have locked. They are found by an array of
 * their places: for a join the planner, which does not know the limit, expects a tenth of the table and reads all of it.
 */
export const purgeOf = (table: string, { where, by }: Old): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT o.ctid FROM ${table} o WHERE ${where} ORDER BY o.${by} LIMIT :limit::int FOR UPDATE OF o SKIP LOCKED))
  RETURNING 1 AS purged`;

/** Columns in the form in which the ORM reads only these. */
export const only = <Column extends string>(columns: readonly Column[]): Record<Column, true> =>
  Object.fromEntries(columns.map((column) => [column, true])) as Record<Column, true>;

/** A table of states, each with those that may follow it. */
export type States = Readonly<Record<string, readonly string[]>>;

/** Words as a list of SQL. */
export const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** What the column of a state may have. */
export const isStateOf = (states: States, column: string): string =>
  `${column} IN (${listed(Object.keys(states))})`;

/** Runs a statement on the connection of the ORM's repositories, as a part of their transaction. */
export async function runWith<Row extends object, Parameter extends string>(
  manager: EntityManager,
  statement: SqlStatement<Row, Parameter>,
  values: ValuesOf<Parameter>,
): Promise<Row[]> {
  return manager.query<Row[]>(statement.text, orderedValues(statement, values));
}
