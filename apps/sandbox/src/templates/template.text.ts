const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** The names of the distinct variables of a text, in order of their first occurrence; positional ones by number. */
export function variablesOf(text: string): string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(VARIABLE)) if (name !== undefined) names.add(name);
  const all = [...names];
  return all.every((name) => /^[0-9]+$/.test(name)) ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

/** The text with its variables filled in; one that has no value stays as it is. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.includes('{{')
    ? text.replace(VARIABLE, (whole, name: string) =>
        Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
      )
    : text;

/** Values by the variables that they stand for, in the variables' order. */
export function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
