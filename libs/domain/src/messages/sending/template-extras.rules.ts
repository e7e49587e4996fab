import type { FieldViolation } from '@app/contracts/coded.errors';
import type { TemplateButtonValue, TemplateContent } from '../dispatch/message-sender.port';

type Header = NonNullable<TemplateContent['header']>;
type Plain = Record<string, unknown>;

const BUTTONS_MAX = 10;
const MEDIA = ['image', 'video', 'document'] as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAbsentOrText = (value: unknown): value is string | undefined => value === undefined || isText(value);

const isWebAddress = (value: unknown): value is string => isText(value) && /^https?:\/\//.test(value);

const violation = (path: string, message: string): FieldViolation => ({ path, message });
const NEEDED = 'must be a non-empty string';

/** Violations of a recipient's header. */
export function headerViolations(header: Plain | undefined): FieldViolation[] {
  if (header === undefined) return [];
  const { type } = header;
  if (type === 'text') {
    return [
      ...(isText(header.text) ? [] : [violation('header.text', NEEDED)]),
      ...(isAbsentOrText(header.name) ? [] : [violation('header.name', NEEDED)]),
    ];
  }
  if (type === 'location') {
    return ['latitude', 'longitude', 'name', 'address'].flatMap((field, index) =>
      (index < 2 ? isText(header[field]) : isAbsentOrText(header[field]))
        ? []
        : [violation(`header.${field}`, NEEDED)],
    );
  }
  if (!MEDIA.some((known) => known === type)) {
    return [violation('header.type', 'must be one of text, image, video, document, location')];
  }
  const violations: FieldViolation[] = [];
  if ((header.link === undefined) === (header.id === undefined)) {
    violations.push(violation('header', 'give exactly one of link and id'));
  } else if (header.link !== undefined && !isWebAddress(header.link)) {
    violations.push(violation('header.link', 'must be a public http or https address'));
  } else if (header.id !== undefined && !isText(header.id)) violations.push(violation('header.id', NEEDED));
  if (!isAbsentOrText(header.filename)) violations.push(violation('header.filename', NEEDED));
  return violations;
}

/** The field that holds the value of each kind of button. */
const BUTTON_VALUE: Record<TemplateButtonValue['type'], string> = {
  url: 'text',
  quick_reply: 'payload',
  copy_code: 'code',
};

/** Violations of a recipient's buttons. */
export function buttonViolations(buttons: readonly unknown[] | undefined): FieldViolation[] {
  return (buttons ?? []).flatMap((button, n) => {
    const path = `buttons[${n}]`;
    if (typeof button !== 'object' || button === null || Array.isArray(button)) {
      return [violation(path, 'must be an object')];
    }
    const { type, index } = button as Plain;
    if (typeof type !== 'string' || !Object.hasOwn(BUTTON_VALUE, type)) {
      return [violation(`${path}.type`, 'must be one of url, quick_reply, copy_code')];
    }
    const violations: FieldViolation[] = [];
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= BUTTONS_MAX) {
      violations.push(violation(`${path}.index`, `must be a whole number from 0 to ${BUTTONS_MAX - 1}`));
    }
    const field = BUTTON_VALUE[type as TemplateButtonValue['type']];
    if (!isText((button as Plain)[field])) violations.push(violation(`${path}.${field}`, NEEDED));
    return violations;
  });
}

/** The header as it is sent. Fields without a meaning there are left out. */
export function toHeader(header: Plain): Header {
  const { type, text, latitude, longitude, name, address, link, id, filename } = header as Record<
    string,
    string
  >;
  if (type === 'text') return { type, text: text ?? '', ...(name !== undefined && { name }) };
  if (type === 'location') {
    return {
      type,
      latitude: latitude ?? '',
      longitude: longitude ?? '',
      ...(name !== undefined && { name }),
      ...(address !== undefined && { address }),
    };
  }
  const named = filename === undefined ? {} : { filename };
  const media = link === undefined ? { id: id ?? '', ...named } : { link, ...named };
  return { type: type as 'image' | 'video' | 'document', media };
}

/** The buttons' values as they are sent. */
export function toButtons(buttons: readonly Plain[]): TemplateButtonValue[] {
  return buttons.map((button) => {
    const { type, index, text, payload, code } = button as Plain & Record<string, string>;
    const place = Number(index);
    if (type === 'url') return { type, index: place, text: text ?? '' };
    if (type === 'quick_reply') return { type, index: place, payload: payload ?? '' };
    return { type: 'copy_code', index: place, code: code ?? '' };
  });
}
