import { VARIABLE_NAME_LENGTH_MAX, type ParameterFormat } from '@app/contracts/template.words';

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** What may be inside the braces. */
const NAMES: Record<ParameterFormat, RegExp> = {
  positional: /^[1-9]\d{0,2}$/,
  named: new RegExp(`^(?!\\d+$)[a-z0-9_]{1,${VARIABLE_NAME_LENGTH_MAX}}$`),
};

export interface Variables {
  /** Distinct variables in the order of their first occurrence: names, or numbers as text. */
  names: string[];
  /** How many pairs of braces hold no valid variable. */
  strays: number;
}

/** The variables of a text: `{{1}}`, or `{{first_name}}` where they have names. */
export function variablesOf(text: string, format: ParameterFormat): Variables {
  const found = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim());
  const names = found.filter((name) => NAMES[format].test(name));
  const braces = text.replace(VARIABLE, '').match(/\{\{|\}\}/g) ?? [];
  return { names: [...new Set(names)], strays: found.length - names.length + braces.length };
}

/** What the registry stores about a body's variables. */
export function parametersOf(body: string, format: ParameterFormat): { count: number; names: string[] } {
  const { names } = variablesOf(body, format);
  return { count: names.length, names: format === 'named' ? names : [] };
}
