import type { RowFault } from '@app/contracts/transfer.words';
import { statement } from '../database/sql.statements';

const ERASED: RowFault = 'erased';

/** What is left of a row whose customer was erased before it was taken in. */
const ERASED_ROW = `jsonb_build_object('row', r -> 'row', 'faults', jsonb_build_array(jsonb_build_object(
             'column', NULL, 'reason', '${ERASED}', 'values', '{}'::jsonb,
             'message', 'was not taken in: its customer was erased meanwhile')))`;

/**
 * Takes the customer of a thread out of files that are being imported for the thread's bot: an import that was asked for before
 * opens no dialog afterwards. Run before the thread is locked: whoever takes rows in locks them first, and the threads then.
 */
export const TAKE_OUT_OF_IMPORTS = statement('import-take-out').takes('accountId', 'threadId').returns(`
  WITH customer AS MATERIALIZED (
    SELECT t.bot_id, t.channel, ARRAY(
             SELECT a FROM unnest(ARRAY[t.contact, t.phone] || t.former_addresses) a
             UNION SELECT '+' || a FROM unnest(t.former_addresses) a EXCEPT SELECT NULL) AS addresses
      FROM threads t WHERE t.account_id = :accountId AND t.id = :threadId AND t.erased_at IS NULL)
  UPDATE import_chunks k
     SET rows = (SELECT jsonb_agg(
                          CASE WHEN r ->> 'contact' = ANY (c.addresses) OR r ->> 'phone' = ANY (c.addresses)
                               THEN ${ERASED_ROW} ELSE r END ORDER BY e.place)
                   FROM jsonb_array_elements(k.rows) WITH ORDINALITY e (r, place))
    FROM customer c, imports i
   WHERE i.account_id = :accountId AND i.bot_id = c.bot_id AND i.channel = c.channel
     AND k.account_id = :accountId AND k.import_id = i.id AND k.rows IS NOT NULL
     AND EXISTS (SELECT 1 FROM unnest(c.addresses) a
                  WHERE k.rows @> jsonb_build_array(jsonb_build_object('contact', a))
                     OR k.rows @> jsonb_build_array(jsonb_build_object('phone', a)))`);
