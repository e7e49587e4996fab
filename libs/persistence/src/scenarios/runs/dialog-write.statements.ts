import type { AsNumbers } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { PERMITTED_BY, type PermitRow } from '../../work/heartbeat.statements';
import { askForOperator, onlyWhere, set } from '../../threads/thread.rules';
import { appendEvents } from '../../threads/thread-log.statements';

/** What becomes of dialogs and their runs, as given; each row is locked by its thread. */
const GIVEN = `
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  dialogs AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:dialogs::jsonb)
      AS d (thread_id uuid, has_runs boolean, due_at timestamptz, lease_ms float8, permit_ms float8, entries jsonb,
            attention text, attention_note text, attention_provider_code integer)),
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:runs::jsonb)
      AS g (id uuid, state text, reason text, at_step integer, progress jsonb, next_at timestamptz, due_since timestamptz,
            speaks boolean, takes_back boolean, spoke_at timestamptz, last_message_id uuid, detached boolean,
            handed_over boolean, revision integer))`;

const WRITTEN = `
  written AS (
    UPDATE scenario_runs r
       SET state = g.state, reason = g.reason, at_step = g.at_step, progress = g.progress, next_at = g.next_at,
           due_since = g.due_since,
           spoke_at = CASE WHEN g.speaks THEN c.at WHEN g.takes_back THEN g.spoke_at ELSE r.spoke_at END,
           last_message_id = g.last_message_id, revision = g.revision, detached = g.detached, handed_over = g.handed_over,
           finished_at = CASE WHEN g.state IN ('done', 'failed', 'cancelled') THEN coalesce(r.finished_at, c.at) END
      FROM given g CROSS JOIN clock c
     WHERE r.account_id = :accountId AND r.id = ANY (:runIds::uuid[]) AND r.id = g.id),
  not_begun AS (DELETE FROM scenario_runs r WHERE r.account_id = :accountId AND r.id = ANY (:notBegunIds::uuid[]))`;

/** The entries of the dialogs' histories: of their runs, and of a person who is asked for. */
const LOGGED = `
  touched AS (
    UPDATE threads t
       SET version = t.version + jsonb_array_length(d.entries), has_runs = d.has_runs,
           ${set(onlyWhere('d.attention IS NOT NULL', 't', askForOperator('d.attention', 'd.attention_note', 'c.at', 'd.attention_provider_code')))}
      FROM dialogs d CROSS JOIN clock c
     WHERE t.account_id = :accountId AND t.id = ANY (:threadIds::uuid[]) AND t.id = d.thread_id
       AND (jsonb_array_length(d.entries) > 0 OR t.has_runs <> d.has_runs)
    RETURNING t.id, t.assistant_id, t.version - jsonb_array_length(d.entries) AS base, c.at, d.entries),
  entries AS (
    SELECT t.id, t.assistant_id, t.base + e.n AS version, t.at, e.entry
      FROM touched t CROSS JOIN jsonb_array_elements(t.entries) WITH ORDINALITY AS e (entry, n)),
  logged AS (${appendEvents('entries', { by: `'SCENARIO'`, actor: `t.entry -> 'actor'` }, [
    { type: `t.entry ->> 'type'`, body: `t.entry -> 'body'` },
  ])})`;

/** Parameters of what {@link DIALOGS_WRITTEN} reads. */
export const DIALOGS_WRITTEN_TAKES = [
  'accountId',
  'threadIds',
  'dialogs',
  'runIds',
  'runs',
  'notBegunIds',
] as const;

/** Runs and histories of dialogs whose threads are locked. It defines `clock`, `dialogs` and `logged`. */
export const DIALOGS_WRITTEN = `${GIVEN},
  ${WRITTEN},
  ${LOGGED}`;

/**
 * Writes what became of the runs of dialogs that this process serves. `lease_ms` null gives a dialog back; `permit_ms`
 * grants a permit for an effect outside.
 */
export const WRITE = statement('scenario-dialogs-write').takes(...DIALOGS_WRITTEN_TAKES).returns<
  AsNumbers<{ logged: number }> & PermitRow
>(`
  WITH ${DIALOGS_WRITTEN},
  kept AS (
    UPDATE scenario_queues q
       SET due_at = CASE WHEN d.lease_ms IS NULL THEN coalesce(d.due_at, 'infinity') ELSE q.due_at END,
           lease_token = CASE WHEN d.lease_ms IS NOT NULL THEN q.lease_token END,
           lease_until = c.at + make_interval(secs => d.lease_ms / 1000),
           permit_until = c.at + make_interval(secs => d.permit_ms / 1000)
      FROM dialogs d CROSS JOIN clock c
     WHERE q.account_id = :accountId AND q.thread_id = ANY (:threadIds::uuid[]) AND q.thread_id = d.thread_id
       AND d.has_runs),
  left_alone AS (
    DELETE FROM scenario_queues q USING dialogs d
     WHERE q.account_id = :accountId AND q.thread_id = ANY (:threadIds::uuid[]) AND q.thread_id = d.thread_id
       AND NOT d.has_runs)
  SELECT count(*)::float8 AS logged, ${PERMITTED_BY} FROM logged`);
