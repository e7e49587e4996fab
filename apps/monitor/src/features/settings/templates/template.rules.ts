import type { ButtonAnswer } from '@app/client/api-types';
import { CODE_EXPIRATION_MINUTES_MAX, type ParameterFormat } from '@app/contracts/template.words';
import { templateWords } from './template.words';

/** A template as its form has it. */
export interface TemplateForm {
  /** `<bot id> <channel>` */
  number: string;
  name: string;
  templateId: string;
  language: string;
  category: 'marketing' | 'utility' | 'authentication';
  parameterFormat: ParameterFormat;
  headerFormat: 'none' | 'text' | 'image' | 'video' | 'document' | 'location';
  headerText: string;
  body: string;
  footer: string;
  buttons: ButtonForm[];
  /** Samples by the variable's name. Those of variables that are gone stay until the form is closed. */
  bodyExamples: Record<string, string>;
  headerExample: string;
  /** An upload that is the sample of the header's file; empty: none. */
  headerMediaId: string;
  /** Of an authentication template, which has no words of its own. */
  addSecurityRecommendation: boolean;
  /** Empty: its footer does not say for how long the code is good. */
  codeExpirationMinutes: number | '';
  /** The label of its button; empty: WhatsApp's own. */
  codeLabel: string;
}

export interface ButtonForm {
  /** For React. */
  key: string;
  type: Exclude<ButtonAnswer['type'], 'other' | 'otp'>;
  text: string;
  url: string;
  phoneNumber: string;
}

/** Faults by the path of their field in the form. */
type TemplateFaults = Record<string, string>;

export const BODY_MAX = 1_024;
export const SHORT_MAX = 60;
export const MINUTES_MAX = CODE_EXPIRATION_MINUTES_MAX;
const LABEL_MAX = 25;
const CODE_MAX = 20;
const URL_MAX = 2_000;
const NAME_MAX = { waba_coexistence: 512, waba: 180 } as const;
const MOST = { quick_reply: 10, url: 2, phone_number: 1, copy_code: 1 } as const;

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const NAMES: Record<ParameterFormat, RegExp> = {
  positional: /^[1-9]\d{0,2}$/,
  named: /^(?!\d+$)[a-z0-9_]{1,100}$/,
};

/** Whether a header carries a file, of which moderation wants a sample. */
export const isFile = (format: TemplateForm['headerFormat']): format is 'image' | 'video' | 'document' =>
  format === 'image' || format === 'video' || format === 'document';

/** As WhatsApp counts characters, nearly: an emoji is one. */
export const lengthOf = (text: string): number => [...text].length;

/** The valid variables of a text, each once, in the order of their values: of their numbers, else of their places. */
export function variablesOf(text: string, format: ParameterFormat): string[] {
  const found = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim());
  const names = [...new Set(found.filter((name) => NAMES[format].test(name)))];
  return format === 'positional' ? names.sort((one, other) => Number(one) - Number(other)) : names;
}

function hasStrays(text: string, format: ParameterFormat): boolean {
  const found = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim());
  return !found.every((name) => NAMES[format].test(name)) || /\{\{|\}\}/.test(text.replace(VARIABLE, ''));
}

const areConsecutive = (numbers: readonly string[]): boolean =>
  numbers.every((_, index) => numbers.includes(String(index + 1)));

/**
 * What WhatsApp refuses without reading, told before it is asked and in the words of the page. The server has the last
 * word.
 */
export function faultsOf(form: TemplateForm): TemplateFaults {
  if (form.category === 'authentication') return { ...faultsOfHead(form), ...faultsOfCode(form) };
  return {
    ...faultsOfHead(form),
    ...faultsOfFooter(form),
    ...faultsOfBody(form),
    ...faultsOfHeader(form),
    ...faultsOfButtons(form),
  };
}

function faultsOfCode({ codeExpirationMinutes: minutes, codeLabel }: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  const faults: TemplateFaults = {};
  const isGood = Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= MINUTES_MAX;
  if (minutes !== '' && !isGood) faults.codeExpirationMinutes = t('faultMinutes', { most: MINUTES_MAX });
  if (lengthOf(codeLabel) > LABEL_MAX) faults.codeLabel = t('faultLong', { most: LABEL_MAX });
  return faults;
}

