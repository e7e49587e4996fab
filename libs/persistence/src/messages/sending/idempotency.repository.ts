import { keyedHash } from '../dialog/erased.statements';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import type { NotNull } from '../../database/row-types';
import { statement, purgeOf } from '../../database/sql.statements';
import type { IdempotencyKeyEntity } from './idempotency-key.entity';

/** The form of a caller's key that tells nothing of it. It has a blank, which no key of a caller has. */
export const HIDDEN_KEYS = `'erased %'`;

/**
 * What a key becomes when a customer is erased: it names them at times, and still forbids a second send. A phone in it has
 * too few digits for a plain hash to hide it.
 */
export const hiddenKey = (key: string): string =>
  `('erased ' || encode(${keyedHash(`convert_to(${key}, 'UTF8')`)}, 'hex'))`;

export interface KnownKey extends Pick<
  IdempotencyKeyEntity,
  'fingerprint' | 'message_id' | 'batch_id' | 'answer'
> {
  age_ms: number;
}

/** A key is forgotten after 24 hours, though its row may still be there. One that was hidden is known as well. */
const FIND = statement('idempotency-find').takes('accountId', 'operation', 'key').returns<KnownKey>(`
  SELECT fingerprint, message_id, batch_id, answer,
         (extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS age_ms
    FROM idempotency_keys
   WHERE account_id = :accountId AND operation = :operation AND key IN (:key, ${hiddenKey(':key')})
     AND created_at >= clock_timestamp() - interval '24 hours'`);

/** The first answer stays. `about` is the message or batch that it is about. A hidden key gets none: it may name a customer. */
const KEEP_ANSWER = statement('idempotency-keep-answer').takes(
  'accountId',
  'operation',
  'key',
  'about',
  'answer',
).returns<NotNull<Pick<IdempotencyKeyEntity, 'answer'>>>(`
  UPDATE idempotency_keys SET answer = coalesce(answer, :answer)
   WHERE account_id = :accountId AND operation = :operation AND key = :key
     AND coalesce(message_id, batch_id) = :about
  RETURNING answer`);

const PURGE = statement('idempotency-purge')
  .takes('limit')
  .returns(
    purgeOf('idempotency_keys', { where: `o.created_at < now() - interval '25 hours'`, by: 'created_at' }),
  );

/** Keys of calls that may be repeated, kept for 24 hours for each account and operation. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: string, operation: string, key: string): Promise<KnownKey | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, operation, key });
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
    const values = { accountId, operation, key, about, answer };
    const [row] = await this.database.runFor(accountId, KEEP_ANSWER, values);
    return row?.answer ?? answer;
  }

  /** Deletes keys that may no longer be repeated, of all accounts, up to a number; returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
