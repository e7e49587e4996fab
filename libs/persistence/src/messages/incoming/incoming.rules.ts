import type { Changes } from '../../threads/thread.rules';
import { previewOf } from '../dialog/message-preview';

/** Expressions over `b`: a thread as it was before, and a message that comes in. A quiet message, as a reaction, moves nothing. */

/** Nothing in the thread is newer. */
export const IS_NEWEST = 'NOT b.quiet AND coalesce(b.last_message_at <= b.stands_at, true)';
/** Nothing of ours was stored since it came. */
export const IS_OPEN = 'NOT b.quiet AND coalesce(b.last_outbound_at < b.stands_at, true)';
/** The customer has written nothing since it came. */
export const IS_LAST_INBOUND = 'NOT b.quiet AND coalesce(b.last_inbound_at < b.stands_at, true)';

/** The thread shows a message as its last one. */
export const asLast = (shown: string, role: string, at: string): Changes => ({
  last_message_role: `CASE WHEN ${shown} THEN ${role} ELSE b.last_message_role END`,
  last_message_text: `CASE WHEN ${shown} THEN ${previewOf(`coalesce(b.lines::jsonb ->> 'en', b.text)`)} ELSE b.last_message_text END`,
  last_message_lines: `CASE WHEN ${shown} THEN b.lines::jsonb ELSE b.last_message_lines END`,
  last_message_at: `CASE WHEN ${shown} THEN ${at} ELSE b.last_message_at END`,
});
