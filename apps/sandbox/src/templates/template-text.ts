const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

const KEPT_MAX = 10_000;
/** Templates are few and sent often. */
const kept = new Map<string, readonly string[]>();

/** The names of the distinct variables of a text, in order of their first occurrence; positional ones by number. */
export function variablesOf(text: string): readonly string[] {
  let names = kept.get(text);
  if (names) return names;
  names = findVariables(text);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(text, names);
  return names;
}

function findVariables(text: string): string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(VARIABLE)) if (name !== undefined) names.add(name);
  const all = [...names];
  return all.every((name) => /^[0-9]+$/.test(name)) ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

/** The text with its variables filled in. A variable without a value stays as it is. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.includes('{{')
    ? text.replace(VARIABLE, (whole, name: string) =>
        Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
      )
    : text;

/** Values with their variables, in the variables' order. */
export function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
