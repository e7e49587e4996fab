import { plainContent, type Chat, type ChatMessage } from '../chats/chat.words';
import type { ChatBook } from '../chats/chat-book';
import { newWhatsappId, readPhone } from '../chats/whatsapp-ids';
import type { CloudFormatter } from '../cloud/cloud-formatter';
import type { InboundDetails, ProviderFormatter } from '../exchange/provider-formatter';
import { record, text } from '../http/json.answer';
import type { RecalledCustomer, SandboxNumber } from '../sandbox-options';
import { shownFile, type FileStore } from '../files/file.store';
import { readCustomerFile, type CustomerFile, HandsetError } from './customer-file';

const WINDOW_MS = 24 * 60 * 60 * 1000;
const TEXT_MAX = 4096;
const NAME_MAX = 100;

/** The parties of a chat, as every request to the handset names them. */
export interface ChatAddress {
  /** May be left out: senders differ between channels. */
  channel?: string;
  sender: string;
  phone: string;
}

/** What a customer does in a chat. It has exactly one content. */
export interface CustomerAct extends ChatAddress {
  name?: string;
  text?: string;
  /** A tap on a quick reply or on the button of a request for the phone: of a message, by the button's position in it, or made up. */
  button?: { message_id: string; index: number } | { text: string; payload?: string };
  /** A sample picture. */
  image?: { caption?: string };
  file?: CustomerFile;
  location?: { latitude: number; longitude: number; name?: string; address?: string };
  reaction?: { message_id: string; emoji: string };
  /** Any other kind, as its provider has it in a webhook, such as `{ "type": "order", "order": … }`. */
  message?: { type?: unknown };
  reply_to?: string;
  /** The digits by which the messenger knows the phone, from now on. */
  wa_id?: string;
  /** Shown to businesses, from now on. */
  username?: string;
  /** Names the sender by user id only. */
  without_phone?: boolean;
}

/** Plays the customer of any chat, and the operator who writes in the phone's app. */
export class CustomerPhone {
  constructor(
    private readonly numbers: readonly SandboxNumber[],
    private readonly book: ChatBook,
    private readonly files: FileStore,
    private readonly cloud: CloudFormatter,
    private readonly formatterOf: (number: SandboxNumber) => ProviderFormatter,
  ) {}

  /** Sends a message to the business, which opens its 24 hours. */
  write(act: CustomerAct): { id: string } {
    const chat = this.chatOf(act);
    const { type, words, details, replyTo } = this.read(act, chat);
    const name = text(act.name)?.trim().slice(0, NAME_MAX);
    if (name) chat.name = name;
    chat.username = text(act.username) ?? chat.username;
    const waId = text(act.wa_id);
    if (waId !== null) this.book.knowBy(chat, digitsOfCustomer(waId));
    const message = newMessage(chat, 'customer', type, words, replyTo);
    if (details.file) {
      const { kind, file } = details.file;
      message.content = plainContent(words, kind, shownFile(file));
    }
    chat.windowUntil = message.at + WINDOW_MS;
    this.book.add(chat, message);
    if (details.reaction) {
      details.reaction.message.reaction = details.reaction.emoji || null;
      this.book.changed(chat, details.reaction.message);
    }
    this.formatterOf(chat.number).reportMessage(chat, message, details);
    return { id: message.id };
  }

  /** What an operator writes in the phone's app. Only Meta's numbers have one. */
  echo(address: ChatAddress & { text: string }): { id: string } {
    const chat = this.chatOfMeta(address);
    const message = newMessage(chat, 'app', 'text', textOf(address.text), null);
    message.state = 'sent';
    this.book.add(chat, message);
    this.cloud.reportEcho(chat, message);
    return { id: message.id };
  }

  /** Calls, and gives up before anybody takes the call. Only Meta tells of calls. */
  call(address: ChatAddress): { id: string } {
    const chat = this.chatOfMeta(address);
    const id = newWhatsappId(chat.phone, true).replace('wamid', 'wacid');
    chat.windowUntil = Date.now() + WINDOW_MS;
    this.cloud.reportMissedCall(chat, id);
    return { id };
  }

  /** Another AI on the number takes the conversation, or passes it to the business. Only Meta has one. */
  handOver(address: ChatAddress & { to: string }): void {
    const { to } = address;
    if (to !== 'elsewhere' && to !== 'us') throw new HandsetError('to must be elsewhere or us.');
    const chat = this.chatOfMeta(address);
    chat.elsewhere = to === 'elsewhere';
    this.cloud.reportHandover(chat);
  }

  /** What the other AI writes, in a conversation that it conducts. */
  writeElsewhere(address: ChatAddress & { text: string }): { id: string } {
    const chat = this.chatOfMeta(address);
    if (!chat.elsewhere)
      throw new HandsetError('No other AI conducts this conversation: hand it over first.');
    const message = newMessage(chat, 'app', 'text', textOf(address.text), null);
    message.state = 'sent';
    this.book.add(chat, message);
    this.cloud.reportStandbyEcho(chat, message);
    return { id: message.id };
  }

  /** WhatsApp's own control: stop or resume the marketing of this business. */
  prefer(address: ChatAddress & { value: string }): void {
    const { value } = address;
    if (value !== 'stop' && value !== 'resume') throw new HandsetError('value must be stop or resume.');
    const chat = this.chatOf(address);
    chat.stopped = value === 'stop';
    this.formatterOf(chat.number).reportPreference(chat, value);
  }

  /** As if the customer had just written, but nothing is reported. */
  openWindow(address: ChatAddress & { name?: string }): void {
    const chat = this.chatOf(address);
    chat.name = address.name ?? chat.name;
    chat.windowUntil = Date.now() + WINDOW_MS;
  }

