import { createHmac } from 'node:crypto';
import type { Chat, ChatMessage, SentMessage } from '../chats/chat.words';
import { digitsOf, secondsOf } from '../chats/whatsapp-ids';
import type {
  InboundDetails,
  InboundFile,
  ProviderFormatter,
  SendRequest,
  ReportedState,
} from '../exchange/provider-formatter';
import type { Answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic-acts';
import type { SandboxNumber } from '../sandbox-options';
import type { StoredTemplate } from '../templates/template.store';
import { asciiJson, type Webhook, type WebhookQueue } from '../webhooks/webhook-queue';
import { laterError, refusalAnswer } from './cloud.errors';

/** A customer's message as the webhook field `messages` carries it. */
function inboundMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): object {
  const business = digitsOf(chat.number.displayPhone);
  return {
    ...(inbound.withoutPhone ? {} : { from: chat.waId }),
    from_user_id: chat.userId,
    id: message.id,
    timestamp: String(secondsOf(message.at)),
    ...(message.replyTo === null ? {} : { context: { from: business, id: message.replyTo } }),
    ...payloadOf(chat, message, inbound),
  };
}

function payloadOf(chat: Chat, message: ChatMessage, inbound: InboundDetails): Record<string, unknown> {
  const { button, location, reaction, file, payload } = inbound;
  if (button?.ofTemplate) return { type: 'button', button: { payload: button.payload, text: button.text } };
  if (button)
    return {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: button.payload, title: button.text } },
    };
  if (inbound.sharesPhone) return { type: 'contacts', contacts: [contactCardOf(chat)] };
  if (location) return { type: 'location', location };
  if (reaction)
    return { type: 'reaction', reaction: { message_id: reaction.message.id, emoji: reaction.emoji } };
  if (file) return fileOf(file);
  if (payload) return payload;
  return { type: 'text', text: { body: message.content.text } };
}

/** What a tap on the button of a request for the phone tells. */
const contactCardOf = ({ name, phone, waId }: Chat): object => ({
  origin: 'contact_request',
  name: { formatted_name: name ?? phone },
  phones: [{ phone, wa_id: waId, type: 'CELL' }],
});

/** A voice message is an audio file with a mark. */
function fileOf({ kind, caption, file }: InboundFile): Record<string, unknown> {
  const type = kind === 'voice' ? 'audio' : kind;
  const hash = file.act === 'wrong-hash' ? Buffer.alloc(file.sha256.length, 1) : file.sha256;
  const payload = {
    ...(caption === '' ? {} : { caption }),
    ...(kind === 'document' && file.name !== null ? { filename: file.name } : {}),
    mime_type: file.mimeType,
    sha256: hash.toString('base64'),
    id: file.id,
    ...(type === 'audio' ? { voice: kind === 'voice' } : {}),
    ...(kind === 'sticker' ? { animated: false } : {}),
  };
  return { type, [type]: payload };
}

/** What was written in the phone's own app, as the webhook field `smb_message_echoes` carries it. */
const echoOf = (chat: Chat, message: ChatMessage): object => ({
  from: digitsOf(chat.number.displayPhone),
  to: chat.waId,
  to_user_id: chat.userId,
  id: message.id,
  timestamp: String(secondsOf(message.at)),
  type: 'text',
  text: { body: message.content.text },
});

/** One item to report: a status, which may share a change with others of its number, or a change by itself. */
export type CloudItem =
  | { kind: 'status'; number: SandboxNumber; contact: object | null; status: object }
  | { kind: 'change'; businessId: string; time: boolean; change: { field: string; value: object } };

/** Meta's side of the Cloud API: its answers and its webhooks. */
export class CloudFormatter implements ProviderFormatter {
  constructor(private readonly queue: WebhookQueue<CloudItem>) {}

  newProviderId(): null {
    return null;
  }

  accepted(sent: SentMessage, { input, byUserId, template }: SendRequest): Answer {
    const { waId, userId } = sent.chat;
    const contact = byUserId ? { input, user_id: userId } : { input, wa_id: waId };
    const message = template ? { id: sent.id, message_status: 'accepted' } : { id: sent.id };
    return {
      status: 200,
      body: { messaging_product: 'whatsapp', contacts: [contact], messages: [message] },
    };
  }

  acceptedWithoutId(): Answer {
    return { status: 200, body: { messaging_product: 'whatsapp', contacts: [], messages: [] } };
  }

  refused(refusal: Refusal): Answer {
    return refusalAnswer(refusal);
  }

  reportState(sent: SentMessage, reported: ReportedState): void {
    this.queue.push(statusItem(sent, reported));
  }

  reportStateNow(sent: SentMessage, reported: ReportedState): Promise<void> {
    return this.queue.sendNow(statusItem(sent, reported));
  }

  reportMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): void {
    const value = {
      contacts: [contactOf(chat, inbound.withoutPhone)],
      messages: [inboundMessage(chat, message, inbound)],
    };
    // Whoever does not conduct a conversation hears of it on standby (Meta: standby).
    if (chat.elsewhere) this.reportChange(chat.number, 'standby', { standby: value });
    else this.reportChange(chat.number, 'messages', value);
  }

  /** What the AI that conducts a conversation writes. */
  reportStandbyEcho(chat: Chat, { id, at, content }: ChatMessage): void {
    const message = {
      to: chat.waId,
      recipient_type: 'individual',
      type: 'text',
      text: { body: content.text },
    };
    const echo = { id, timestamp: String(secondsOf(at)), message };
    this.reportChange(chat.number, 'standby', { standby: { message_echoes: [echo] } });
  }

  /** Who conducts a conversation from now on (Meta: messaging_handovers). */
  reportHandover({ number, waId, userId, elsewhere }: Chat): void {
    const [us, ai] = ['escalation', 'ai_agent'];
    const type = elsewhere ? 'control_taken' : 'control_passed';
    const value = {
      messaging_product: 'whatsapp',
      recipient: { display_phone_number: digitsOf(number.displayPhone), phone_number_id: number.sender },
      sender: { phone_number: waId, user_id: userId },
      timestamp: String(secondsOf(Date.now())),
      type,
      [type]: elsewhere
        ? { previous_owner_role: us, new_owner_role: ai }
        : { previous_owner_role: ai, new_owner_role: us },
    };
    const change = { field: 'messaging_handovers', value };
    this.queue.push({ kind: 'change', businessId: businessOf(number), time: false, change });
  }

  reportEcho(chat: Chat, message: ChatMessage): void {
    this.reportChange(chat.number, 'smb_message_echoes', { message_echoes: [echoOf(chat, message)] });
  }

  /** The end of a call that nobody took. */
  reportMissedCall(chat: Chat, id: string): void {
    const [from, to] = [chat.waId, digitsOf(chat.number.displayPhone)];
    const timestamp = String(secondsOf(Date.now()));
    this.reportChange(chat.number, 'calls', {
      contacts: [contactOf(chat)],
      calls: [
        {
          ...{ id, from, from_user_id: chat.userId, to, timestamp },
          ...{ event: 'terminate', direction: 'USER_INITIATED', status: 'FAILED' },
        },
      ],
    });
  }

  reportPreference(chat: Chat, value: 'stop' | 'resume'): void {
    const { waId, userId } = chat;
    this.reportChange(chat.number, 'user_preferences', {
      contacts: [{ wa_id: waId, user_id: userId }],
      user_preferences: [
        {
          wa_id: waId,
          user_id: userId,
          detail: `User requested to ${value} marketing messages`,
          category: 'marketing_messages',
          value,
          timestamp: secondsOf(Date.now()),
        },
      ],
    });
  }

  reportTemplate(template: StoredTemplate): void {
    const value = {
      event: template.status.toUpperCase(),
      message_template_id: Number(template.providerId),
      message_template_name: template.name,
      message_template_language: template.language,
      message_template_category: template.category.toUpperCase(),
      reason: template.reason ?? 'NONE',
    };
    const change = { field: 'message_template_status_update', value };
    this.queue.push({ kind: 'change', businessId: template.owner, time: true, change });
  }

  private reportChange(number: SandboxNumber, field: string, value: object): void {
    const change = {
      field,
      value: { messaging_product: 'whatsapp', metadata: metadataOf(number), ...value },
    };
    this.queue.push({ kind: 'change', businessId: businessOf(number), time: false, change });
  }
}

/** Puts items into one body, the statuses of one number into one change, and signs the bytes. */
export function composeCloudWebhook(items: readonly CloudItem[], appSecret: string): Webhook {
  const entries = new Map<string, { id: string; time?: number; changes: object[] }>();
  const statuses = new Map<string, { contacts?: object[]; statuses: object[] }>();
  for (const item of items) {
    const id = item.kind === 'status' ? businessOf(item.number) : item.businessId;
    let entry = entries.get(id);
    if (!entry) entries.set(id, (entry = { id, changes: [] }));
    if (item.kind === 'change') {
      if (item.time) entry.time = secondsOf(Date.now());
      entry.changes.push(item.change);
      continue;
    }
    let together = statuses.get(item.number.sender);
    if (!together) {
      const value = { messaging_product: 'whatsapp', metadata: metadataOf(item.number), statuses: [] };
      statuses.set(item.number.sender, (together = value));
      entry.changes.push({ field: 'messages', value });
    }
    if (item.contact) (together.contacts ??= []).push(item.contact);
    together.statuses.push(item.status);
  }
  const body = asciiJson({ object: 'whatsapp_business_account', entry: [...entries.values()] });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return { body, headers: { 'x-hub-signature-256': `sha256=${signature}` } };
}

function statusItem(sent: SentMessage, { state, code }: ReportedState): CloudItem {
  const { chat, category, reference } = sent;
  const failed = state === 'failed';
  const billed = state === 'sent' || state === 'delivered';
  const free = category === 'service';
  const status = {
    id: sent.id,
    status: state,
    timestamp: String(secondsOf(Date.now())),
    recipient_id: chat.waId,
    ...(failed ? {} : { recipient_user_id: chat.userId }),
    ...(reference === null ? {} : { biz_opaque_callback_data: reference }),
    ...(billed
      ? {
          pricing: {
            billable: !free,
            pricing_model: 'PMP',
            type: free ? 'free_customer_service' : 'regular',
            category,
          },
        }
      : {}),
    ...(code === null ? {} : { errors: [laterError(code)] }),
  };
  return { kind: 'status', number: chat.number, contact: failed ? null : contactOf(chat), status };
}

const businessOf = (number: SandboxNumber): string =>
  number.channel === 'waba_coexistence' ? number.businessId : '';

const metadataOf = ({ displayPhone, sender }: SandboxNumber): object => ({
  display_phone_number: digitsOf(displayPhone),
  phone_number_id: sender,
});

const contactOf = ({ name, username, waId, userId }: Chat, withoutPhone = false): object => ({
  ...(name === null && username === null
    ? {}
    : { profile: { name, ...(username !== null && { username }) } }),
  ...(withoutPhone ? {} : { wa_id: waId }),
  user_id: userId,
});
