import type {
  ExamplesAnswer,
  RecipientRequest,
  TemplateAnswer,
  ButtonAnswer,
  HeaderAnswer,
} from '@app/client/api-types';
import { templatePartWords } from './template-part.words';

/** A template as it is shown, with the values of its variables in it. */
export interface Previewed {
  header: HeaderAnswer | null;
  body: string;
  footer: string | null;
  buttons: readonly Pick<ButtonAnswer, 'type' | 'text'>[];
}

/** A template that can be filled in. */
type Fillable = Pick<TemplateAnswer, 'header' | 'body' | 'footer' | 'buttons'> & {
  examples?: ExamplesAnswer;
};

type Field = 'text' | 'link' | 'latitude' | 'longitude' | 'name' | 'address' | 'code';

/** A place in a template that takes a value of each recipient. */
export interface Slot {
  /** Unique in the template. */
  id: string;
  part: 'header' | 'body' | 'button';
  field: Field;
  /** The variable's name or number; of a button, its label. */
  name: string;
  /** The place of a button. */
  index: number;
  isOptional: boolean;
  example: string;
}

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** The distinct variables of a text; numbers in their order. */
function variablesOf(text: string): string[] {
  const names = [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name))];
  return names.every(isNumber) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

/** A text with its variables filled in. One without a value stays as it is. */
const fillIn = (text: string, valueOf: (name: string) => string): string =>
  text.replace(VARIABLE, (variable, name: string) => valueOf(name) || variable);

const slot = (part: Slot['part'], field: Field, given: Partial<Slot> & { name: string }): Slot => ({
  id: `${part} ${given.index ?? 0} ${field} ${given.name}`,
  part,
  field,
  index: 0,
  isOptional: false,
  example: '',
  ...given,
});

function* headerSlots({ header, examples }: Fillable): Generator<Slot> {
  if (!header) return;
  if (header.format === 'text') {
    for (const name of variablesOf(header.text ?? ''))
      yield slot('header', 'text', { name, example: examples?.header ?? '' });
  } else if (header.format === 'location') {
    yield slot('header', 'latitude', { name: 'latitude', example: '43.238949' });
    yield slot('header', 'longitude', { name: 'longitude', example: '76.889709' });
    yield slot('header', 'name', { name: 'name', isOptional: true });
    yield slot('header', 'address', { name: 'address', isOptional: true });
  } else if (header.format !== 'other')
    yield slot('header', 'link', { name: header.format, example: 'https://' });
}

/** Everything that a template takes, in the order in which people read it. */
export function slotsOf(template: Fillable): Slot[] {
  const samples = template.examples?.body ?? [];
  // The service puts it into the button too.
  const field = template.buttons.some(({ type }) => type === 'otp') ? 'code' : 'text';
  return [
    ...headerSlots(template),
    ...variablesOf(template.body).map((name, n) => slot('body', field, { name, example: samples[n] ?? '' })),
    ...template.buttons.flatMap((button, index) => {
      const name = button.text;
      if (button.type === 'copy_code') return [slot('button', 'code', { name, index })];
      const isOpen = button.type === 'url' && variablesOf(button.url ?? '').length > 0;
      return isOpen ? [slot('button', 'text', { name, index })] : [];
    }),
  ];
}

/** What a slot is called on the page. */
export function labelOf({ part, field, name }: Slot): string {
  if (part === 'body')
    return field === 'code' ? templatePartWords.say('slotOtp') : templatePartWords.say('slotBody', { name });
  if (part === 'button') return templatePartWords.say(field === 'code' ? 'slotCode' : 'slotUrl', { name });
  if (field === 'text') return templatePartWords.say('slotHeader');
  if (field === 'link')
    return templatePartWords.say(
      name === 'image' ? 'slotImage' : name === 'video' ? 'slotVideo' : 'slotDocument',
    );
  const places = { latitude: 'slotLatitude', longitude: 'slotLongitude', name: 'slotPlace' } as const;
  return templatePartWords.say(field in places ? places[field as keyof typeof places] : 'slotAddress');
}

