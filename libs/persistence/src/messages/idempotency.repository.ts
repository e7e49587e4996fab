import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

export interface KnownKey {
  fingerprint: Buffer;
  message_id: string | null;
  batch_id: string | null;
  /** The first answer as JSON text; null until there is one. */
  answer: string | null;
  age_ms: number;
}

/** Expired keys count as absent, although they may still be stored. */
const FIND: PreparedStatement = {
  name: 'idempotency-find',
  text: `
  SELECT fingerprint, message_id, batch_id, answer,
         (extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS age_ms
    FROM idempotency_keys
   WHERE account_id = $1 AND operation = $2 AND key = $3 AND created_at >= clock_timestamp() - interval '24 hours'`,
};

/** The first answer is kept. $4 the message or batch that it is about */
const KEEP_ANSWER: PreparedStatement = {
  name: 'idempotency-keep-answer',
  text: `
  UPDATE idempotency_keys SET answer = coalesce(answer, $5)
   WHERE account_id = $1 AND operation = $2 AND key = $3 AND coalesce(message_id, batch_id) = $4
  RETURNING answer`,
};

const PURGE: PreparedStatement = {
  name: 'idempotency-purge',
  text: `
  DELETE FROM idempotency_keys WHERE (account_id, operation, key) IN (
    SELECT account_id, operation, key FROM idempotency_keys
     WHERE created_at < now() - interval '25 hours' ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`,
};

/** Keys of calls that may be repeated, kept for 24 hours for each account and operation. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: string, operation: string, key: string): Promise<KnownKey | null> {
    const [row] = await this.database.runFor<KnownKey>(accountId, FIND, [accountId, operation, key]);
    return row ?? null;
  }

  /**
   * @returns the stored answer: this one, or an earlier one
   */
  async keepAnswer(
    accountId: string,
    operation: string,
    key: string,
    about: string,
    answer: string,
  ): Promise<string> {
    const values = [accountId, operation, key, about, answer];
    const [row] = await this.database.runFor<{ answer: string }>(accountId, KEEP_ANSWER, values);
    return row?.answer ?? answer;
  }

  /** Deletes keys that may no longer be repeated, of all accounts, up to a number; returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, [limit])).length;
  }
}
