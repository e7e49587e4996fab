import type { Message } from '@app/contracts/message.words';
import { threadIdOrNothing } from '@app/contracts/thread-id.format';
import type { TimedPosition } from '@app/contracts/timed-position.format';
import {
  MessageListRepository,
  type PositionedMessageRow,
} from '@app/persistence/messages/message-list.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { presentMessage } from './message.presenter';

/** A message within its dialog. */
export type ThreadMessage = Omit<Message, 'thread_id'>;

/** What was said in a dialog. */
@Injectable()
export class MessageListsService {
  constructor(private readonly messages: MessageListRepository) {}

  /**
   * A page of a dialog's messages, newest first.
   * @param after the position of the last message already seen, or null
   * @throws ThreadNotFoundError
   */
  async getMessages(
    by: Principal,
    threadId: string,
    after: TimedPosition | null,
    limit: number,
  ): Promise<{ messages: ThreadMessage[]; nextAfter: TimedPosition | null }> {
    const uuid = threadIdOrNothing(threadId);
    const rows = await this.messages.page(visibilityOf(by), uuid, after, limit + 1);
    if (!rows) throw new ThreadNotFoundError();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const nextAfter = rows.length > limit && last ? { at: last.position_at, id: last.id } : null;
    return { messages: page.map(present), nextAfter };
  }
}

function present(row: PositionedMessageRow): ThreadMessage {
  const { thread_id: _, ...message } = presentMessage(row);
  return message;
}
