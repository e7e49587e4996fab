import { ownerOf, type SandboxNumber } from '../sandbox-options';
import type { Chat, ChatMessage } from './chat.words';
import { digitsOf, userIdOf } from './whatsapp-ids';

const CHATS_MAX = 10_000;
const MESSAGES_MAX = 50_000;

/** Called when a chat has something new. */
export interface ChatListener {
  messageAdded(chat: Chat, message: ChatMessage): void;
  messageChanged(chat: Chat, message: ChatMessage): void;
}

/** All chats, the oldest forgotten first. */
export class ChatBook {
  /** In order of the last message, the latest last. */
  private readonly chats = new Map<string, Chat>();
  private readonly places = new Map<string, { chat: Chat; message: ChatMessage }>();
  private readonly userIds = new Map<string, string>();
  /** The phones of customers whom the messenger knows by other digits, by those. */
  private readonly phones = new Map<string, string>();
  private listener: ChatListener | null = null;

  listen(listener: ChatListener): void {
    this.listener = listener;
  }

  find(number: SandboxNumber, phone: string): Chat | null {
    return this.chats.get(keyOf(number, this.phoneBehind(number, phone))) ?? null;
  }

  open(number: SandboxNumber, dialled: string): Chat {
    const phone = this.phoneBehind(number, dialled);
    const key = keyOf(number, phone);
    let chat = this.chats.get(key);
    if (chat) this.chats.delete(key);
    else {
      const userId = userIdOf(phone, ownerOf(number));
      const since = Date.now();
      chat = {
        key,
        number,
        phone,
        userId,
        name: null,
        username: null,
        waId: digitsOf(phone),
        messages: [],
        lastAt: since,
        windowUntil: 0,
        stopped: false,
        elsewhere: false,
      };
      this.userIds.set(`${number.sender}:${userId}`, phone);
    }
    this.chats.set(key, chat);
    if (this.chats.size > CHATS_MAX) this.forgetOldestChat();
    return chat;
  }

  add(chat: Chat, message: ChatMessage): void {
    chat.messages.push(message);
    chat.lastAt = message.at;
    this.places.set(message.id, { chat, message });
    if (this.places.size > MESSAGES_MAX) this.forgetOldestMessage();
    this.listener?.messageAdded(chat, message);
  }

  /** From now on the messenger knows the customer's phone by these digits. */
  knowBy(chat: Chat, waId: string): void {
    chat.waId = waId;
    this.phones.set(keyOf(chat.number, `+${waId}`), chat.phone);
  }

  changed(chat: Chat, message: ChatMessage): void {
    this.listener?.messageChanged(chat, message);
  }

  message(id: string): { chat: Chat; message: ChatMessage } | null {
    return this.places.get(id) ?? null;
  }

  /** The phone behind a user id, if a message of it was seen. */
  phoneOf(number: SandboxNumber, userId: string): string | null {
    return this.userIds.get(`${number.sender}:${userId}`) ?? null;
  }

  private phoneBehind(number: SandboxNumber, dialled: string): string {
    return this.phones.get(keyOf(number, dialled)) ?? dialled;
  }

  /** Newest first. */
  newest(): Chat[] {
    return [...this.chats.values()].reverse().sort((a, b) => b.lastAt - a.lastAt);
  }

  private forgetOldestChat(): void {
    const [oldest] = this.chats.values();
    if (!oldest) return;
    this.chats.delete(oldest.key);
    this.userIds.delete(`${oldest.number.sender}:${oldest.userId}`);
    this.phones.delete(keyOf(oldest.number, `+${oldest.waId}`));
  }

  private forgetOldestMessage(): void {
    const [oldest] = this.places;
    if (!oldest) return;
    const [id, { chat }] = oldest;
    this.places.delete(id);
    if (chat.messages[0]?.id === id) chat.messages.shift();
  }
}

export const keyOf = (number: SandboxNumber, phone: string): string => `${number.sender}:${phone}`;
