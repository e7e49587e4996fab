import { plainContent, type ShownButton, type ShownContent } from '../chats/chat.words';
import type { SendRequest } from '../exchange/provider-formatter';
import { record, text } from '../http/json.answer';
import type { GupshupNumber } from '../sandbox-options';
import {
  type StoredTemplate,
  type TemplateStore,
  fillIn,
  namedValues,
  variablesOf,
} from '../templates/template.store';
import { GupshupError } from './gupshup.errors';

const TEXT_MAX = 4096;
const CAPTION_MAX = 1024;
const FILE_TYPES = new Set(['image', 'video', 'audio', 'file', 'sticker']);
const DESTINATION_FORMAT = /^[1-9][0-9]{6,14}$/;
const WRONG_COUNT = 132000;
const NO_TEMPLATE = 132001;
const WRONG_HEADER = 132012;

export type SendOutline = Omit<SendRequest, 'laterFailure'>;
type Filled = Pick<SendRequest, 'content' | 'template' | 'laterFailure' | 'fileUrl' | 'fileName'>;

/** What the ledger shows of a form, whatever its outcome. */
export function outlineOf(number: GupshupNumber, form: URLSearchParams, type: string): SendOutline {
  const destination = form.get('destination') ?? '';
  return {
    number,
    phone: DESTINATION_FORMAT.test(destination) ? `+${destination}` : destination,
    input: destination,
    byUserId: false,
    type,
    content: plainContent(''),
    template: null,
    reference: null,
    replyTo: null,
  };
}

export function checkDestination({ input }: SendOutline): void {
  if (!DESTINATION_FORMAT.test(input)) throw new GupshupError(400, 'Invalid Destination');
}

/** A template's form. Gupshup finds errors later, except where it cannot read the form at all. */
export function readTemplateForm(
  number: GupshupNumber,
  form: URLSearchParams,
  templates: TemplateStore,
): Filled {
  const given = jsonField(form, 'template');
  const id = text(given?.id);
  if (!given || id === null) throw new GupshupError(400, 'Invalid template');
  const params = Array.isArray(given.params) ? given.params.map(String) : [];
  const template = templates.byId(number.appId, id);
  if (!template)
    return {
      content: plainContent(''),
      template: { name: id, category: 'utility' },
      laterFailure: NO_TEMPLATE,
    };
  const filled = fillTemplate(template, params, form);
  return { ...filled, template, laterFailure: errorOf(template) ?? filled.laterFailure };
}

function errorOf({ status }: StoredTemplate): number | null {
  switch (status) {
    case 'approved':
      return null;
    case 'paused':
      return 4005;
    case 'disabled':
      return 132016;
    case 'draft':
    case 'pending':
    case 'rejected':
      return NO_TEMPLATE;
  }
}

/** Gupshup's values are one list: the header's, the body's, then the buttons'. */
function fillTemplate(
  template: StoredTemplate,
  params: readonly string[],
  form: URLSearchParams,
): Pick<Filled, 'content' | 'laterFailure'> {
  let left = [...params];
  let missing = false;
  const fill = (words: string): string => {
    const names = variablesOf(words);
    missing ||= left.length < names.length;
    const filled = fillIn(words, namedValues(names, left));
    left = left.slice(names.length);
    return filled;
  };
  const { header } = template;
  const media = header && header.format !== 'text' ? header.format : null;
  const content: ShownContent = {
    header: header?.format === 'text' ? fill(header.text) : null,
    media,
    file: null,
    text: fill(template.body),
    footer: template.footer,
    buttons: template.buttons.map((button, index) =>
      shownButton(button, fill, left, () => (left = left.slice(1)), postbackOf(form, index)),
    ),
  };
  const given = media === null ? null : text(jsonField(form, 'message')?.type);
  if (missing || left.length > 0) return { content, laterFailure: WRONG_COUNT };
  return { content, laterFailure: media !== given ? WRONG_HEADER : null };
}

function shownButton(
  button: StoredTemplate['buttons'][number],
  fill: (words: string) => string,
  left: readonly string[],
  takeOne: () => void,
  postback: string | null,
): ShownButton {
  switch (button.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text: button.text, value: postback };
    case 'url':
      return { type: 'url', text: button.text, value: fill(button.url) };
    case 'phone_number':
      return { type: 'phone_number', text: button.text, value: button.phone_number };
    case 'other':
      return { type: 'other', text: button.text, value: null };
    case 'otp':
      return { type: 'copy_code', text: button.text, value: fill('{{1}}') };
    case 'copy_code': {
      const value = left[0] ?? null;
      takeOne();
      return { type: 'copy_code', text: button.text, value };
    }
  }
}

function postbackOf(form: URLSearchParams, index: number): string | null {
  const list = parsed(form.get('postbackTexts'));
  const found = (Array.isArray(list) ? list : []).map(record).find((one) => one?.index === index);
  return text(found?.text);
}

/** A free-form message's form. */
export function readMessageForm(form: URLSearchParams): Filled & Pick<SendRequest, 'type' | 'replyTo'> {
  const given = jsonField(form, 'message');
  const type = text(given?.type);
  if (!given || type === null) throw new GupshupError(400, 'Invalid message');
  const replyTo = text(record(given.context)?.msgId);
  const read = { type, replyTo, template: null, laterFailure: null, content: freeContent(type, given) };
  if (!FILE_TYPES.has(type)) return read;
  const fileUrl = text(given.url) ?? text(given.originalUrl);
  if (fileUrl === null || !/^https?:\/\//.test(fileUrl) || !URL.canParse(fileUrl))
    throw new GupshupError(400, 'Invalid Media Url');
  const name = type === 'file' ? text(given.filename) : null;
  return { ...read, fileUrl, fileName: name };
}

function freeContent(type: string, given: Record<string, unknown>): ShownContent {
  switch (type) {
    case 'text': {
      const words = text(given.text) ?? '';
      if (words === '' || words.length > TEXT_MAX) throw new GupshupError(400, 'Invalid message text');
      return plainContent(words);
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
    case 'sticker': {
      const caption = text(given.caption) ?? '';
      if (caption.length > CAPTION_MAX) throw new GupshupError(400, 'Invalid caption');
      return plainContent(caption, type);
    }
    case 'location':
      return plainContent(text(given.name) ?? '', type);
    case 'reaction':
      return plainContent(text(given.emoji) ?? '');
    case 'quick_reply': {
      const content = record(given.content);
      const options = Array.isArray(given.options) ? given.options.map(record) : [];
      return {
        header: text(content?.header),
        media: null,
        file: null,
        text: text(content?.text) ?? '',
        footer: text(content?.caption),
        buttons: options.map((option) => ({
          type: 'quick_reply',
          text: text(option?.title) ?? '',
          value: text(option?.postbackText),
        })),
      };
    }
    case 'list':
      return plainContent(text(given.body) ?? '');
    default:
      throw new GupshupError(400, 'Invalid message type');
  }
}

const jsonField = (form: URLSearchParams, field: string): Record<string, unknown> | null =>
  record(parsed(form.get(field)));

function parsed(json: string | null): unknown {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
