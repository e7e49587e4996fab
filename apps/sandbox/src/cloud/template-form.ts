import {
  authenticationWords,
  CODE_EXPIRATION_MINUTES_MAX,
  OTP_TYPES,
  TEMPLATE_CATEGORIES,
  type TemplateButton,
  type TemplateHeader,
} from '@app/contracts/template.words';
import { record, text } from '../http/json.answer';
import type { SandboxTemplate } from '../sandbox-options';
import { type StoredTemplate, type TemplateEdit, variablesOf } from '../templates/template.store';
import { CloudError } from './cloud.errors';

const NAME_FORMAT = /^[a-z0-9_]{1,512}$/;
const LANGUAGE_FORMAT = /^[a-z]{2,3}(_[A-Z]{2})?$/;
const BODY_MAX = 1024;
const SHORT_MAX = 60;
const BUTTONS_MAX = 10;
const LABEL_MAX = 25;
const MISSING_FIELDS = 2388043;
const TOO_LONG = 2388040;
const VARIABLE_AT_THE_END = 2388299;
const HEADER_FORM = 2388047;
const BODY_FORM = 2388072;
const FOOTER_FORM = 2388073;

const SAMPLE_CODE = '123456';

/** A template as Meta lists it. */
export function metaTemplate(template: StoredTemplate): Record<string, unknown> {
  const { header, footer, buttons, body, parameterFormat, examples } = template;
  const bodyExample = examples.length > 0 ? { example: { body_text: [examples] } } : {};
  const advice = template.addSecurityRecommendation ? { add_security_recommendation: true } : {};
  const minutes = template.codeExpirationMinutes;
  const expiration = minutes === null ? {} : { code_expiration_minutes: minutes };
  return {
    name: template.name,
    parameter_format: parameterFormat.toUpperCase(),
    components: [
      ...(header ? [{ type: 'HEADER', ...metaHeader(header) }] : []),
      { type: 'BODY', text: body, ...advice, ...bodyExample },
      ...(footer === null ? [] : [{ type: 'FOOTER', text: footer, ...expiration }]),
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(metaButton) }] : []),
    ],
    language: template.language,
    status: template.status.toUpperCase(),
    category: template.category.toUpperCase(),
    id: template.providerId,
  };
}

const metaHeader = (header: TemplateHeader): object =>
  header.format === 'text' ? { format: 'TEXT', text: header.text } : { format: header.format.toUpperCase() };

