import type { Entry } from '../../threads/thread-log.statements';
import type { Spreading } from '../../threads/same-customer.statements';
import type { Changes } from '../../threads/thread.rules';

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
  ...([
    'accounts',
    'bots',
    'channels',
    'contacts',
    'phones',
    'userIds',
    'waIds',
    'names',
    'usernames',
  ] as const),
  ...([
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
  ] as const),
  ...(['receivedTimes', 'positions', 'webhooks', 'holders', 'traces'] as const),
] as const;

export type Given = (typeof GIVEN)[number];
