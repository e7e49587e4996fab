import type { Changes } from '../../threads/thread.rules';
import { previewOf } from '../dialog/message-columns';
import type { Entry } from '../../threads/thread-log.statements';
import type { Spreading } from '../../threads/same-customer.statements';

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

/**
 * What differs between the kinds of messages that come in. Expressions over `b`, which has the thread as it was before
 * and the message as it is given.
 */
export interface IncomingKind<Further extends string, Scalar extends string = never> {
  /** What only this kind is given of each message: the parameter, an array of this type, and its column. */
  given: Record<Further, { column: string; type: string }>;
  /** Parameters that are the same for all messages. */
  scalars?: readonly Scalar[];
  role: string;
  status: string;
  createdAt: string;
  /** The message's place among those of its thread; by default its arrival. */
  standsAt?: string;
  /** Whether the thread changes. A new one always does. */
  changes: string;
  /** Whether the message is handled by this statement; otherwise the verdict is `again`. By default it is. */
  handledIf?: string;
  /** Facts by name, computed once: columns of `b` for all that follows. */
  facts: Record<string, string>;
  /** What the message changes of its thread. */
  moves: Changes;
  /** What the agent is to answer: SELECT of account_id, id, waiting_message_id, ai_epoch, due_at from `stored_of`. */
  reply?: string;
  /** What spreads to the customer's other dialogs: which message may do so, and facts of `stored_of`. */
  spreads?: Spreading & { when: string };
  /** The entries of the log beside `opened`, over the changed thread `t`. */
  entries: readonly Entry[];
}

/** What is told of each message; each an array with one entry a message. */
export const GIVEN = [
  'accounts',
  'bots',
  'channels',
  'contacts',
  'phones',
  'userIds',
  'waIds',
  'names',
  'usernames',
  'providerIds',
  'messageIds',
  'threadIds',
  'types',
  'texts',
  'contents',
  'lines',
  'files',
  'sentTimes',
  'quiets',
  ...(['receivedTimes', 'positions', 'webhooks', 'holders', 'traces'] as const),
] as const;

export type Given = (typeof GIVEN)[number];

/** Files of messages, which are fetched later. @param messages with their `file`, null where they have none, and `at` */
export const insertFiles = (messages: string): string => `
    INSERT INTO media (account_id, id, kind, state, mime_type, file_name, bot_id, channel, provider_ref, due_at,
                       transcript_state, transcript_due_at)
    SELECT a.account_id, f.id, f.kind, 'loading', f.mime_type, f.file_name, a.bot_id, a.channel, f.provider_ref, a.at,
           CASE WHEN f.is_transcribed AND (SELECT o.transcription FROM accounts o WHERE o.id = a.account_id) THEN 'pending' END,
           a.at
      FROM ${messages} a CROSS JOIN LATERAL jsonb_to_record(a.file::jsonb)
        AS f (id uuid, kind text, mime_type text, file_name text, provider_ref text, is_transcribed boolean)
     WHERE a.file IS NOT NULL`;