/** The button of a one-time code is a link once it is made. */
function metaButton(button: TemplateButton): object {
  if (button.type !== 'otp') return { ...button, type: button.type.toUpperCase() };
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${button.otp_type.toUpperCase()}&code=otp`;
  return { type: 'URL', text: button.text, url: `${url}{{1}}`, example: [`${url}${SAMPLE_CODE}`] };
}

/** A request to create a template. Errors are named as Meta names them. */
export function readNewTemplate(
  body: Record<string, unknown>,
): Omit<SandboxTemplate, 'status' | 'channel' | 'owner' | 'providerId'> & { examples: string[] } {
  const name = text(body.name) ?? '';
  if (!NAME_FORMAT.test(name))
    throw new CloudError(100, 'name can only have lowercase letters, digits and underscores.');
  const language = text(body.language) ?? '';
  if (!LANGUAGE_FORMAT.test(language)) throw new CloudError(100, `language ${language} is not supported.`);
  const parameterFormat = text(body.parameter_format)?.toUpperCase() === 'NAMED' ? 'named' : 'positional';
  const category = categoryOf(body.category);
  const components = readComponents(body.components, category, parameterFormat);
  return { name, language, category, parameterFormat, ...components };
}

/** A request to edit a template: its category, or all of its components. Errors are named as Meta names them. */
export function readTemplateEdit(
  { category, components }: Record<string, unknown>,
  { parameterFormat, category: former }: StoredTemplate,
): TemplateEdit {
  if (category === undefined && components === undefined)
    throw new CloudError(100, 'category or components are required.', MISSING_FIELDS);
  const wanted = category === undefined ? former : categoryOf(category);
  return {
    category: wanted,
    ...(components === undefined ? {} : readComponents(components, wanted, parameterFormat)),
  };
}

function categoryOf(given: unknown): StoredTemplate['category'] {
  const category = TEMPLATE_CATEGORIES.find((one) => one === text(given)?.toLowerCase());
  if (!category) throw new CloudError(100, 'category must be one of {AUTHENTICATION, MARKETING, UTILITY}.');
  return category;
}

type Part = Record<string, unknown> | null;
type Components = Pick<
  StoredTemplate,
  'header' | 'body' | 'footer' | 'buttons' | 'addSecurityRecommendation' | 'codeExpirationMinutes'
> & { examples: string[] };

function readComponents(
  given: unknown,
  category: StoredTemplate['category'],
  parameterFormat: StoredTemplate['parameterFormat'],
): Components {
  const components = (Array.isArray(given) ? given : []).map(record);
  const of = (type: string): Part =>
    components.find((one) => text(one?.type)?.toUpperCase() === type) ?? null;
  if (category === 'authentication') return readAuthentication(of);

  const bodyPart = of('BODY');
  const words = checkedBody(text(bodyPart?.text));
  const named = parameterFormat === 'named';
  const examples = named ? namedExamples(bodyPart) : positionalExamples(bodyPart);
  if (examples.length !== variablesOf(words).length)
    throw new CloudError(100, 'body: variables need sample values in example.', MISSING_FIELDS);
  const footer = text(of('FOOTER')?.text);
  if (footer !== null) checkedLength('footer', footer, SHORT_MAX);
  return {
    header: headerOf(of('HEADER')),
    body: words,
    footer,
    buttons: buttonsOf(of('BUTTONS')?.buttons),
    ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
    examples,
  };
}

/** WhatsApp writes the texts of an authentication template, and refuses other ones. */
function readAuthentication(of: (type: string) => Part): Components {
  const [body, footer, button] = [of('BODY'), of('FOOTER'), otpButtonOf(of('BUTTONS')?.buttons)];
  if (of('HEADER')) throw new CloudError(100, 'header: not allowed in this category.', HEADER_FORM);
  if (!body || body.text !== undefined || body.example !== undefined)
    throw new CloudError(100, 'body: text is not allowed in this category.', BODY_FORM);
  const minutes = footer?.code_expiration_minutes;
  const isGood =
    Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= CODE_EXPIRATION_MINUTES_MAX;
  if (footer && (footer.text !== undefined || !isGood))
    throw new CloudError(100, 'footer: code_expiration_minutes must be from 1 to 90.', FOOTER_FORM);
  const parts = {
    addSecurityRecommendation: body.add_security_recommendation === true,
    codeExpirationMinutes: footer ? Number(minutes) : null,
  };
  const header = null;
  return { header, ...parts, ...authenticationWords(parts), buttons: [button], examples: [SAMPLE_CODE] };
}

function otpButtonOf(given: unknown): TemplateButton {
  const [button, ...more] = (Array.isArray(given) ? given : []).map(record);
  const type = OTP_TYPES.find((one) => one === text(button?.otp_type)?.toLowerCase());
  if (text(button?.type)?.toUpperCase() !== 'OTP' || !type || more.length > 0)
    throw new CloudError(
      100,
      'buttons: exactly one of type OTP is required in this category.',
      MISSING_FIELDS,
    );
  const label = text(button?.text) ?? 'Copy code';
  checkedLength('buttons', label, LABEL_MAX);
  return { type: 'otp', text: label, otp_type: type };
}

function checkedBody(words: string | null): string {
  if (!words) throw new CloudError(100, 'body: text is required.', MISSING_FIELDS);
  checkedLength('body', words, BODY_MAX);
  if (/^\s*\{\{|\}\}\s*$/.test(words))
    throw new CloudError(100, "Variables can't be at the start or end of the template.", VARIABLE_AT_THE_END);
  return words;
}

function checkedLength(part: string, words: string, max: number): void {
  if (words.length > max) throw new CloudError(100, `${part}: longer than ${max} characters.`, TOO_LONG);
}

function headerOf(part: Record<string, unknown> | null): TemplateHeader | null {
  if (!part) return null;
  const format = text(part.format)?.toLowerCase();
  switch (format) {
    case 'text': {
      const words = text(part.text) ?? '';
      checkedLength('header', words, SHORT_MAX);
      return { format, text: words };
    }
    case 'image':
    case 'video':
    case 'document':
    case 'location':
      return { format };
    default:
      throw new CloudError(100, `header: format ${String(part.format)} is not known.`);
  }
}

function buttonsOf(given: unknown): TemplateButton[] {
  const buttons = (Array.isArray(given) ? given : []).map(record);
  if (buttons.length > BUTTONS_MAX) throw new CloudError(100, `buttons: more than ${BUTTONS_MAX}.`, TOO_LONG);
  return buttons.map((button): TemplateButton => {
    const label = text(button?.text) ?? '';
    checkedLength('buttons', label, LABEL_MAX);
    switch (text(button?.type)?.toUpperCase()) {
      case 'QUICK_REPLY':
        return { type: 'quick_reply', text: label };
      case 'URL':
        return { type: 'url', text: label, url: text(button?.url) ?? '' };
      case 'PHONE_NUMBER':
        return { type: 'phone_number', text: label, phone_number: text(button?.phone_number) ?? '' };
      case 'COPY_CODE':
        return { type: 'copy_code', text: label || 'Copy code' };
      default:
        throw new CloudError(100, `buttons: type ${String(button?.type)} is not known.`);
    }
  });
}

function positionalExamples(part: Record<string, unknown> | null): string[] {
  const rows = record(part?.example)?.body_text;
  const row: unknown = Array.isArray(rows) && Array.isArray(rows[0]) ? rows[0] : rows;
  return (Array.isArray(row) ? row : []).filter((one) => typeof one === 'string');
}

function namedExamples(part: Record<string, unknown> | null): string[] {
  const given = record(part?.example)?.body_text_named_params;
  return (Array.isArray(given) ? given : [])
    .map((one) => text(record(one)?.example))
    .filter((one) => one !== null);
}
