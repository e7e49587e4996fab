import { ENTRIES } from '../threads/thread-log.fragments';
import { incomingStatement } from './incoming.fragments';
import { asLast } from './incoming.rules';

/**
 * A message from before the number was connected. It is ordered by its own time and wakes nothing. The thread changes
 * only where the message becomes the last one known, or tells something new of the customer.
 */
export const KEEP_PAST = incomingStatement('incoming-past', {
  given: {
    roles: { column: 'given_role', type: 'text' },
    statuses: { column: 'given_status', type: 'text' },
  },
  role: 'b.given_role',
  status: 'b.given_status',
  createdAt: 'b.written_at',
  changes: `b.is_last OR (b.wa_id_now, b.customer_name_now, b.username_now)
             IS DISTINCT FROM (b.wa_id, b.customer_name, b.username)`,
  facts: { is_last: 'NOT b.quiet AND coalesce(b.last_message_at < b.written_at, true)' },
  moves: {
    version: 'b.version + 1',
    ...asLast('b.is_last', 'b.given_role', 'b.written_at'),
    last_activity_at: 'greatest(b.last_activity_at, b.written_at)',
  },
  entries: [{ ...ENTRIES.card, when: 'NOT t.fresh' }],
});
