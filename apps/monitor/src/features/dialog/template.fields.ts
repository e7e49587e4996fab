import type { RecipientRequest, TemplateAnswer } from '@app/client/api.types';

/** A value that a template asks for. */
export interface TemplateField {
  /** Tells the fields of one template apart. */
  id: string;
  kind: 'body' | 'headerText' | 'headerLink' | 'buttonUrl' | 'buttonCode';
  /** Of a variable: its number or its name. Of a button: what stands on it. */
  name: string;
  /** Of a button: its place among the buttons. */
  index: number;
}

export type TemplateValues = Readonly<Record<string, string>>;

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

const variablesOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(VARIABLE), ([, name]) => name ?? '')),
];

const areNumbers = (names: readonly string[]): boolean => names.every((name) => /^\d+$/.test(name));

/** Of the body: by number, or by name in the order in which they stand. */
function bodyVariables({ body, params_count: count }: TemplateAnswer): string[] {
  const names = variablesOf(body);
  if (!areNumbers(names)) return names;
  // The count is what the provider knows; a variable that the text repeats is one.
  return Array.from({ length: Math.max(count, names.length) }, (_, index) => String(index + 1));
}

/** What has to be filled in, in the order in which the customer sees it. */
export function templateFields(template: TemplateAnswer): TemplateField[] {
  const { header, buttons } = template;
  const fields: TemplateField[] = [];
  if (header?.format === 'text') {
    for (const name of variablesOf(header.text ?? ''))
      fields.push({ id: `header-${name}`, kind: 'headerText', name, index: 0 });
  } else if (header && header.format !== 'location')
    fields.push({ id: 'header', kind: 'headerLink', name: header.format, index: 0 });
  for (const name of bodyVariables(template))
    fields.push({ id: `body-${name}`, kind: 'body', name, index: 0 });
  buttons.forEach(({ type, text, url }, index) => {
    if (type === 'url' && variablesOf(url ?? '').length > 0)
      fields.push({ id: `button-${index}`, kind: 'buttonUrl', name: text, index });
    if (type === 'copy_code') fields.push({ id: `button-${index}`, kind: 'buttonCode', name: text, index });
  });
  return fields;
}

/** The recipient of a send-template, with every value in its place. */
export function templateRecipient(
  template: TemplateAnswer,
  values: TemplateValues,
  phone: string,
): RecipientRequest {
  const fields = templateFields(template);
  const valueOf = ({ id }: TemplateField): string => values[id]?.trim() ?? '';
  const body = fields.filter(({ kind }) => kind === 'body');
  const isNumbered = areNumbers(body.map(({ name }) => name));
  const header = fields.find(({ kind }) => kind === 'headerText' || kind === 'headerLink');
  const buttons = fields.flatMap((field): Record<string, unknown>[] => {
    const { kind, index } = field;
    if (kind === 'buttonUrl') return [{ type: 'url', index, text: valueOf(field) }];
    return kind === 'buttonCode' ? [{ type: 'copy_code', index, code: valueOf(field) }] : [];
  });
  return {
    phone,
    ...(body.length > 0 && isNumbered ? { params: body.map(valueOf) } : {}),
    ...(body.length > 0 && !isNumbered
      ? { named_params: Object.fromEntries(body.map((field) => [field.name, valueOf(field)])) }
      : {}),
    ...(header ? { header: headerOf(header, valueOf(header)) } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

function headerOf({ kind, name }: TemplateField, value: string): Record<string, string> {
  if (kind === 'headerLink') return { type: name, link: value };
  return areNumbers([name]) ? { type: 'text', text: value } : { type: 'text', text: value, name };
}

/** A text with its values; what is not filled yet stays as it stands in the template. */
export const filledText = (text: string, part: 'body' | 'header', values: TemplateValues): string =>
  text.replace(VARIABLE, (variable, name: string) => values[`${part}-${name}`]?.trim() || variable);
