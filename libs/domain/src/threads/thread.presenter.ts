import type { Card } from '@app/contracts/board.events';
import type { MessageRole } from '@app/contracts/message.words';
import type { CardRow } from '@app/persistence/threads/card.columns';
import type { ListedMessageRow } from '@app/persistence/messages/newest-messages.repository';
import { presentCard } from '../leads/lead.presenter';

export interface ListedMessage {
  id: string;
  role: MessageRole;
  text: string;
  created_at: string;
}

/** A dialog as lists show it. */
export interface Thread extends Omit<Card, 'version'> {
  /** Newest first; absent when none were asked for. */
  messages?: ListedMessage[];
}

export function presentThread(row: CardRow): Thread {
  const { version: _, ...thread } = presentCard(row);
  return thread;
}

export const presentListedMessage = ({ id, role, text, created_at }: ListedMessageRow): ListedMessage => ({
  id,
  role,
  text,
  created_at: created_at.toISOString(),
});
