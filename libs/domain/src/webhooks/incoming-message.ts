import { randomUUIDv7 } from 'node:crypto';
import { isAudio, MEDIA_KINDS, type MediaKind } from '@app/contracts/media.words';
import { descriptions } from '@app/contracts/message-content';
import { QUIET_TYPES, type Channel } from '@app/contracts/message.words';
import { contactOf } from '@app/contracts/values/phone.words';
import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import type {
  IncomingMessage,
  IncomingFile,
  ThreadAddress,
} from '@app/persistence/messages/incoming/incoming.repository';
import { fileNameOf } from '../media/upload.rules';
import { contentOf } from '../messages/dialog/message.presenter';
import type { ContactAddress, CustomerMessage } from './provider-events';

/**
 * The customer's address for finding a dialog: the phone, else the user id.
 * @throws Error where neither is given.
 */
export function threadAddressOf({
  phone,
  userId,
  waId,
  name,
  username = null,
}: ContactAddress): ThreadAddress {
  const contact = phone === null ? userId : contactOf(phone);
  if (contact === null) throw new Error('It names neither a phone nor a user id.');
  return { contact, phone, userId, waId, name: name?.trim() || null, username };
}

/** A longer one is none that a provider gives. */
const REFERENCE_LENGTH_MAX = 4_096;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * The file of a message that came in; null where it has none.
 * @param type of the message
 * @param media of its content, by a reader of webhooks
 * @param channel by which it came: Meta gives files by their id, Gupshup by their address, whichever else there is
 */
function incomingFile(type: string, media: unknown, channel: Channel): IncomingFile | null {
  const of = MEDIA_KINDS.find((kind) => kind === type);
  if (!of || typeof media !== 'object' || media === null) return null;
  const given: Record<string, unknown> = { ...media };
  const [id, url] = [textOf(given.id), textOf(given.url)];
  const reference = channel === 'waba' ? (url ?? id) : (id ?? url);
  if (reference === null || reference.length > REFERENCE_LENGTH_MAX) return null;
  const kind: MediaKind = of === 'audio' && given.voice === true ? 'voice' : of;
  return {
    id: randomUUIDv7(),
    kind,
    mime_type: textOf(given.mime_type),
    file_name: fileNameOf(textOf(given.filename)),
    provider_ref: reference,
  };
}

/** They are stored, but need no answer. */
const QUIET: ReadonlySet<string> = new Set(QUIET_TYPES);

/**
 * A message as it is stored, with the customer of its dialog.
 * @param transcribes whether what is said in it is written down
 */
export function incomingMessage(
  { messageId, sentAt, body }: Pick<CustomerMessage, 'messageId' | 'sentAt' | 'body'>,
  customer: ContactAddress,
  arrival: Arrival,
  channel: Channel,
  transcribes = false,
): IncomingMessage {
  const { type, text, content } = body;
  // The content of a reaction may be unreadable, but it is known to be a reaction.
  const kind = type === 'unsupported' ? String(content.unsupported_type) : type;
  const file = incomingFile(type, content.media, channel);
  return {
    address: threadAddressOf(customer),
    providerId: messageId,
    type,
    text,
    content,
    lines: descriptions({ type, text, content: contentOf({ type, text, content }) }),
    file: file && { ...file, ...(transcribes && isAudio(file.kind) && { is_transcribed: true }) },
    sentAt,
    arrival,
    quiet: QUIET.has(kind),
  };
}
