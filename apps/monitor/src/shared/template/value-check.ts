import type { Slot } from './slot.rules';
import { templatePartWords } from './template-part.words';

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
