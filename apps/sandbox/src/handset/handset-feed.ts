import type { ServerResponse } from 'node:http';
import type { ChatListener } from '../chats/chat-book';
import type { Chat, ChatMessage, MessageState } from '../chats/chat.words';
import type { PendingTimers } from '../pending-timers';

/** A line of the handset's list. */
interface ChatLine {
  sender: string;
  channel: string;
  phone: string;
  name: string | null;
  last_at: number;
  last_text: string;
  last_from: ChatMessage['from'] | null;
  last_state: MessageState | null;
  unread: number;
}

const LAST_TEXT_MAX = 80;

export function chatLine(chat: Chat): ChatLine {
  const last = chat.messages.at(-1);
  return {
    sender: chat.number.sender,
    channel: chat.number.channel,
    phone: chat.phone,
    name: chat.name,
    last_at: chat.lastAt,
    last_text: last
      ? (last.content.text || `[${last.content.media ?? last.type}]`).slice(0, LAST_TEXT_MAX)
      : '',
    last_from: last?.from ?? null,
    last_state: last?.state ?? null,
    unread: chat.messages.filter(isUnread).length,
  };
}

const isUnread = ({ from, state }: ChatMessage): boolean =>
  from !== 'customer' && state !== 'read' && state !== 'failed';

/** A message without the fields about its delivery. */
export const shownMessage = (message: ChatMessage): object => ({
  id: message.id,
  from: message.from,
  at: message.at,
  type: message.type,
  ...message.content,
  state: message.state,
  error_code: message.errorCode,
  reply_to: message.replyTo,
  reaction: message.reaction,
});

const CLIENTS_MAX = 50;
const TOGETHER_MS = 100;
const HEARTBEAT_MS = 15_000;
/** A page that reads more slowly than this is disconnected; it connects again and loads the state. */
const UNREAD_BYTES_MAX = 1024 * 1024;

interface Client {
  response: ServerResponse;
  /** The chat that it shows. */
  chatKey: string | null;
}

/** Notifies open handset pages: changed chats in batches, messages of the open chat at once. */
export class HandsetFeed implements ChatListener {
  private readonly clients = new Set<Client>();
  private readonly changed = new Set<Chat>();

  constructor(private readonly timers: PendingTimers) {
    this.beat();
  }

  isOpen(chat: Chat): boolean {
    for (const { chatKey } of this.clients) if (chatKey === chat.key) return true;
    return false;
  }

  join(response: ServerResponse, chat: Chat | null): void {
    const client: Client = { response, chatKey: chat?.key ?? null };
    if (this.clients.size >= CLIENTS_MAX) {
      const [oldest] = this.clients;
      oldest?.response.destroy();
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\nevent: joined\ndata: {}\n\n');
    this.clients.add(client);
    response.on('close', () => this.clients.delete(client));
  }

  messageAdded(chat: Chat, message: ChatMessage): void {
    this.messageChanged(chat, message);
  }

  messageChanged(chat: Chat, message: ChatMessage): void {
    if (this.clients.size === 0) return;
    this.tellOpen(chat, 'message', shownMessage(message));
    this.chatChanged(chat);
  }

  typing(chat: Chat): void {
    this.tellOpen(chat, 'typing', {});
  }

  stop(): void {
    for (const { response } of this.clients) response.destroy();
  }

  private chatChanged(chat: Chat): void {
    if (this.changed.size === 0) this.timers.after(TOGETHER_MS, () => this.tellChanged());
    this.changed.add(chat);
  }

  private tellChanged(): void {
    const lines = [...this.changed].map(chatLine);
    this.changed.clear();
    const event = eventOf('chats', lines);
    for (const client of this.clients) this.write(client, event);
  }

  private tellOpen(chat: Chat, type: string, data: object): void {
    for (const client of this.clients)
      if (client.chatKey === chat.key) this.write(client, eventOf(type, data));
  }

  private write({ response }: Client, event: string): void {
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
    else response.write(event);
  }

  private beat(): void {
    this.timers.after(HEARTBEAT_MS, () => {
      for (const client of this.clients) this.write(client, ':\n\n');
      this.beat();
    });
  }
}

const eventOf = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
