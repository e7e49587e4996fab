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
