import {
  authenticationWords,
  TEMPLATE_CATEGORIES,
  type TemplateButton,
  type TemplateHeader,
} from '@app/contracts/template.words';
import { record, text } from '../http/json.answer';
import type { SandboxTemplate } from '../sandbox-options';
import type { StoredTemplate, TemplateEdit } from '../templates/template.store';
import { GupshupError } from './gupshup.errors';

const NAME_FORMAT = /^[a-z0-9_]{1,180}$/;
const CONTENT_MAX = 1028;
const FOOTER_MAX = 60;
const HEADER_FORMATS = ['image', 'video', 'document', 'location'] as const;

/** A template as Gupshup lists it: its content is JSON in a text. */
export function gupshupTemplate(template: StoredTemplate): Record<string, unknown> {
  const { header, buttons, footer, body } = template;
  const meta = {
    data: body,
    ...(header?.format === 'text' ? { header: header.text } : {}),
    ...(footer === null ? {} : { footer }),
    ...(buttons.length > 0 ? { buttons: buttons.map(listedButton) } : {}),
    ...(template.addSecurityRecommendation ? { addSecurityRecommendation: true } : {}),
    ...(template.codeExpirationMinutes === null
      ? {}
      : { codeExpirationMinutes: template.codeExpirationMinutes }),
    sampleText: template.examples.join(', '),
    enableSample: true,
  };
  const labels = buttons.map((button) => `[${button.text}]`).join(' | ');
  return {
    id: template.providerId,
    externalId: digitsFrom(template.providerId),
    appId: template.owner,
    wabaId: digitsFrom(template.owner),
    namespace: 'sandbox',
    elementName: template.name,
    languageCode: template.language,
    languagePolicy: 'deterministic',
    category: template.category.toUpperCase(),
    templateType: header && header.format !== 'text' ? header.format.toUpperCase() : 'TEXT',
    vertical: template.name,
    status: template.status.toUpperCase(),
    ...(template.reason === null ? {} : { reason: template.reason }),
    quality: 'UNKNOWN',
    stage: 'NONE',
    data: labels ? `${body}\n${labels}` : body,
    containerMeta: JSON.stringify(meta),
    meta: JSON.stringify({ example: template.examples.join(', ') }),
    createdOn: template.createdAt,
    modifiedOn: template.changedAt,
  };
}

const listedButton = ({ type, ...rest }: TemplateButton): object => ({ type: type.toUpperCase(), ...rest });

/** Meta's number of a template or account, made from the hexadecimal digits of Gupshup's id. */
const digitsFrom = (id: string): string =>
  String(parseInt(id.replace(/\W/g, '').slice(-12), 16) || 0).padStart(15, '9');

/** A form to apply for a template. */
export function readNewTemplate(
  form: URLSearchParams,
): Omit<SandboxTemplate, 'status' | 'channel' | 'owner' | 'providerId'> & { examples: string[] } {
  const name = form.get('elementName') ?? '';
  if (!NAME_FORMAT.test(name)) throw new GupshupError(400, 'Invalid element name');
  return { name, language: form.get('languageCode') ?? 'en_US', ...readTemplateEdit(form) };
}

/** A form to edit a template. Only these fields may change. */
export function readTemplateEdit(
  form: URLSearchParams,
): Required<Omit<TemplateEdit, 'examples'>> & { examples: string[] } {
  const category = TEMPLATE_CATEGORIES.find((one) => one === form.get('category')?.toLowerCase());
  if (!category) throw new GupshupError(400, 'Invalid category');
  const body = form.get('content') ?? '';
  if (body === '' || body.length > CONTENT_MAX) throw new GupshupError(400, 'Invalid content');
  if (!form.get('example')) throw new GupshupError(400, 'Template example is required');
  const footer = form.get('footer');
  if (footer !== null && footer.length > FOOTER_MAX) throw new GupshupError(400, 'Invalid footer');
  return {
    category,
    header: headerOf(form),
    body,
    footer: footer || null,
    buttons: buttonsOf(form.get('buttons')),
    examples: [form.get('example') ?? ''],
    ...authenticationOf(category, form),
  };
}

/** Of an authentication template, what its footer is made of. */
function authenticationOf(category: StoredTemplate['category'], form: URLSearchParams) {
  const minutes = Number(form.get('codeExpirationMinutes')) || null;
  const parts = {
    addSecurityRecommendation: form.get('addSecurityRecommendation') === 'true',
    codeExpirationMinutes: minutes,
  };
  if (category !== 'authentication') return { addSecurityRecommendation: false, codeExpirationMinutes: null };
  if (!buttonsOf(form.get('buttons')).some(({ type }) => type === 'otp') || form.get('footer'))
    throw new GupshupError(400, 'Invalid authentication template');
  return { ...parts, ...authenticationWords(parts) };
}

function headerOf(form: URLSearchParams): TemplateHeader | null {
  const type = (form.get('templateType') ?? 'TEXT').toLowerCase();
  const format = HEADER_FORMATS.find((one) => one === type);
  if (format) return { format };
  if (type !== 'text') throw new GupshupError(400, 'Invalid template type');
  const words = form.get('header');
  return words ? { format: 'text', text: words } : null;
}

function buttonsOf(json: string | null): TemplateButton[] {
  let list: unknown;
  try {
    list = JSON.parse(json || '[]');
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) throw new GupshupError(400, 'Invalid buttons');
  return list.map(record).map((button): TemplateButton => {
    const label = text(button?.text) ?? '';
    switch (button?.type) {
      case 'QUICK_REPLY':
        return { type: 'quick_reply', text: label };
      case 'URL':
        return { type: 'url', text: label, url: text(button.url) ?? '' };
      case 'PHONE_NUMBER':
        return { type: 'phone_number', text: label, phone_number: text(button.phone_number) ?? '' };
      case 'OTP':
        return { type: 'otp', text: label || 'Copy code', otp_type: 'copy_code' };
      case 'COPY_CODE':
        return { type: 'copy_code', text: label || 'Copy code' };
      default:
        throw new GupshupError(400, 'Invalid buttons');
    }
  });
}
