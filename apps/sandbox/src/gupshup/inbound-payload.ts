import type { Chat, ChatMessage, SentMessage } from '../chats/chat.words';
import type { InboundDetails, InboundFile } from '../exchange/provider-formatter';
import type { StoredFile } from '../files/file.store';

const MEDIA_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * Countries whose calling code has one digit. For all others the first two digits are given, which is enough for a
 * stand-in.
 */
const ONE_DIGIT = /^[17]/;

/** The payload of a `message` event. */
export function inboundPayload(
  chat: Chat,
  message: ChatMessage,
  inbound: InboundDetails,
  urlOf: (file: StoredFile) => string,
): object {
  const phone = chat.waId;
  const code = phone.slice(0, ONE_DIGIT.test(phone) ? 1 : 2);
  const name = chat.name ?? phone;
  const sender = inbound.withoutPhone
    ? { phone: '', name, userId: chat.userId }
    : { phone, name, country_code: code, dial_code: phone.slice(code.length) };
  const context = contextOf(chat, message);
  return {
    id: message.id,
    source: inbound.withoutPhone ? '' : phone,
    ...contentOf(message, inbound, urlOf),
    sender,
    ...(context ? { context } : {}),
  };
}

function contextOf(chat: Chat, { replyTo }: ChatMessage): object | null {
  if (replyTo === null) return null;
  const answered = chat.messages.find(({ id }) => id === replyTo);
  return { id: replyTo, gsId: gupshupIdOf(answered), forwarded: false, frequently_forwarded: false };
}

function contentOf(
  message: ChatMessage,
  inbound: InboundDetails,
  urlOf: (file: StoredFile) => string,
): object {
  const { button, location, reaction, file, payload } = inbound;
  if (button?.ofTemplate)
    return {
      type: 'quick_reply',
      payload: { text: button.text, type: 'button', postbackText: button.payload },
    };
  if (button)
    return {
      type: 'button_reply',
      payload: { title: button.text, id: '', reply: `${button.text} 1`, postbackText: button.payload },
    };
  if (location)
    return {
      type: 'location',
      payload: {
        ...location,
        latitude: String(location.latitude),
        longitude: String(location.longitude),
      },
    };
  if (reaction) {
    const { emoji, message: answered } = reaction;
    return { type: 'reaction', payload: { emoji, id: answered.id, gsId: gupshupIdOf(answered) } };
  }
  if (file) return fileOf(file, urlOf(file.file));
  if (payload) return payload;
  return { type: 'text', payload: { text: message.content.text } };
}

/** Gupshup calls a document a file, and a voice message is an audio file by its content type. */
function fileOf({ kind, caption, file }: InboundFile, url: string): { type: string; payload: object } {
  const type = kind === 'document' ? 'file' : kind === 'voice' ? 'audio' : kind;
  const payload = {
    url,
    contentType: file.mimeType,
    urlExpiry: file.at + MEDIA_LIFETIME_MS,
    ...(kind === 'document' && file.name !== null ? { name: file.name, filename: file.name } : {}),
    ...(caption === '' ? {} : { caption }),
  };
  return { type, payload };
}

const gupshupIdOf = (message: ChatMessage | undefined): string =>
  (message && 'gupshupId' in message ? (message as SentMessage).gupshupId : null) ?? '';