function faultsOfHead({ number, name, language }: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  const faults: TemplateFaults = {};
  if (number === '') faults.number = t('faultNumber');
  const most = number.endsWith(' waba') ? NAME_MAX.waba : NAME_MAX.waba_coexistence;
  if (!/^[a-z0-9_]+$/.test(name) || name.length > most) faults.name = t('faultName', { most });
  if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(language)) faults.language = t('faultLanguage');
  return faults;
}

function faultsOfFooter({ footer }: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  if (lengthOf(footer) > SHORT_MAX) return { footer: t('faultLong', { most: SHORT_MAX }) };
  return /\{\{|\}\}/.test(footer) ? { footer: t('faultNoVariables') } : {};
}

function faultsOfBody({ body, parameterFormat, bodyExamples }: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  const faults: TemplateFaults = {};
  const names = variablesOf(body, parameterFormat);
  const text = body.trim();
  if (text === '') faults.body = t('faultEmpty');
  else if (lengthOf(body) > BODY_MAX) faults.body = t('faultLong', { most: BODY_MAX });
  else if (hasStrays(body, parameterFormat)) faults.body = faultOfForm(parameterFormat);
  else if (parameterFormat === 'positional' && !areConsecutive(names)) faults.body = t('faultGaps');
  else if (text.startsWith('{{') || text.endsWith('}}')) faults.body = t('faultEdge');
  else if (body.includes('}}{{')) faults.body = t('faultSideBySide');
  for (const name of names)
    if (!bodyExamples[name]?.trim()) faults[`bodyExamples.${name}`] = t('faultExample');
  return faults;
}

const faultOfForm = (format: ParameterFormat): string =>
  templateWords.say(format === 'named' ? 'faultNamed' : 'faultPositional');

function faultsOfHeader(form: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  const { headerFormat, headerText, headerExample, parameterFormat } = form;
  if (headerFormat !== 'text') return {};
  if (headerText.trim() === '') return { headerText: t('faultEmpty') };
  if (lengthOf(headerText) > SHORT_MAX) return { headerText: t('faultLong', { most: SHORT_MAX }) };
  if (hasStrays(headerText, parameterFormat)) return { headerText: faultOfForm(parameterFormat) };
  const names = variablesOf(headerText, parameterFormat);
  if (names.length > 1) return { headerText: t('faultOneVariable') };
  if (parameterFormat === 'positional' && !areConsecutive(names)) return { headerText: t('faultGaps') };
  if (names.length === 1 && headerExample.trim() === '') return { headerExample: t('faultExample') };
  return {};
}

function faultsOfButtons({ buttons }: TemplateForm): TemplateFaults {
  const t = templateWords.say;
  const faults: TemplateFaults = {};
  buttons.forEach(({ type, text, url, phoneNumber }, index) => {
    const most = type === 'copy_code' ? CODE_MAX : LABEL_MAX;
    if (text.trim() === '') faults[`buttons.${index}.text`] = t('faultEmpty');
    else if (lengthOf(text) > most) faults[`buttons.${index}.text`] = t('faultLong', { most });
    if (type === 'url' && (url.length > URL_MAX || !/^https?:\/\/[^\s{}]+(\{\{1\}\})?$/.test(url)))
      faults[`buttons.${index}.url`] = t('faultUrl');
    if (type === 'phone_number' && !/^\+?[0-9]{5,19}$/.test(phoneNumber))
      faults[`buttons.${index}.phoneNumber`] = t('faultPhone');
  });
  const countOf = (type: ButtonForm['type']) => buttons.filter((button) => button.type === type).length;
  const types = Object.keys(MOST) as ButtonForm['type'][];
  const places = buttons.flatMap(({ type }, index) => (type === 'quick_reply' ? [index] : []));
  if (types.some((type) => countOf(type) > MOST[type]) || buttons.length > 10)
    faults.buttons = t('faultButtons');
  else if (!places.every((place, index) => place === (places[0] ?? 0) + index))
    faults.buttons = t('faultTogether');
  return faults;
}
