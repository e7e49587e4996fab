import type { ChatBook } from '../chats/chat-book';
import { plainContent, type ShownContent } from '../chats/chat.words';
import { readPhone } from '../chats/whatsapp-ids';
import { kindOfType } from '../files/file-kinds';
import { shownFile, type FileStore } from '../files/file.store';
import type { SendRequest } from '../exchange/provider-formatter';
import { record, text } from '../http/json.answer';
import type { CloudNumber } from '../sandbox-options';
import type { TemplateStore } from '../templates/template.store';
import { CloudError } from './cloud.errors';
import { fillTemplate } from './template-values';

const TEXT_MAX = 4096;
const CAPTION_MAX = 1024;
const UNSUPPORTED_FILE = 131053;
const REFERENCE_MAX = 512;
const TYPES = [
  'text',
  'template',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
] as const;
type Type = (typeof TYPES)[number];

const FILE_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const;
type FileType = (typeof FILE_TYPES)[number];
const isFileType = (type: Type): type is FileType => FILE_TYPES.some((one) => one === type);

/** What the ledger shows of a request whose other fields cannot be read. */
export type SendOutline = Omit<SendRequest, 'laterFailure'>;

/**
 * Reads the body of a request to send. The outline is filled as far as reading gets, even when it then ends in an
 * error.
 */
export class SendBodyReader {
  constructor(
    private readonly book: ChatBook,
    private readonly templates: TemplateStore,
    private readonly files: FileStore,
  ) {}

  outline(number: CloudNumber, body: Record<string, unknown>): SendOutline {
    const input = text(body.to) ?? text(body.recipient) ?? '';
    const template = text(record(body.template)?.name);
    return {
      number,
      phone: readPhone(input) ?? input,
      input,
      byUserId: false,
      type: text(body.type) ?? 'text',
      content: plainContent(text(record(body.text)?.body) ?? ''),
      template: template === null ? null : { name: template, category: 'utility' },
      reference: text(body.biz_opaque_callback_data),
      replyTo: text(record(body.context)?.message_id),
    };
  }

  read(number: CloudNumber, body: Record<string, unknown>, outline: SendOutline): SendRequest {
    if (body.messaging_product !== 'whatsapp')
      throw new CloudError(100, 'The parameter messaging_product is required.');
    const type = TYPES.find((one) => one === outline.type);
    if (!type) throw new CloudError(100, `Param type must be one of {${TYPES.join(', ').toUpperCase()}}`);
    if (outline.reference !== null && outline.reference.length > REFERENCE_MAX)
      throw new CloudError(
        100,
        `Param biz_opaque_callback_data must be at most ${REFERENCE_MAX} characters long.`,
      );
    const { phone, byUserId } = this.recipient(number, body);
    return { ...outline, laterFailure: null, ...this.content(number, type, body), phone, byUserId, type };
  }

  private recipient(
    number: CloudNumber,
    body: Record<string, unknown>,
  ): { phone: string; byUserId: boolean } {
    const to = text(body.to);
    if (to !== null) {
      const phone = readPhone(to);
      if (phone === null) throw new CloudError(131009, 'Recipient phone number is not valid');
      return { phone, byUserId: false };
    }
    const userId = text(body.recipient);
    if (userId === null) throw new CloudError(100, 'The parameter to is required.');
    const phone = this.book.phoneOf(number, userId);
    if (phone === null) throw new CloudError(131009, 'Recipient is no user id of this business');
    return { phone, byUserId: true };
  }

  private content(
    number: CloudNumber,
    type: Type,
    body: Record<string, unknown>,
  ): Pick<SendRequest, 'content' | 'template'> & Partial<Pick<SendRequest, 'laterFailure'>> {
    if (type === 'template') return this.template(number, record(body.template));
    const given = type === 'contacts' ? { contacts: body.contacts } : record(body[type]);
    if (!given) throw new CloudError(131008, `The parameter ${type} is required`);
    if (isFileType(type)) return { ...this.fileContent(number, type, given), template: null };
    return { content: freeContent(type, given), template: null };
  }

