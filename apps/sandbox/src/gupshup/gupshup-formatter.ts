import { randomUUID } from 'node:crypto';
import type { Chat, ChatMessage, SentMessage } from '../chats/chat.words';
import { secondsOf } from '../chats/whatsapp-ids';
import type {
  InboundDetails,
  ProviderFormatter,
  SendRequest,
  ReportedState,
} from '../exchange/provider-formatter';
import type { FileStore, StoredFile } from '../files/file.store';
import type { Answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic-acts';
import type { SandboxNumber } from '../sandbox-options';
import type { StoredTemplate } from '../templates/template.store';
import { asciiJson } from '../webhooks/ascii-json';
import type { Webhook, WebhookQueue } from '../webhooks/webhook-queue';
import { isOwnCode, reasonOf } from './gupshup.errors';
import { inboundPayload } from './inbound-payload';

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
