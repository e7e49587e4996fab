import { randomUUID } from 'node:crypto';
import type { Chat, ChatMessage, SentMessage } from '../chats/chat.words';
import { secondsOf } from '../chats/whatsapp-ids';
import type {
  InboundDetails,
  InboundFile,
  ProviderFormatter,
  SendRequest,
  ReportedState,
} from '../exchange/provider-formatter';
import type { StoredFile, FileStore } from '../files/file.store';
import type { Answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic-acts';
import type { SandboxNumber } from '../sandbox-options';
import type { StoredTemplate } from '../templates/template.store';
import { asciiJson, type Webhook, type WebhookQueue } from '../webhooks/webhook-queue';
import { isOwnCode, reasonOf } from './gupshup.errors';

const MEDIA_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * Countries whose calling code has one digit. For all others the first two digits are given, which is enough for a
 * stand-in.
 */
const ONE_DIGIT = /^[17]/;

/** The payload of a `message` event. */
function inboundPayload(
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

export interface GupshupEvent {
  app: string;
  timestamp: number;
  version: 2;
  type: 'message' | 'message-event' | 'template-event' | 'preference-event';
  payload: object;
}

/** Gupshup's side: its answers, and its events of version 2. */
export class GupshupFormatter implements ProviderFormatter {
  constructor(
    private readonly queueOf: (source: string) => WebhookQueue<GupshupEvent> | null,
    private readonly files: FileStore,
  ) {}

  newProviderId(): string {
    return randomUUID();
  }

  /** Gupshup's documentation has both statuses, and both types of content. */
  accepted(sent: SentMessage, { template }: SendRequest): Answer {
    const body = { status: 'submitted', messageId: sent.gupshupId };
    if (template) return { status: 202, body };
    return { status: 200, body, headers: { 'content-type': 'text/html; charset=utf-8' } };
  }

  acceptedWithoutId(): Answer {
    return { status: 202, body: { status: 'submitted' } };
  }

  refused({ httpStatus, message, retryAfterSeconds }: Refusal): Answer {
    const seconds = String(retryAfterSeconds);
    return {
      status: httpStatus,
      body: { status: 'error', message },
      headers:
        retryAfterSeconds === undefined
          ? {}
          : { 'retry-after': seconds, 'x-rate-limit-retry-after-seconds': seconds },
    };
  }

  reportState(sent: SentMessage, reported: ReportedState): void {
    const { number } = sent.chat;
    this.tell(number, 'message-event', statePayload(sent, reported));
  }

  async reportStateNow(sent: SentMessage, reported: ReportedState): Promise<void> {
    const { number } = sent.chat;
    await this.queueOf(number.sender)?.sendNow(
      eventOf(number, 'message-event', statePayload(sent, reported)),
    );
  }

  reportMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): void {
    const urlOf = (file: StoredFile): string => this.files.gupshupUrl(file);
    this.tell(chat.number, 'message', inboundPayload(chat, message, inbound, urlOf));
  }

  reportPreference({ number, waId }: Chat, value: 'stop' | 'resume'): void {
    const preference = {
      wa_id: waId,
      category: 'marketing_messages',
      value,
      detail: `User requested to ${value} marketing messages`,
      timestamp: secondsOf(Date.now()),
    };
    const payload = { type: 'user_preferences', payload: { user_preferences: [preference] } };
    this.tell(number, 'preference-event', payload);
  }

  /** @param numbers those of the app that the template belongs to. */
  reportTemplate(
    { providerId, name, language, status, reason }: StoredTemplate,
    numbers: readonly SandboxNumber[],
  ) {
    const payload = {
      type: 'status-update',
      id: providerId,
      status,
      elementName: name,
      languageCode: language,
      ...(reason === null ? {} : { rejectedReason: reason }),
    };
    for (const number of numbers) this.tell(number, 'template-event', payload);
  }

  private tell(number: SandboxNumber, type: GupshupEvent['type'], payload: object): void {
    this.queueOf(number.sender)?.push(eventOf(number, type, payload));
  }
}

/** One event in each body, unsigned. */
export const composeGupshupWebhook = ([event]: readonly GupshupEvent[]): Webhook => ({
  body: asciiJson(event),
  headers: {},
});

const eventOf = (number: SandboxNumber, type: GupshupEvent['type'], payload: object): GupshupEvent => ({
  app: number.channel === 'waba' ? number.appName : '',
  timestamp: Date.now(),
  version: 2,
  type,
  payload,
});

/** Which field holds the id of the send's answer depends on the source: Gupshup itself, or WhatsApp through it. */
function statePayload(sent: SentMessage, { state, code }: ReportedState): object {
  const destination = sent.chat.waId;
  const gupshup = { id: sent.gupshupId, type: state, destination };
  const whatsapp = { id: sent.id, gsId: sent.gupshupId, type: state, destination };
  const ts = secondsOf(Date.now());
  const pricing = {
    policy: 'PMP',
    category: sent.category,
    type: sent.category === 'service' ? 'free_customer_service' : 'regular',
  };
  switch (state) {
    case 'enqueued': {
      const type = sent.type === 'template' ? 'template' : 'session';
      return { ...gupshup, payload: { whatsappMessageId: sent.id, type } };
    }
    case 'failed': {
      const payload = { code: code ?? 500, reason: reasonOf(code ?? 500) };
      return { ...(isOwnCode(payload.code) ? gupshup : whatsapp), payload };
    }
    case 'sent':
      return { ...whatsapp, payload: { ts }, pricing };
    case 'delivered':
    case 'read':
      return { ...whatsapp, payload: { ts } };
  }
}
