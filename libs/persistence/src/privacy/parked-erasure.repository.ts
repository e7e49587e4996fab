import { Injectable } from '@nestjs/common';
import { hasAny, patternsOf } from '../audit/audit-erasure.repository';
import { Database, type Transaction } from '../database/database.service';
import type { OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { CustomerOfAccount } from './customer-webhook.repository';

const SLICE_ROWS = 5_000;

/** Ids of parked reports begin behind it. */
export const FIRST_PARKED = '0';

/** `last` is the end of the slice, `settled` the last report that came more than a minute before: nothing below is to come. */
const SLICE = statement('erasure-parked-slice').takes('accountId', 'patterns', 'after', 'limit').returns<
  OrNull<{ last: string; settled: string }>
>(`
  WITH slice AS MATERIALIZED (
    SELECT id, created_at, ${hasAny(`concat_ws(' ', provider_id, body)`, ':patterns::text[]')} AS is_theirs FROM parked_states
     WHERE account_id = :accountId AND id > :after::bigint ORDER BY id LIMIT :limit),
  gone AS (
    DELETE FROM parked_states p USING slice s WHERE p.account_id = :accountId AND p.id = s.id AND s.is_theirs)
  SELECT max(id)::text AS last, (max(id) FILTER (WHERE created_at < now() - interval '1 minute'))::text AS settled FROM slice`);

/** Takes out reports that are about a customer and wait for a message that is not ours. They have no index over it. */
@Injectable()
export class ParkedErasureRepository {
  constructor(private readonly database: Database) {}

  /**
   * Deletes them behind an id, slice by slice.
   * @param within a transaction; null: each slice by itself
   * @returns the id behind which others may have come since
   */
  async drop(within: Transaction | null, customer: CustomerOfAccount, after: string): Promise<string> {
    const { accountId, needles } = customer;
    const patterns = patternsOf([...needles, ...needles.flatMap(inBase64)]);
    const run: Transaction['run'] = (slice, ...values) =>
      within ? within.run(slice, ...values) : this.database.runFor(accountId, slice, ...values);
    for (let [end, settled] = [after, after]; ;) {
      const [slice] = await run(SLICE, { accountId, patterns, after: end, limit: SLICE_ROWS });
      settled = slice?.settled ?? settled;
      if (!slice?.last) return settled;
      end = slice.last;
    }
  }
}

/** An id of Meta has the customer's address in it, at any place: the characters of base64 that depend on it alone. */
function inBase64(needle: string): string[] {
  return [0, 1, 2].map((place) => {
    const bytes = Buffer.concat([Buffer.alloc(place), Buffer.from(needle)]);
    const [from, until] = [Math.ceil((place * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(from, until);
  });
}
