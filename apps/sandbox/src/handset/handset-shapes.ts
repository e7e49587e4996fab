import type { Chat, ChatMessage, MessageState } from '../chats/chat.words';

/** A line of the handset's list. */
export interface ChatLine {
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
