import { statement } from '../database/sql.statements';
import { isFree, takeAddresses } from '../messages/incoming/address.statements';
import { hadOptedOut } from '../messages/dialog/erased.statements';
import { appendEvents, ENTRIES } from '../threads/thread-log.statements';
import type { ThreadEntity } from '../threads/thread.entity';

const OF_NUMBER = { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' };

const OPT_OUT_KEPT = hadOptedOut({ ...OF_NUMBER, contact: 'o.contact', userId: 'NULL::text' });

/**
 * Opens the threads that do not exist yet, without a message. In the order of their contacts, as sending does, so that two
 * such statements wait for each other but never in a circle. The arrays have one element for each thread.
 */
export const OPEN_LEADS = statement('import-open-leads').takes(
  ...(['accountId', 'botId', 'channel', 'assistantId', 'ids', 'contacts', 'phones'] as const),
  ...(['setBy', 'actor', 'requestId'] as const),
).returns<Pick<ThreadEntity, 'id' | 'contact'>>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, version, created_at,
                         last_activity_at, ai_enabled, opted_out)
    SELECT :accountId, o.id, :assistantId, :botId, :channel, o.contact, o.phone, 1, c.at, c.at, NOT k.opted_out, k.opted_out
      FROM unnest(:ids::uuid[], :contacts::text[], :phones::text[]) o (id, contact, phone)
     CROSS JOIN clock c CROSS JOIN LATERAL (SELECT ${OPT_OUT_KEPT} AS opted_out) k
     WHERE ${isFree(OF_NUMBER, 'o.contact')} ORDER BY o.contact COLLATE "C"
    ON CONFLICT (account_id, bot_id, channel, contact) DO NOTHING
    RETURNING account_id, id, bot_id, channel, assistant_id, contact, user_id, version, created_at AS at),
  addressed AS (${takeAddresses('opened')}),
  logged AS (${appendEvents(
    'opened',
    { by: ':setBy::text', actor: ':actor::jsonb', request: ':requestId::text' },
    [ENTRIES.opened],
  )})
  SELECT id, contact FROM opened`);
