import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { LOCK_WORDS } from '../threads/thread-search.statements';
import type { Arrival } from './arrival.time';
import type { IncomingMessage, ReceivingNumber, ThreadAddress } from './incoming.repository';
import { FIND_NAMED, LOCK_THREAD, REVISE } from './revision.statements';

/** What a writer of a message makes of it afterwards. */
export interface Revision {
  /** The messenger's id of the message. */
  originalId: string;
  /** The messenger's id of this. */
  id: string;
  byCustomer: boolean;
  /** Of whose dialog it tells. */
  customer: Pick<ThreadAddress, 'contact' | 'userId'>;
  /** What it is now; null: it is deleted. */
  now: Pick<IncomingMessage, 'text' | 'content' | 'lines'> | null;
  /** The writer's own time; null: unknown. */
  sentAt: Date | null;
  arrival: Arrival;
}

/** `known`: nothing has changed; `missing`: the message is not here; `erased`: it is one of an erased customer. */
export type RevisionVerdict = 'revised' | 'known' | 'missing' | 'erased';

/** Edits and deletions of messages that are here. */
@Injectable()
export class RevisionRepository {
  constructor(private readonly database: Database) {}

  /** @param quietMs before an agent without a quiet time of its own answers; null: there is no model to answer */
  async apply(
    { accountId, botId, channel }: ReceivingNumber,
    { originalId, id: revisionId, byCustomer, customer, now, sentAt, arrival }: Revision,
    quietMs: number | null,
  ): Promise<RevisionVerdict> {
    return this.database.transactFor(accountId, async (transaction) => {
      const { contact, userId } = customer;
      const named = { accountId, botId, channel, originalId, revisionId, byCustomer, contact, userId };
      const [found] = await transaction.run(FIND_NAMED, named);
      if (found?.is_erased) return 'erased';
      if (!found?.id || !found.thread_id) return 'missing';
      const threadId = found.thread_id;
      const [locked] = await transaction.run(LOCK_THREAD, { accountId, threadId });
      if (!locked) return 'erased';
      await transaction.run(LOCK_WORDS, { accountId });
      const rows = await transaction.run(REVISE, {
        ...{ accountId, threadId, messageId: found.id, revisionId, deletes: now === null },
        ...{ text: now?.text ?? '', content: JSON.stringify(now?.content ?? {}) },
        lines: now?.lines ? JSON.stringify(now.lines) : null,
        ...{ by: byCustomer ? 'USER' : 'OPERATOR', writtenAt: sentAt, receivedAt: arrival.receivedAt },
        ...{ position: arrival.position, quietMs },
      });
      return rows.length > 0 ? 'revised' : 'known';
    });
  }
}
