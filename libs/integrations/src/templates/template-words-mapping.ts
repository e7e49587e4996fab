import {
  TEMPLATE_QUALITIES,
  type TemplateCategory,
  type TemplateQuality,
  type TemplateStatus,
  OTP_TYPES,
  type TemplateButton,
} from '@app/contracts/template.words';
import { fieldOf, textOf } from '../http/shown-body';

/**
 * Meta's and Gupshup's statuses, in lower case. A template with any other status cannot be sent yet and is treated as
 * pending.
 */
const STATUSES: Readonly<Record<string, TemplateStatus>> = {
  approved: 'approved',
  reinstated: 'approved',
  flagged: 'approved',
  locked: 'approved',
  pending: 'pending',
  submitted: 'pending',
  in_appeal: 'pending',
  rejected: 'rejected',
  failed: 'rejected',
  paused: 'paused',
  disabled: 'disabled',
  deactivated: 'disabled',
  deleted: 'disabled',
  pending_deletion: 'disabled',
  limit_exceeded: 'disabled',
  archived: 'disabled',
};

const CATEGORIES: Readonly<Record<string, TemplateCategory>> = {
  marketing: 'marketing',
  utility: 'utility',
  transactional: 'utility',
  authentication: 'authentication',
  otp: 'authentication',
};

/** A provider's word for a template's status, compared without case. */
export const templateStatusOf = (word: string): TemplateStatus => STATUSES[word.toLowerCase()] ?? 'pending';

/**
 * A provider's word for a template's category. An unknown category counts as marketing, which has the strictest
 * rules.
 */
export const templateCategoryOf = (word: string): TemplateCategory =>
  CATEGORIES[word.toLowerCase()] ?? 'marketing';

/** A provider's word for a template's quality; null where it says nothing. */
export const templateQualityOf = (word: string): TemplateQuality | null =>
  word === '' ? null : (TEMPLATE_QUALITIES.find((known) => known === word.toLowerCase()) ?? 'unknown');

/** For how long a code is said to be good; null where the provider does not say it. */
export const minutesOf = (given: unknown): number | null => {
  const minutes = typeof given === 'string' ? Number(given) : given;
  return typeof minutes === 'number' && Number.isInteger(minutes) && minutes > 0 && minutes < 1_000_000
    ? minutes
    : null;
};

/** The form of a variable: `{{1}}` or `{{first_name}}`. */
const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

/** The names or numbers of a text's variables, each once, in the order of their first occurrence. */
export const variablesOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name)),
];

/** A text with values in the place of its variables. */
export function fillIn(text: string, values: readonly string[]): string {
  const names = variablesOf(text);
  return text.replace(VARIABLE, (whole, name: string) => values[names.indexOf(name)] ?? whole);
}

/** The values with which a text was filled in, in the order of {@link variablesOf}; null where it was not. */
export function valuesIn(text: string, filled: string): string[] | null {
  const values = new Map<string, string>();
  const variables = [...text.matchAll(VARIABLE)];
  let [read, at] = [0, 0];
  for (const [index, { 0: variable, 1: name = '', index: place }] of variables.entries()) {
    at += place - read;
    read = place + variable.length;
    const next = text.slice(read, variables[index + 1]?.index);
    const end = next === '' ? filled.length : filled.indexOf(next, at + 1);
    if (end <= at) return null;
    if (!values.has(name)) values.set(name, filled.slice(at, end));
    at = end;
  }
  const found = [...values.values()];
  return found.includes('') || filled === text || fillIn(text, found) !== filled ? null : found;
}

/** The sample value of a variable in a button's address, for moderation. */
const SAMPLE = 'example';

/** Longest code that can be copied. */
const LONGEST_CODE = 20;

/** A button in the form that Meta's and Gupshup's calls expect. */
export function buttonForCreation(button: TemplateButton): object {
  switch (button.type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text: button.text };
    case 'url': {
      const { text, url } = button;
      return { type: 'URL', text, url, ...(variablesOf(url).length > 0 ? { example: [SAMPLE] } : {}) };
    }
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone_number };
    case 'copy_code':
      // WhatsApp writes the label. The call takes only a sample of the code.
      return { type: 'COPY_CODE', example: button.text.slice(0, LONGEST_CODE) };
    case 'otp':
      return {
        type: 'OTP',
        otp_type: button.otp_type.toUpperCase(),
        ...(button.text === '' ? {} : { text: button.text }),
      };
    case 'other':
      throw new Error('a part that we do not know cannot be submitted');
  }
}

/** A button as the providers list it. */
function buttonOf(listed: unknown): TemplateButton {
  const text = textOf(fieldOf(listed, 'text'));
  switch (textOf(fieldOf(listed, 'type')).toUpperCase()) {
    case 'QUICK_REPLY':
      return { type: 'quick_reply', text };
    case 'URL':
      return linkOf(text, textOf(fieldOf(listed, 'url')));
    case 'OTP':
      return { type: 'otp', text, otp_type: otpTypeOf(textOf(fieldOf(listed, 'otp_type'))) };
    case 'PHONE_NUMBER':
      return { type: 'phone_number', text, phone_number: textOf(fieldOf(listed, 'phone_number')) };
    case 'COPY_CODE':
      return { type: 'copy_code', text };
    default:
      return { type: 'other', text };
  }
}

const OTP_ADDRESS = 'https://www.whatsapp.com/otp/';

/**
 * A link, or the button of an authentication template: once it is made, that is a link to an address of WhatsApp.
 * Source: Meta, "Copy code authentication templates": "upon creation the button type will be set to URL".
 */
function linkOf(text: string, url: string): TemplateButton {
  if (!url.startsWith(OTP_ADDRESS) || !URL.canParse(url)) return { type: 'url', text, url };
  return { type: 'otp', text, otp_type: otpTypeOf(new URL(url).searchParams.get('otp_type') ?? '') };
}

const otpTypeOf = (word: string) => OTP_TYPES.find((type) => type === word.toLowerCase()) ?? 'copy_code';

/** The buttons of a listed template, each in its place: a value names its button by it. */
export function buttonsOf(listed: unknown): TemplateButton[] {
  return Array.isArray(listed) ? listed.map(buttonOf) : [];
}
