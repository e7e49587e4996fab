import type { Card } from '@app/contracts/board-events';
import type { Media } from '@app/contracts/media.words';
import type { MessageRole } from '@app/contracts/message.words';
import type { ListedMessageRow } from '@app/persistence/messages/dialog/newest-messages.repository';
import { presentMedia } from '../messages/dialog/message.presenter';

export interface ListedMessage {
  id: string;
  role: MessageRole;
  text: string;
  media: Media | null;
  created_at: string;
}

/** A dialog as lists show it. */
export interface Thread extends Card {
  /** Newest first; absent when none were asked for. */
  messages?: ListedMessage[];
}

export const presentListedMessage = (row: ListedMessageRow): ListedMessage => ({
  id: row.id,
  role: row.role,
  text: row.text,
  media: presentMedia(row.media, row.role),
  created_at: row.created_at.toISOString(),
});
