import type { TimedPosition } from '@app/contracts/timed-position.format';
import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import { preciseTime, preciseTimeOf } from '../database/precise.time';
import { statement, type ValuesOf } from '../database/sql.statement';
import { hasAny, patternsOf } from './customer-words.fragments';

/** What of a customer is erased from the entries of the account. */
export interface ErasedCustomer {
  accountId: string;
  /** Whose entries have names: others may have things of the same name. */
  subjectId: string;
  /** A text of an entry of the subject that is one of these. */
  names: readonly string[];
  /** The id of a call, about anything, in which one of these occurs. */
  words: readonly string[];
  /** A text of any entry in which one of these occurs. */
  phones: readonly string[];
}

/** A slice takes some tenths of a second where each of its entries is about the customer, milliseconds where none is. */
const SLICE_ROWS = 1_000;

/** Entries before are there, or never will be: a transaction that appends one takes less. */
const SETTLED = statement('audit-erase-settled').returns<Pick<TimedPosition, 'at'>>(
  `SELECT ${preciseTime(`(clock_timestamp() - interval '1 minute')`)} AS at`,
);

const ERASED_TEXTS = [
  ...['e.before', 'e.after'].map((column) => `audit_erase(${column}, f.names, :phones)`),
  `audit_erase(to_jsonb(e.subject_name), f.names, :phones) #>> '{}'`,
  `CASE WHEN ${hasAny('e.request_id', ':idPatterns::text[]')} THEN 'erased' ELSE e.request_id END`,
].join(', ');

/** The trigger looks at each text of a changed row. Returns the last row of the slice. */
const SLICE = statement('audit-erase-slice').takes(
  ...(['accountId', 'subjectId', 'names', 'phones', 'patterns', 'idPatterns', 'at', 'id', 'limit'] as const),
).returns<TimedPosition>(`
  WITH slice AS MATERIALIZED (
    SELECT at, id, subject_id IN (:subjectId::text, 'thread_' || :subjectId::text) IS TRUE AS is_its,
           ${hasAny(`concat_ws(' ', subject_name, before, after)`, ':patterns::text[]')}
             OR ${hasAny('request_id', ':idPatterns::text[]')} IS TRUE AS names_them
      FROM audit_entries
     WHERE account_id = :accountId AND (at, id) > (${preciseTimeOf(':at')}, :id::uuid) ORDER BY at, id LIMIT :limit),
  found AS MATERIALIZED (
    SELECT id, CASE WHEN is_its THEN :names::text[] ELSE '{}' END AS names FROM slice WHERE is_its OR names_them),
  erased AS (
    UPDATE audit_entries e SET (before, after, subject_name, request_id) = ROW (${ERASED_TEXTS})
      FROM found f WHERE e.account_id = :accountId AND e.id = f.id)
  SELECT ${preciseTime('at')} AS at, id FROM slice ORDER BY slice.at DESC, id DESC LIMIT 1`);

type Slice = ValuesOf<(typeof SLICE)['parameters'][number]>;

/** All entries are later. */
export const FIRST_ENTRY_AT = '0001-01-01 00:00:00';

/** Puts `erased` into entries in the place of a customer's names and phones. They have no index over what they contain. */
@Injectable()
export class AuditErasureRepository {
  constructor(private readonly database: Database) {}

  /**
   * Erases a customer from all entries, slice by slice, each by itself.
   * @returns the time from which entries may have come since
   */
  async eraseBefore(customer: ErasedCustomer): Promise<string> {
    const { accountId } = customer;
    const [settled] = await this.database.runFor(accountId, SETTLED);
    await this.eraseFrom(FIRST_ENTRY_AT, customer, (values) =>
      this.database.runFor(accountId, SLICE, values),
    );
    return settled?.at ?? FIRST_ENTRY_AT;
  }

  /** Erases the customer from the entries since then, in the transaction of the erasure. */
  async eraseSince(at: string, customer: ErasedCustomer, within: Transaction): Promise<void> {
    await this.eraseFrom(at, customer, (values) => within.run(SLICE, values));
  }

  private async eraseFrom(
    at: string,
    customer: ErasedCustomer,
    run: (values: Slice) => Promise<TimedPosition[]>,
  ): Promise<void> {
    const { words, phones, ...its } = customer;
    const patterns = { patterns: patternsOf(phones), idPatterns: patternsOf(words), limit: SLICE_ROWS };
    // Calls of nobody who was recognised, and of admins of all accounts, have their entries in no account.
    for (const accountId of [its.accountId, NIL_ID])
      for (let last: TimedPosition | undefined = { at, id: NIL_ID }; last;)
        [last] = await run({ ...its, phones, ...patterns, accountId, ...last });
  }
}
