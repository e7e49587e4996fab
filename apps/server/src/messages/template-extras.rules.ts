import type { FieldFault } from '@app/contracts/coded.error';
import type { TemplateButtonValue, TemplateContent } from '@app/domain/messages/message-sender.port';

type Header = NonNullable<TemplateContent['header']>;
type Plain = Record<string, unknown>;

const TEXT_LENGTH_MAX = 2_000;
const BUTTONS_MAX = 10;
const MEDIA = ['image', 'video', 'document'] as const;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX;

const isAbsentOrText = (value: unknown): value is string | undefined => value === undefined || isText(value);

const isWebAddress = (value: unknown): value is string => isText(value) && /^https?:\/\//.test(value);

const fault = (path: string, message: string): FieldFault => ({ path, message });
const NEEDED = `must be a non-empty string of at most ${TEXT_LENGTH_MAX} characters`;

/** What is wrong with a header of a recipient. */
export function headerFaults(header: Plain | undefined): FieldFault[] {
  if (header === undefined) return [];
  const { type } = header;
  if (type === 'text') return isText(header.text) ? [] : [fault('header.text', NEEDED)];
  if (type === 'location') {
    return ['latitude', 'longitude', 'name', 'address'].flatMap((field, index) =>
      (index < 2 ? isText(header[field]) : isAbsentOrText(header[field]))
        ? []
        : [fault(`header.${field}`, NEEDED)],
    );
  }
  if (!MEDIA.some((known) => known === type)) {
    return [fault('header.type', 'must be one of text, image, video, document, location')];
  }
  const faults: FieldFault[] = [];
  if ((header.link === undefined) === (header.id === undefined)) {
    faults.push(fault('header', 'give exactly one of link and id'));
  } else if (header.link !== undefined && !isWebAddress(header.link)) {
    faults.push(fault('header.link', 'must be a public http or https address'));
  } else if (header.id !== undefined && !isText(header.id)) faults.push(fault('header.id', NEEDED));
  if (!isAbsentOrText(header.filename)) faults.push(fault('header.filename', NEEDED));
  return faults;
}

/** Which field holds the value of each kind of button. */
const BUTTON_VALUE: Record<TemplateButtonValue['type'], string> = {
  url: 'text',
  quick_reply: 'payload',
  copy_code: 'code',
};

/** What is wrong with the buttons of a recipient. */
export function buttonFaults(buttons: readonly unknown[] | undefined): FieldFault[] {
  return (buttons ?? []).flatMap((button, n) => {
    const path = `buttons[${n}]`;
    if (typeof button !== 'object' || button === null || Array.isArray(button)) {
      return [fault(path, 'must be an object')];
    }
    const { type, index } = button as Plain;
    if (typeof type !== 'string' || !Object.hasOwn(BUTTON_VALUE, type)) {
      return [fault(`${path}.type`, 'must be one of url, quick_reply, copy_code')];
    }
    const faults: FieldFault[] = [];
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= BUTTONS_MAX) {
      faults.push(fault(`${path}.index`, `must be a whole number from 0 to ${BUTTONS_MAX - 1}`));
    }
    const field = BUTTON_VALUE[type as TemplateButtonValue['type']];
    if (!isText((button as Plain)[field])) faults.push(fault(`${path}.${field}`, NEEDED));
    return faults;
  });
}

/** The header as it is sent; what was not asked for stays behind. */
export function toHeader(header: Plain): Header {
  const { type, text, latitude, longitude, name, address, link, id, filename } = header as Record<
    string,
    string
  >;
  if (type === 'text') return { type, text: text ?? '' };
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
