import type {
  ChangeTemplateRequest,
  CreateTemplateRequest,
  GovernedTemplateAnswer,
  BotAnswer,
} from '@app/client/api-types';
import { authenticationWords } from '@app/contracts/template.words';
import { isolated } from '../../../shared/format/direction.format';
import { leadWords } from '../../../shared/leads/lead.words';
import type { Previewed } from '../../../shared/template/slot.rules';
import { isFile, variablesOf, type ButtonForm, type TemplateForm } from './template.rules';

/** Which of the numbers a template is for. */
export const numberOf = ({ bot_id, channel }: Pick<GovernedTemplateAnswer, 'bot_id' | 'channel'>): string =>
  `${bot_id} ${channel}`;

/** The numbers of all bots, as a choice between them. Templates belong to a number. */
export const numbersOf = (bots: readonly BotAnswer[]): { value: string; label: string }[] =>
  bots.flatMap((bot) =>
    bot.channels.map(({ channel }) => ({
      value: `${bot.id} ${channel}`,
      label: `${isolated(bot.name)} · ${leadWords.say(`short_channel_${channel}`)}`,
    })),
  );

const SAMPLE_CODE = '123456';

let lastKey = 0;

export const newButton = (): ButtonForm => ({
  ...{ key: `button-${(lastKey += 1)}`, type: 'quick_reply', text: '', url: '', phoneNumber: '' },
});

/** The form of a new template. @param language that it is probably written in */
export const newTemplateForm = (number: string, language: string): TemplateForm => ({
  ...{ number, name: '', templateId: '', language, category: 'utility', parameterFormat: 'positional' },
  ...{ headerFormat: 'none', headerText: '', body: '', footer: '', buttons: [] },
  ...{ bodyExamples: {}, headerExample: '', headerMediaId: '' },
  ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10, codeLabel: '' },
});

export function formOf(template: GovernedTemplateAnswer): TemplateForm {
  const { header, body, parameter_format: parameterFormat, examples } = template;
  const names = variablesOf(body, parameterFormat);
  return {
    number: numberOf(template),
    ...{ name: template.name, templateId: template.template_id, language: template.language },
    ...{ category: template.category, parameterFormat, body, footer: template.footer ?? '' },
    // A part that only the provider knows: the service refuses every change of its template.
    headerFormat: header === null || header.format === 'other' ? 'none' : header.format,
    headerText: header?.text ?? '',
    buttons: template.buttons.flatMap(({ type, text, url, phone_number }) =>
      type === 'other' || type === 'otp'
        ? []
        : [{ ...newButton(), ...{ type, text, url: url ?? '', phoneNumber: phone_number ?? '' } }],
    ),
    bodyExamples: Object.fromEntries(names.map((name, index) => [name, examples.body?.[index] ?? ''])),
    headerExample: examples.header ?? '',
    headerMediaId: examples.media_id ?? '',
    addSecurityRecommendation: template.add_security_recommendation,
    codeExpirationMinutes: template.code_expiration_minutes ?? '',
    codeLabel: template.buttons.find(({ type }) => type === 'otp')?.text ?? '',
  };
}

/** What the form says of the template, but for what cannot be changed. */
function contentOf(form: TemplateForm): ChangeTemplateRequest {
  if (form.category === 'authentication') return codeOf(form);
  const { headerFormat, headerText, footer, body, parameterFormat, bodyExamples } = form;
  const header =
    headerFormat === 'none'
      ? null
      : headerFormat === 'text'
        ? { format: headerFormat, text: headerText }
        : { format: headerFormat };
  return {
    category: form.category,
    header,
    body,
    footer: footer === '' ? null : footer,
    buttons: form.buttons.map(({ type, text, url, phoneNumber }) => ({
      ...{ type, text },
      ...(type === 'url' ? { url } : {}),
      ...(type === 'phone_number' ? { phone_number: phoneNumber } : {}),
    })),
    examples: {
      ...sampleOf(form),
      body: variablesOf(body, parameterFormat).map((name) => bodyExamples[name] ?? ''),
    },
  };
}