  /** A file that was uploaded is on the phone at once. One with a link is never fetched here. */
  private fileContent(
    { sender }: CloudNumber,
    type: FileType,
    given: Record<string, unknown>,
  ): Pick<SendRequest, 'content' | 'laterFailure'> {
    const caption = text(given.caption);
    if (caption !== null && (type === 'audio' || type === 'sticker'))
      throw new CloudError(100, `Unexpected key "caption" on param "${type}".`);
    if (caption !== null && caption.length > CAPTION_MAX)
      throw new CloudError(
        131009,
        `Param ${type}['caption'] must be at most ${CAPTION_MAX} characters long.`,
      );
    const id = text(given.id);
    if (given.voice !== undefined && (type !== 'audio' || typeof given.voice !== 'boolean'))
      throw new CloudError(100, `Param ${type}['voice'] must be a boolean of audio.`);
    if (id === null && text(given.link) === null)
      throw new CloudError(131008, `${type} needs a link or an id`);
    const shown = type === 'audio' && given.voice === true ? 'voice' : type;
    if (id === null) return { content: plainContent(caption ?? '', shown), laterFailure: null };
    const file = this.files.find(id);
    if (file?.sender !== sender || !file)
      throw new CloudError(
        100,
        `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`,
      );
    const name = type === 'document' ? (text(given.filename) ?? file.name) : null;
    const laterFailure = kindOfType(file.mimeType) === type ? null : UNSUPPORTED_FILE;
    return { content: plainContent(caption ?? '', shown, { ...shownFile(file), name }), laterFailure };
  }

  private template(
    number: CloudNumber,
    given: Record<string, unknown> | null,
  ): Pick<SendRequest, 'content' | 'template'> {
    const name = text(given?.name);
    const language = text(record(given?.language)?.code);
    if (name === null) throw new CloudError(131008, "Required parameter: 'template' ['name'] is missing");
    if (language === null)
      throw new CloudError(131008, "Required parameter: 'template' ['language'] is missing");
    const template = this.templates.byName(number.businessId, name, language);
    switch (template?.status) {
      case 'approved':
        return { content: fillTemplate(template, given?.components), template };
      case 'paused':
        throw new CloudError(132015, `template (${name}) is paused due to low quality`);
      case 'disabled':
        throw new CloudError(132016, `template (${name}) is disabled`);
      default:
        throw new CloudError(132001, `template name (${name}) does not exist in ${language}`);
    }
  }
}

function freeContent(
  type: Exclude<Type, 'template' | FileType>,
  given: Record<string, unknown>,
): ShownContent {
  switch (type) {
    case 'text': {
      const words = text(given.body);
      if (!words) throw new CloudError(131008, "Required parameter: 'text' ['body'] is missing");
      if (words.length > TEXT_MAX)
        throw new CloudError(131009, `Param text['body'] must be at most ${TEXT_MAX} characters long.`);
      return plainContent(words);
    }
    case 'interactive':
      return interactiveContent(given);
    case 'reaction':
      return plainContent(text(given.emoji) ?? '');
    case 'location':
    case 'contacts':
      return plainContent(text(given.name) ?? '', type);
  }
}

/** A request for the customer's phone, which has a button of WhatsApp's own. */
const REQUEST_PHONE = 'request_contact_info';

function interactiveContent(given: Record<string, unknown>): ShownContent {
  const words = text(record(given.body)?.text);
  if (!words) throw new CloudError(131008, "Required parameter: 'interactive' ['body'] is missing");
  const { buttons, name } = record(given.action) ?? {};
  return {
    header: text(record(given.header)?.text),
    media: null,
    file: null,
    text: words,
    footer: text(record(given.footer)?.text),
    buttons:
      given.type === REQUEST_PHONE && name === REQUEST_PHONE
        ? [{ type: 'share_contact', text: 'Share contact info', value: null }]
        : (Array.isArray(buttons) ? buttons : []).map((button) => {
            const reply = record(record(button)?.reply);
            return { type: 'quick_reply', text: text(reply?.title) ?? '', value: text(reply?.id) };
          }),
  };
}
