import { record, text } from '../http/json.answer';
import type { ShownButton, ShownContent } from '../chats/chat.words';
import { fillIn, namedValues, variablesOf, type StoredTemplate } from '../templates/template.store';
import { CloudError } from './cloud.errors';

type Component = Record<string, unknown>;
type Button = StoredTemplate['buttons'][number];

const BODY_MAX = 1024;

/** What the recipient sees of a template with the values of a request. Errors are named as Meta names them. */
export function fillTemplate(template: StoredTemplate, given: unknown): ShownContent {
  const components = listOf(given, 'template.components');
  for (const { type } of components)
    if (!['header', 'body', 'button'].includes(lower(type)))
      throw new CloudError(100, `Unexpected component type ${String(type)}`);
  const of = (type: string): Component | undefined => components.find((one) => lower(one.type) === type);
  const { header, media } = fillHeader(template, of('header'));
  const body = fillPart('body', template.body, template, parametersOf(of('body')));
  if (body.length > BODY_MAX) throw new CloudError(132005, `body: longer than ${BODY_MAX} characters`);
  return {
    header,
    media,
    file: null,
    text: body,
    footer: template.footer,
    buttons: template.buttons.map((button, index) => fillButton(button, index, components)),
  };
}

function fillHeader(
  template: StoredTemplate,
  component: Component | undefined,
): Pick<ShownContent, 'header' | 'media'> {
  const { header } = template;
  const parameters = parametersOf(component);
  if (!header) {
    if (parameters.length > 0) throw countViolation('header', parameters.length, 0);
    return { header: null, media: null };
  }
  if (header.format === 'text')
    return { header: fillPart('header', header.text, template, parameters), media: null };
  const expected = header.format.toUpperCase();
  const [parameter] = parameters;
  if (!parameter || lower(parameter.type) !== header.format)
    throw new CloudError(
      132012,
      `header: Format mismatch, expected ${expected}, received ${parameter ? String(parameter.type).toUpperCase() : 'UNKNOWN'}`,
    );
  const value = record(parameter[header.format]);
  const place = header.format === 'location';
  if (!value || !(place ? 'latitude' in value && 'longitude' in value : (text(value.link) ?? text(value.id))))
    throw new CloudError(131008, `header: ${header.format} needs ${place ? 'a place' : 'a link or an id'}`);
  return { header: null, media: header.format };
}

function fillPart(
  part: 'header' | 'body',
  words: string,
  template: StoredTemplate,
  parameters: readonly Component[],
): string {
  const names = variablesOf(words);
  if (parameters.length !== names.length) throw countViolation(part, parameters.length, names.length);
  const named = template.parameterFormat === 'named';
  if (!named && parameters.some((one) => text(one.parameter_name) !== null))
    throw new CloudError(132012, `${part}: Format mismatch, expected POSITIONAL, received NAMED`);
  const values: Record<string, string> = named
    ? {}
    : namedValues(
        names,
        parameters.map((one) => valueOf(part, one)),
      );
  if (named) {
    for (const parameter of parameters) {
      const name = text(parameter.parameter_name);
      if (name === null || !names.includes(name) || name in values)
        throw new CloudError(100, `${part}: Parameter name is missing or empty or not of the template`);
      values[name] = valueOf(part, parameter);
    }
  }
  return fillIn(words, values);
}

function valueOf(part: string, parameter: Component): string {
  const kind = lower(parameter.type);
  const value =
    kind === 'text'
      ? text(parameter.text)
      : kind === 'currency' || kind === 'date_time'
        ? text(record(parameter[kind])?.fallback_value)
        : null;
  if (value === null)
    throw new CloudError(132012, `${part}: Format mismatch, expected TEXT, received ${kind.toUpperCase()}`);
  if (value === '') throw new CloudError(131008, `${part}: Parameter of type text is missing text value`);
  if (/[\n\t]| {5}/.test(value))
    throw new CloudError(
      132012,
      `${part}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    );
  return value;
}

const SUB_TYPES: Readonly<Record<Button['type'], string>> = {
  quick_reply: 'quick_reply',
  url: 'url',
  copy_code: 'copy_code',
  otp: 'url',
  phone_number: 'voice_call',
  other: 'flow',
};

function fillButton(button: Button, index: number, components: readonly Component[]): ShownButton {
  const given = components.find((one) => lower(one.type) === 'button' && Number(one.index) === index);
  if (given && lower(given.sub_type) !== SUB_TYPES[button.type])
    throw new CloudError(
      132012,
      `buttons: Button at index ${index} is not of type ${String(given.sub_type)}`,
    );
  const [parameter] = parametersOf(given);
  const needed = (type: string, value: unknown): string => {
    const found = text(value);
    if (!found)
      throw new CloudError(131008, `buttons: Button at index ${index} of type ${type} requires a parameter`);
    return found;
  };
  switch (button.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text: button.text, value: text(parameter?.payload) ?? button.text };
    case 'url': {
      const names = variablesOf(button.url);
      const values = names.length > 0 ? [needed('Url', parameter?.text)] : [];
      return { type: 'url', text: button.text, value: fillIn(button.url, namedValues(names, values)) };
    }
    case 'copy_code':
      return { type: 'copy_code', text: button.text, value: needed('CopyCode', parameter?.coupon_code) };
    case 'otp':
      return { type: 'copy_code', text: button.text, value: needed('Url', parameter?.text) };
    case 'phone_number':
      return { type: 'phone_number', text: button.text, value: button.phone_number };
    case 'other':
      return { type: 'other', text: button.text, value: null };
  }
}

const countViolation = (part: string, given: number, expected: number): CloudError =>
  new CloudError(
    132000,
    `${part}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  );

const parametersOf = (component: Component | undefined): Component[] =>
  listOf(component?.parameters, 'parameters');

function listOf(value: unknown, place: string): Component[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value.map(record) : [null];
  return items.map((item) => {
    if (!item) throw new CloudError(100, `${place} must be an array of objects`);
    return item;
  });
}

const lower = (value: unknown): string => (text(value) ?? '').toLowerCase();
