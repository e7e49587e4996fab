import type { Actor } from '@app/contracts/lead.words';
import type { Visibility } from '../accounts/reach-scope';
import type { ValuesOf } from '../database/sql.statements';
import type { ThreadEntity } from './thread.entity';
import { set, type Changes } from './thread.rules';
import { appendEvents, type Entry } from './thread-log.statements';

/** What a caller changes of a thread, besides its stage and its switch. */
export interface ThreadEdit {
  /** Columns of the locked row, beside `id`, for the expressions below. */
  reads: readonly (keyof ThreadEntity)[];
  /** Facts that are computed after the lock, by name: columns of `d`. */
  facts?: Record<string, string>;
  /** Whether it changes the locked row `d`, which also has the time `at`. */
  differs: string;
  /** New values, over `t` and `d`. */
  changes: Changes;
  /** The entry of the log, over the changed thread `t`, whose former values are `was_<column>`. */
  entry: Entry;
}

/** A call that changes a thread. */
export interface ThreadCall {
  threadId: string;
  /** Who calls, in the history's words. */
  by: string;
  actor: Actor;
  requestId: string | null;
}

/** Parameters of every edit: whose it is, and of which thread. */
export const EDITING = ['accountId', 'threadId', 'assistantIds', 'by', 'actor', 'requestId'] as const;

/** Their values. */
export const editingValues = (
  { accountId, assistantIds }: Visibility,
  { threadId, by, actor, requestId }: ThreadCall,
): ValuesOf<(typeof EDITING)[number]> => ({
  ...{ accountId, threadId, assistantIds, by, requestId },
  actor: JSON.stringify(actor),
});

/**
 * Changes a thread under its lock, as parts of WITH. `decided` is the row as it was, none where the caller
 * sees no such thread. `edited` is the changed one, none where nothing differs: then nothing is appended either.
 */
export const editThread = ({ reads, facts = {}, differs, changes, entry }: ThreadEdit): string => `
  cur AS MATERIALIZED (
    SELECT id, version, ${reads.join(', ')} FROM threads
     WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[]) AND erased_at IS NULL
       FOR NO KEY UPDATE),
  decided AS MATERIALIZED (
    SELECT c.*, clock_timestamp() AS at${Object.entries(facts)
      .map(([name, expression]) => `, ${expression} AS ${name}`)
      .join('')} FROM cur c),
  edited AS (
    UPDATE threads t SET ${set(changes)}, version = t.version + 1
      FROM decided d WHERE t.account_id = :accountId AND t.id = d.id AND ${differs}
    RETURNING t.account_id, t.id, t.assistant_id, t.version, d.at${reads
      .map((column) => `, d.${column} AS was_${column}`)
      .join('')}),
  logged AS (${appendEvents('edited', { by: ':by::text', actor: ':actor::jsonb', request: ':requestId::text' }, [entry])})`;