/** Of a header's file an upload, or else the provider's handle. */
function sampleOf({ headerFormat, headerExample, headerMediaId }: TemplateForm) {
  if (isFile(headerFormat) && headerMediaId !== '') return { media_id: headerMediaId };
  return headerFormat !== 'none' && headerExample !== '' ? { header: headerExample } : {};
}

/** WhatsApp writes the rest of an authentication template. */
const codeOf = (form: TemplateForm): ChangeTemplateRequest => ({
  category: form.category,
  add_security_recommendation: form.addSecurityRecommendation,
  code_expiration_minutes: form.codeExpirationMinutes === '' ? null : form.codeExpirationMinutes,
  buttons: [{ type: 'otp', ...(form.codeLabel === '' ? {} : { text: form.codeLabel }) }],
});

export function creationOf(form: TemplateForm): CreateTemplateRequest {
  const [bot_id = '', channel] = form.number.split(' ') as [string, CreateTemplateRequest['channel']];
  const { category } = form;
  const { header, footer, code_expiration_minutes: minutes, ...content } = contentOf(form);
  return {
    ...{ bot_id, channel, name: form.name, language: form.language },
    ...(category === 'authentication' ? {} : { parameter_format: form.parameterFormat }),
    ...(form.templateId === '' ? {} : { template_id: form.templateId }),
    ...content,
    category,
    ...(header ? { header } : {}),
    ...(footer ? { footer } : {}),
    ...(minutes ? { code_expiration_minutes: minutes } : {}),
  };
}

/** What has changed. Samples go with the text, which they belong to. */
export function changeOf(form: TemplateForm, before: TemplateForm): ChangeTemplateRequest {
  const [now, then] = [contentOf(form), contentOf(before)];
  const keys = (Object.keys(now) as (keyof ChangeTemplateRequest)[]).filter(
    (key) => JSON.stringify(now[key]) !== JSON.stringify(then[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, now[key]]));
}

/** The text with samples in the places of its variables; those without one stay as they are. */
const filled = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => valueOf(name.trim()) || whole);

export function previewOf(form: TemplateForm): Previewed {
  const { category, headerFormat, headerText, headerExample } = form;
  if (category === 'authentication') return codePreviewOf(form);
  return {
    header:
      headerFormat === 'none'
        ? null
        : { format: headerFormat, text: filled(headerText, () => headerExample) },
    body: filled(form.body, (name) => form.bodyExamples[name]),
    footer: form.footer,
    buttons: form.buttons,
  };
}

/** WhatsApp's words in English: those of other languages it shows once it has the template. */
function codePreviewOf({
  addSecurityRecommendation,
  codeExpirationMinutes: minutes,
  codeLabel,
}: TemplateForm): Previewed {
  const words = authenticationWords({
    addSecurityRecommendation,
    codeExpirationMinutes: minutes === '' ? null : minutes,
  });
  return {
    header: null,
    body: filled(words.body, () => SAMPLE_CODE),
    footer: words.footer,
    buttons: [{ type: 'otp', text: codeLabel }],
  };
}

/** Where a fault that the server has found stands in the form. */
export function fieldOf(path: string, form: TemplateForm): string {
  const sample = /^examples\.body(?:\[(\d+)\])?$/.exec(path);
  if (sample) {
    const name = variablesOf(form.body, form.parameterFormat)[Number(sample[1] ?? 0)];
    return name === undefined ? 'body' : `bodyExamples.${name}`;
  }
  const known: Record<string, string> = {
    ...{ 'header.text': 'headerText', 'header.format': 'headerFormat', header: 'headerFormat' },
    ...{ 'examples.media_id': 'headerExample' },
    ...{ 'examples.header': 'headerExample', template_id: 'templateId' },
    code_expiration_minutes: 'codeExpirationMinutes',
    ...{ channel: 'number', bot_id: 'number', parameter_format: 'parameterFormat' },
  };
  if (form.category === 'authentication' && path.startsWith('buttons')) return 'codeLabel';
  return known[path] ?? path.replace(/\[(\d+)\]/g, '.$1').replace('.phone_number', '.phoneNumber');
}