/** Whom a template goes to: a phone, or the customer of a dialog, who may have none. */
type Recipient = Pick<RecipientRequest, 'phone' | 'thread_id'>;

/** The recipient as send-template takes it. */
export function recipientOf(
  template: Fillable,
  slots: readonly Slot[],
  to: Recipient,
  values: readonly string[],
): RecipientRequest {
  const given = slots
    .map((slot, n) => ({ ...slot, value: values[n] ?? '' }))
    .filter(({ value }) => value !== '');
  const of = (part: Slot['part']) => given.filter((one) => one.part === part);
  const [body, header, buttons] = [of('body'), of('header'), of('button')];
  const isNamed = !body.every(({ name }) => isNumber(name));
  return {
    ...to,
    ...(body.length === 0
      ? {}
      : isNamed
        ? { named_params: Object.fromEntries(body.map(({ name, value }) => [name, value])) }
        : { params: body.map(({ value }) => value) }),
    ...(header.length > 0 && {
      header: {
        type: template.header?.format,
        ...Object.fromEntries(header.map(({ field, value }) => [field, value])),
        ...nameOf(header[0]),
      },
    }),
    ...(buttons.length > 0 && {
      buttons: buttons.map(({ field, index, value }) =>
        field === 'code' ? { type: 'copy_code', index, code: value } : { type: 'url', index, text: value },
      ),
    }),
  };
}

/** A named variable of a heading goes with its name. */
const nameOf = (slot: Slot | undefined): { name?: string } =>
  slot?.field === 'text' && !isNumber(slot.name) ? { name: slot.name } : {};

/** A template with the values of one recipient, as far as there are any. */
export function filledIn(
  { header, body, footer, buttons }: Fillable,
  slots: readonly Slot[],
  values: readonly string[],
): Previewed {
  const valueIn = (part: Slot['part']) => (name: string) =>
    values[slots.findIndex((slot) => slot.part === part && slot.name === name)] ?? '';
  return {
    header:
      header?.format === 'text' ? { ...header, text: fillIn(header.text ?? '', valueIn('header')) } : header,
    body: fillIn(body, valueIn('body')),
    ...{ footer, buttons },
  };
}

/** Why WhatsApp would refuse a template with a value. */
export type ValueFault = 'missing' | 'form' | 'address' | 'degrees' | 'code';

/** What WhatsApp takes in no value of a text. */
const UNSENDABLE = /[\n\r\t]| {5}/;
const WEB_ADDRESS = /^https?:\/\/\S+$/;
/** A one-time code has no emoji and no address (Meta: "Copy code authentication templates"). */
const CODE = /^[\p{L}\p{N}-]{1,15}$/u;
const DEGREES = /^-?\d{1,3}(\.\d+)?$/;
const DEGREES_MOST: Partial<Record<Slot['field'], number>> = { latitude: 90, longitude: 180 };

const isDegrees = (value: string, most: number): boolean =>
  DEGREES.test(value) && Math.abs(Number(value)) <= most;

/** What is wrong with the value of a slot; null: nothing. */
export function faultOfValue({ part, field, isOptional }: Slot, value: string): ValueFault | null {
  const degreesMost = DEGREES_MOST[field];
  if (value === '') return isOptional ? null : 'missing';
  if (part === 'body' && field === 'code') return CODE.test(value) ? null : 'code';
  if (field === 'link') return WEB_ADDRESS.test(value) ? null : 'address';
  if (degreesMost !== undefined) return isDegrees(value, degreesMost) ? null : 'degrees';
  return field === 'text' && UNSENDABLE.test(value) ? 'form' : null;
}

const WORDS = {
  missing: 'valueMissing',
  form: 'valueForm',
  address: 'valueAddress',
  degrees: 'valueDegrees',
  code: 'valueCode',
} as const;

export const wordsOfFault = (fault: ValueFault): string => templatePartWords.say(WORDS[fault]);