  /** Restores what a customer said before this start: the name, and the remainder of the 24 hours. */
  recall({ sender, phone, name, wroteAt }: RecalledCustomer): void {
    const chat = this.chatOf({ sender, phone });
    chat.name = name;
    if (wroteAt !== null) chat.windowUntil = wroteAt + WINDOW_MS;
  }

  chatOf({ channel, sender, phone }: ChatAddress): Chat {
    const number = this.numbers.find(
      (one) => one.sender === sender && (channel === undefined || one.channel === channel),
    );
    if (!number) throw new HandsetError('sender is no number of a business here.');
    const whole = readPhone(text(phone) ?? '');
    if (whole === null) throw new HandsetError('phone must be a phone number with its country code.');
    return this.book.open(number, whole);
  }

  private chatOfMeta(address: ChatAddress): Chat {
    const chat = this.chatOf(address);
    if (chat.number.channel !== 'waba_coexistence')
      throw new HandsetError('Only Meta does that, at numbers of waba_coexistence.');
    return chat;
  }

  private read(
    act: CustomerAct,
    chat: Chat,
  ): { type: string; words: string; details: InboundDetails; replyTo: string | null } {
    const details: InboundDetails = { withoutPhone: act.without_phone === true };
    const replyTo = text(act.reply_to);
    if (act.button) {
      const asking = this.askingFor(act.button, chat);
      if (asking !== null) {
        return {
          type: 'contacts',
          words: chat.phone,
          details: { ...details, sharesPhone: true },
          replyTo: asking,
        };
      }
      const { button, answers } = this.pressed(act.button, chat);
      return {
        type: 'button',
        words: button.text,
        details: { ...details, button },
        replyTo: answers ?? replyTo,
      };
    }
    const given = act.file ?? (act.image && { kind: 'image', caption: act.image.caption });
    if (given) {
      const { kind, caption, file } = readCustomerFile(given);
      const stored = this.files.add({ ...file, sender: chat.number.sender });
      return {
        type: kind,
        words: caption,
        details: { ...details, file: { kind, caption, file: stored } },
        replyTo,
      };
    }
    if (act.location) {
      const { latitude, longitude } = act.location;
      if (typeof latitude !== 'number' || typeof longitude !== 'number')
        throw new HandsetError('location needs latitude and longitude, as numbers.');
      const words = act.location.name ?? `${latitude}, ${longitude}`;
      return { type: 'location', words, details: { ...details, location: act.location }, replyTo };
    }
    if (act.reaction) {
      const message = this.messageOf(chat, act.reaction.message_id);
      const emoji = text(act.reaction.emoji) ?? '';
      return {
        type: 'reaction',
        words: emoji,
        details: { ...details, reaction: { message, emoji } },
        replyTo,
      };
    }
    if (act.message) {
      const type = text(act.message.type);
      if (type === null) throw new HandsetError('message needs a type, and what its provider has for it.');
      return { type, words: `[${type}]`, details: { ...details, payload: { ...act.message } }, replyTo };
    }
    return { type: 'text', words: textOf(act.text), details, replyTo };
  }

  /** The request for the phone whose button was pressed; null: another button was. */
  private askingFor(given: NonNullable<CustomerAct['button']>, chat: Chat): string | null {
    if (!('message_id' in given)) return null;
    const { id, content } = this.messageOf(chat, given.message_id);
    return content.buttons[given.index]?.type === 'share_contact' ? id : null;
  }

  private pressed(
    given: NonNullable<CustomerAct['button']>,
    chat: Chat,
  ): { button: NonNullable<InboundDetails['button']>; answers: string | null } {
    if (!('message_id' in given)) {
      const label = textOf(given.text);
      return {
        button: { text: label, payload: text(given.payload) ?? label, ofTemplate: true },
        answers: null,
      };
    }
    const message = this.messageOf(chat, given.message_id);
    const button = message.content.buttons[given.index];
    if (button?.type !== 'quick_reply')
      throw new HandsetError('button names no quick reply of that message.');
    return {
      button: {
        text: button.text,
        payload: button.value ?? button.text,
        ofTemplate: message.type === 'template',
      },
      answers: message.id,
    };
  }

  private messageOf(chat: Chat, id: unknown): ChatMessage {
    const found = chat.messages.find((message) => message.id === id);
    if (!found) throw new HandsetError('message_id is no message of this chat.');
    return found;
  }
}

function newMessage(
  chat: Chat,
  from: 'customer' | 'app',
  type: string,
  words: string,
  replyTo: string | null,
): ChatMessage {
  const media = type === 'location' ? type : null;
  return {
    id: newWhatsappId(chat.phone, from === 'customer'),
    from,
    at: Date.now(),
    type,
    content: plainContent(words, media),
    state: 'delivered',
    errorCode: null,
    replyTo,
    reaction: null,
  };
}

function textOf(value: unknown): string {
  const words = text(value) ?? '';
  if (words.trim() === '' || words.length > TEXT_MAX)
    throw new HandsetError(`text must have 1 to ${TEXT_MAX} characters.`);
  return words;
}

function digitsOfCustomer(waId: string): string {
  if (!/^[1-9][0-9]{6,14}$/.test(waId)) throw new HandsetError('wa_id must be 7 to 15 digits.');
  return waId;
}

/** Reads a body as an act. Its fields are checked where they are used. */
export function asAct<T extends ChatAddress>(body: Record<string, unknown> | null): T {
  const objects = ['button', 'file', 'image', 'location', 'message', 'reaction'];
  if (!body || objects.some((key) => key in body && !record(body[key])))
    throw new HandsetError(
      'The body must be a JSON object, and so must what the customer sends beside text.',
    );
  return body as unknown as T;
}
