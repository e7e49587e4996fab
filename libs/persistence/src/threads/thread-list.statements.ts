import type { PreparedStatement } from '../database/database.service';
import { CARD_COLUMNS } from './card.columns';
import { agentConducts, isWaiting } from './thread.rules';

/**
 * What a dialog `h` must be: every filter of a call, each by itself or absent.
 * $1 account $2 agents $3 bot $4 channel $5 whether at a stage or none: $6 $7 kind of stage $8 handler $9 waiting
 * $10 pattern of the search $11 its digits $12 opened from $13 opened before $14 active from $15 whether an operator is asked for
 */
const FILTERED = `
        AND ($3::uuid IS NULL OR h.bot_id = $3) AND ($4::text IS NULL OR h.channel = $4)
        AND (NOT $5::boolean OR h.status_id IS NOT DISTINCT FROM $6::uuid)
        AND ($7::text IS NULL OR h.status_id IN (SELECT id FROM statuses WHERE account_id = $1 AND kind = $7))
        AND ($8::text IS NULL OR ${agentConducts('h', 'clock_timestamp()')} = ($8 = 'AI'))
        AND ($9::boolean IS NULL OR (${isWaiting('h')}) = $9)
        AND ($10::text IS NULL OR h.customer_name ~ $10 OR h.last_message_text ~ $10
             OR position($11::text IN h.phone) > 0)
        AND ($12::timestamptz IS NULL OR h.created_at >= $12) AND ($13::timestamptz IS NULL OR h.created_at < $13)
        AND ($14::timestamptz IS NULL OR h.last_activity_at >= $14)
        AND ($15::boolean IS NULL OR (h.attention IS NOT NULL) = $15)`;

const SHOWN = (rows: string): string => `
  SELECT ${CARD_COLUMNS}
    FROM (${rows}) t
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY t.id DESC`;

/**
 * A page, in the order of the ids, which never change: no move takes a dialog from one page to another. Agent by
 * agent, each along one index, so that what is read ends with the page however many dialogs an agent has.
 * $16 the id that the page follows, or null $17 limit
 */
export const PAGE: PreparedStatement = {
  name: 'thread-page',
  text: SHOWN(`
    SELECT h.* FROM unnest($2::uuid[]) a (id) CROSS JOIN LATERAL (
      SELECT h.* FROM threads h
       WHERE h.account_id = $1 AND h.assistant_id = a.id
        AND h.id < coalesce($16::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ${FILTERED}
       ORDER BY h.id DESC LIMIT $17) h
     ORDER BY h.id DESC LIMIT $17`),
};

const OF_CONTACTS = (contacts: string): string => `
      SELECT h.* FROM threads h
       WHERE h.account_id = $1 AND h.contact = ANY (${contacts}::text[]) AND h.assistant_id = ANY ($2::uuid[]) ${FILTERED}`;

/** Likewise, of the dialogs of some addresses, which are found by these. $18 addresses */
export const PAGE_OF_CONTACTS: PreparedStatement = {
  name: 'thread-page-contacts',
  text: SHOWN(`${OF_CONTACTS('$18')}
        AND h.id < coalesce($16::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
       ORDER BY h.id DESC LIMIT $17`),
};

/** $16 addresses */
export const MISSING: PreparedStatement = {
  name: 'thread-contacts-missing',
  text: `
  SELECT unnest($16::text[]) AS contact EXCEPT SELECT contact FROM (${OF_CONTACTS('$16')}) h`,
};

/** $1 account $2 threads $3 of each $4 of all */
export const MESSAGES: PreparedStatement = {
  name: 'thread-messages',
  text: `
  SELECT m.id, m.thread_id, m.role, m.text, m.created_at
    FROM unnest($2::uuid[]) WITH ORDINALITY d (id, place)
    CROSS JOIN LATERAL (
      SELECT m.id, m.thread_id, m.role, m.text, m.created_at FROM messages m
       WHERE m.account_id = $1 AND m.thread_id = d.id AND m.status <> 'dropped'
       ORDER BY m.created_at DESC, m.id DESC LIMIT $3) m
   ORDER BY d.place, m.created_at DESC, m.id DESC LIMIT $4`,
};

/** $1 account $2 agents $3 stage */
export const STAGE_EXISTS: PreparedStatement = {
  name: 'thread-stage-exists',
  text: 'SELECT 1 FROM statuses WHERE account_id = $1 AND id = $3 AND assistant_id = ANY ($2::uuid[])',
};
