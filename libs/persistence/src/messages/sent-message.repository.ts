import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import type { Visibility } from '../accounts/visibility.scope';
import { IN_BATCH } from './batch.messages';
import { MESSAGE_COLUMNS, type MessageRow } from './message.columns';

/** What a caller may see of sent messages: dialogs of its agents, and everything that its bots sent. */
export interface SendingVisibility extends Visibility {
  botIds: readonly string[];
}

/** A message of ours with its outcome. */
export interface SentMessageRow extends MessageRow {
  recipient: string;
  batch_index: number | null;
  /** For a failed or unknown message: the provider's answer to its request, as JSON text. */
  provider_response: string | null;
}

export interface BatchRow {
  id: string;
  total: number;
}

/**
 * Whether the stored answer of the provider is about the error. A message that was accepted and reported as failed
 * has the answer that accepted it.
 */
const TELLS_ERROR = `(m.status IN ('failed', 'unknown') AND m.accepted_at IS NULL)`;

const SENT_COLUMNS = `${MESSAGE_COLUMNS}, m.recipient, m.batch_index`;

/** Most bytes of providers' answers in one answer of ours. */
const RESPONSES_MAX = 1_048_576;

/** $1 account $2 message */
const OWN: PreparedStatement = {
  name: 'sent-own',
  text: `
  SELECT ${SENT_COLUMNS}, CASE WHEN ${TELLS_ERROR} THEN m.provider_response END AS provider_response
    FROM messages m WHERE m.account_id = $1 AND m.id = $2`,
};

/** $1 account $2 message $3 agents $4 bots */
const FIND: PreparedStatement = {
  name: 'sent-find',
  text: `
  SELECT ${MESSAGE_COLUMNS} FROM messages m
   WHERE m.account_id = $1 AND m.id = $2
     AND (m.bot_id = ANY ($4::uuid[]) AND NOT m.inbound OR EXISTS (
       SELECT 1 FROM threads t WHERE t.account_id = m.account_id AND t.id = m.thread_id AND t.assistant_id = ANY ($3::uuid[])))`,
};

/**
 * A list shows phones and dialogs, so only its bot's keys, and keys that see all its dialogs, see it. When a bot gets
 * another agent, its former dialogs stay with the former agent. $1 account $2 batch $3 agents $4 bots
 */
const FIND_BATCH: PreparedStatement = {
  name: 'sent-find-batch',
  text: `
  SELECT b.id, b.total FROM batches b
   WHERE b.account_id = $1 AND b.id = $2
     AND (b.bot_id = ANY ($4::uuid[]) OR (
       SELECT bool_and(t.assistant_id = ANY ($3::uuid[]))
         FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
        WHERE ${IN_BATCH}))`,
};

/**
 * The providers' answers are the first whole ones that fit into {@link RESPONSES_MAX}. All other messages show their
 * error only. $1 account $2 batch
 */
const OF_BATCH: PreparedStatement = {
  name: 'sent-of-batch',
  text: `
  SELECT ${SENT_COLUMNS},
         CASE WHEN ${TELLS_ERROR} AND sum(CASE WHEN ${TELLS_ERROR} THEN octet_length(m.provider_response) END)
                                    OVER (ORDER BY m.batch_index) <= ${RESPONSES_MAX}
              THEN m.provider_response END AS provider_response
    FROM messages m WHERE ${IN_BATCH} ORDER BY m.batch_index`,
};

/** From the end, which is sent last: of a running batch the first step finds an open message. $1 account $2 batch */
const BATCH_OPEN: PreparedStatement = {
  name: 'sent-batch-open',
  text: `
  SELECT 1 AS open FROM messages m WHERE ${IN_BATCH} AND m.status IN ('queued', 'sending') ORDER BY m.id DESC LIMIT 1`,
};

@Injectable()
export class SentMessageRepository {
  constructor(private readonly database: Database) {}

  /** A message that this very call stored. */
  async own(accountId: string, id: string): Promise<SentMessageRow | null> {
    const values = [accountId, id];
    const [row] = await this.database.runFor<SentMessageRow>(accountId, OWN, values);
    return row ?? null;
  }

  async find(of: SendingVisibility, id: string): Promise<MessageRow | null> {
    const values = [of.accountId, id, of.assistantIds, of.botIds];
    const [row] = await this.database.runFor<MessageRow>(of.accountId, FIND, values);
    return row ?? null;
  }

  async findBatch(of: SendingVisibility, id: string): Promise<BatchRow | null> {
    const values = [of.accountId, id, of.assistantIds, of.botIds];
    const [row] = await this.database.runFor<BatchRow>(of.accountId, FIND_BATCH, values);
    return row ?? null;
  }

  /** The messages of a batch in the order asked. */
  async ofBatch(accountId: string, batchId: string): Promise<SentMessageRow[]> {
    const values = [accountId, batchId];
    return this.database.runFor<SentMessageRow>(accountId, OF_BATCH, values);
  }

  /** Whether something of a batch is not settled yet. */
  async isOpen(accountId: string, batchId: string): Promise<boolean> {
    return (await this.database.runFor(accountId, BATCH_OPEN, [accountId, batchId])).length > 0;
  }
}
