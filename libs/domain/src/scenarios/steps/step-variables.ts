import type { FieldViolation } from '@app/contracts/coded.errors';
import { localParts } from '../runs/local-time';

/** What texts, parameters and values of a scenario may take from the dialog and the moment. */
export const VARIABLE_NAMES = [
  'lead.name',
  'lead.phone',
  'status.name',
  'assistant.name',
  'date',
  'time',
] as const;
export type VariableName = (typeof VARIABLE_NAMES)[number];

/** The value of each variable; null or blank: it is empty. */
export type VariableValues = Readonly<Record<VariableName, string | null>>;

/** What became of a text or a JSON value: itself with its variables replaced, or the first variable that is empty. */
export type Rendered<T> = { value: T } | { empty: VariableName };

/** `{{lead.name}}`, `{{ lead.name }}` or `{{lead.name|fallback}}`. A fallback has no braces. */
const VARIABLE = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;
/** An unknown variable is shown up to this length, and so many of one text. */
const NAME_SHOWN_MAX = 40;
const UNKNOWN_SHOWN_MAX = 5;

const isVariable = (name: string): name is VariableName => VARIABLE_NAMES.some((known) => known === name);

/**
 * Violations of a text: variables that do not exist, and `{{` that begins none. `{{1}}` is one of them: a template's own
 * variables are filled by its params. A lone `}}` is text.
 * @param path of the text in the request, such as `steps[3].text`
 */
export function violationsOfText(text: string, path: string): FieldViolation[] {
  const names = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim());
  const unknown = [...new Set(names)].filter((name) => !isVariable(name));
  const violations = unknown.slice(0, UNKNOWN_SHOWN_MAX).map((name) => {
    const known = VARIABLE_NAMES.map((variable) => `{{${variable}}}`).join(', ');
    const shown = [...name].slice(0, NAME_SHOWN_MAX).join('');
    return { path, message: `has an unknown variable {{${shown}}}: there are ${known}` };
  });
  if (!text.replace(VARIABLE, ' ').includes('{{')) return violations;
  const message =
    'has {{ without a variable: write {{lead.name}}, or {{lead.name|fallback}} without braces in the fallback';
  return [...violations, { path, message }];
}

/** Likewise for every text within a JSON value, each with its path, such as `steps[3].body.items[0]`. Keys are no texts. */
export function violationsDeep(value: unknown, path: string): FieldViolation[] {
  if (typeof value === 'string') return violationsOfText(value, path);
  if (Array.isArray(value)) return value.flatMap((item, index) => violationsDeep(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => violationsDeep(item, `${path}.${key}`));
}

/**
 * A text with its variables replaced. A value is data: braces in it are not replaced again. Runs of white space in it,
 * line breaks included, become one blank, because providers refuse them in a template's parameters. Half an emoji
 * becomes U+FFFD, because no address can be made of it. A text without violations is replaced wholly; unknown
 * variables stay.
 * @param encode how a value is written, such as `encodeURIComponent` within an address; fallbacks are written as they are
 */
export function render(
  text: string,
  values: VariableValues,
  encode: (value: string) => string = (value) => value,
): Rendered<string> {
  const empty: VariableName[] = [];
  const value = text.replace(VARIABLE, (whole, given: string, fallback?: string) => {
    const name = given.trim();
    if (!isVariable(name)) return whole;
    const filled = (values[name] ?? '').toWellFormed().replace(/\s+/g, ' ').trim();
    if (filled !== '') return encode(filled);
    if (fallback === undefined) empty.push(name);
    return fallback?.trim() ?? '';
  });
  return empty[0] === undefined ? { value } : { empty: empty[0] };
}

/** Likewise for every text within a JSON value, whose form and keys stay. */
export function renderDeep<T>(value: T, values: VariableValues): Rendered<T> {
  const empty: VariableName[] = [];
  const renderItem = (item: unknown): unknown => {
    if (typeof item === 'string') {
      const rendered = render(item, values);
      if ('value' in rendered) return rendered.value;
      empty.push(rendered.empty);
      return item;
    }
    if (Array.isArray(item)) return item.map(renderItem);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, renderItem(inner)]));
  };
  const rendered = renderItem(value) as T;
  return empty[0] === undefined ? { value: rendered } : { empty: empty[0] };
}

/**
 * The date `DD.MM.YYYY` and the time `HH:MM` of an instant, as a time zone's wall clock shows them.
 * @throws RangeError where the time zone is unknown
 */
export function dateAndTime(at: Date, timezone: string): Pick<VariableValues, 'date' | 'time'> {
  const { date, time } = localParts(at, timezone);
  return { date: date.split('-').reverse().join('.'), time };
}
