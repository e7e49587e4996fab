import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../../database/database.service';
import { LOCK_WORDS } from '../../threads/thread-search.statements';
import type { Arrival } from '../incoming/arrival-time';
import type { IncomingMessage, ReceivingNumber, ThreadAddress } from '../incoming/incoming.repository';
import {
  CHECK_DELETIONS,
  COMPLETE,
  FIND_NAMED,
  LOCK_THREAD,
  PARKED_REVISIONS,
  PARK_REVISION,
  REVISE,
  TELL_FORMER,
  UNPARK_REVISION,
} from './revision.statements';

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

/** Edits and deletions of messages: of those that are here, and of those that are still to come. */
@Injectable()
export class RevisionRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

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
      if (rows.length === 0) return 'known';
      // It may have waited for the message: it is told of once.
      await transaction.run(UNPARK_REVISION, { accountId, botId, channel, originalId, revisionId });
      return 'revised';
    });
  }

  /** Keeps a revision until its message comes. Of a webhook that is not held any more nothing is kept. */
  async park({ accountId, botId, channel }: ReceivingNumber, revision: Revision): Promise<void> {
    const { originalId, id: revisionId, now, arrival } = revision;
    const { webhook, heldBy } = arrival;
    const parked = { revision: JSON.stringify(revision), deletes: now === null, webhook, heldBy };
    await this.database.run(PARK_REVISION, { accountId, botId, channel, originalId, revisionId, ...parked });
  }

  async parked({ accountId, botId, channel }: ReceivingNumber, originalId: string): Promise<Revision[]> {
    const rows = await this.database.run(PARKED_REVISIONS, { accountId, botId, channel, originalId });
    return rows.map(revisionOf);
  }

  /** Deletions of all accounts that may have missed their message, as it was stored at the same moment. */
  async missedDeletions(limit: number): Promise<{ at: ReceivingNumber; revision: Revision }[]> {
    const rows = await this.work.run(CHECK_DELETIONS, { limit });
    return rows.map(({ accountId, botId, channel, ...row }) => ({
      ...{ at: { accountId, botId, channel }, revision: revisionOf(row) },
    }));
  }

  async unpark({ accountId, botId, channel }: ReceivingNumber, revision: Revision): Promise<void> {
    const { originalId, id: revisionId } = revision;
    await this.database.run(UNPARK_REVISION, { accountId, botId, channel, originalId, revisionId });
  }

  /**
   * Gives a message, which was stored as an edit of it, what it was before: the history its former text, the message its
   * file and what else the edit does not say. The edit waits no more then.
   * @param original the message as it has come now
   */
  async complete(
    { accountId, botId, channel }: ReceivingNumber,
    { originalId, id: revisionId, byCustomer, now }: Revision,
    original: IncomingMessage,
  ): Promise<{ isTold: boolean; hasFile: boolean }> {
    return this.database.transactFor(accountId, async (transaction) => {
      const { contact, userId } = original.address;
      const named = { accountId, botId, channel, originalId, revisionId, byCustomer, contact, userId };
      const [found] = await transaction.run(FIND_NAMED, named);
      if (!found?.id || !found.thread_id || found.is_erased) return NOTHING;
      const { id: messageId, thread_id: threadId } = found;
      const [locked] = await transaction.run(LOCK_THREAD, { accountId, threadId });
      // Another process may have done it.
      const [parked] = locked
        ? await transaction.run(UNPARK_REVISION, { accountId, botId, channel, originalId, revisionId })
        : [];
      if (!parked) return NOTHING;
      const { type, text: former, content, file } = original;
      const whole = { type, content: JSON.stringify(content), file: file && JSON.stringify(file) };
      const files =
        type === 'unsupported' ? [] : await transaction.run(COMPLETE, { accountId, messageId, ...whole });
      const text = now?.text ?? '';
      const by = byCustomer ? 'USER' : 'OPERATOR';
      const entries =
        text === former
          ? []
          : await transaction.run(TELL_FORMER, { accountId, threadId, messageId, former, text, by });
      return { isTold: entries.length > 0, hasFile: files.length > 0 };
    });
  }
}

const NOTHING = { isTold: false, hasFile: false };

function revisionOf({ body }: { body: Record<string, unknown> }): Revision {
  const revision = body as unknown as Revision;
  return { ...revision, sentAt: revision.sentAt && new Date(revision.sentAt) };
}
