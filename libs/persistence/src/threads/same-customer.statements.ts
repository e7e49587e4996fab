import { changesConductor, conductAfter } from './conductor.rules';
import { wakeRuns } from './run.statements';
import { appendEvents, ENTRIES, type Entry } from './thread-log.statements';
import { onlyWhere, set, takeBack, takeoverRuns } from './thread.rules';

/**
 * Dialogs that turned out to be of one customer: an opt-out, a permanent off, a START and set-ai `true` of one hold for all.
 * Whatever changes one of these locks all of them first, in the order of their ids, so two that do it wait in no circle.
 */

/** In the history of a dialog to which something came from another one of its customer. */
export const NOTE = 'same_customer';

const BY_SAME_CUSTOMER = `jsonb_build_object('by', 'SYSTEM', 'actor', NULL, 'note', '${NOTE}')`;

/** An entry of what came from another dialog of the customer. */
export const bySameCustomer = ({ body = `'{}'::jsonb`, ...entry }: Entry): Entry => ({
  ...entry,
  body: `${body} || ${BY_SAME_CUSTOMER}`,
});

/**
 * The dialogs of given ones' customers, the given ones included, locked. It is a SELECT for a common table expression
 * `family`, to which whatever locks the given ones refers first ({@link AFTER_FAMILY}).
 * @param threads a SELECT of account_id, id, as the statement's snapshot has them
 */
export const lockedFamily = (threads: string): string => `
    SELECT account_id, id, assistant_id, version, ai_enabled, opted_out, takeover_until, conducted_elsewhere, has_runs, erased_at FROM threads
     WHERE (account_id, id) IN (
       SELECT f.account_id, unnest(array_append(f.same_customer, f.id))
         FROM threads f WHERE (f.account_id, f.id) IN (${threads}) AND f.same_customer IS NOT NULL)
     ORDER BY account_id, id FOR NO KEY UPDATE`;

/** A condition of whoever locks a dialog after its family: always true, and read before the lock. */
export const AFTER_FAMILY = '(SELECT count(*) FROM family) >= 0';

/** Whether all dialogs of the customer are locked. They became known since the snapshot where they are not. */
export const isWholeFamily = (row: string): string =>
  `coalesce(${row}.same_customer <@ ARRAY(SELECT id FROM family), true)`;

/** What may spread, as facts of the dialog in which it happened. */
export interface Spreading {
  /** An opt-out, and a START that ends one. */
  stops?: string;
  starts?: string;
  /** The agent is switched off, and on. */
  silences?: string;
  resumes?: string;
  /** Of an opt request: when it was written, and when it arrived. */
  requestedAt?: string;
  arrivedAt?: string;
}

/**
 * Spreads to the locked `family` of a dialog. Defines `others` and what follows from it.
 * @param from one row `f`: account_id, id, same_customer, at
 */
export const spread = (
  from: string,
  {
    stops = 'false',
    starts = 'false',
    silences = 'false',
    resumes = 'false',
    requestedAt = 'NULL::timestamptz',
    arrivedAt = 'NULL::timestamptz',
  }: Spreading,
): string => `
  others AS MATERIALIZED (
    SELECT o.*, f.at, ${requestedAt} AS requested_at, ${arrivedAt} AS arrived_at,
           ${stops} AND NOT o.opted_out AS stops, (${stops} OR ${silences}) AND o.ai_enabled AS silences,
           ${starts} AND o.opted_out AS starts, o.ai_enabled AS was_enabled, ${takeoverRuns('o', 'f.at')} AS was_taken_over,
           ${resumes} AND (o.conducted_elsewhere OR ${changesConductor('switchedOn', 'o', 'f.at')}) AND NOT o.opted_out AS resumes
      FROM ${from} f JOIN family o ON o.account_id = f.account_id AND o.id = ANY (f.same_customer)
     WHERE o.erased_at IS NULL AND o.id <> f.id),
  others_changed AS (
    UPDATE threads t
       SET ${set(
         conductAfter('t', 'd.at', [
           { when: 'd.stops', event: 'customerStops' },
           { when: 'd.silences', event: 'switchedOff' },
           { when: 'd.starts', event: 'customerStarts' },
           { when: 'd.resumes', event: 'switchedOn' },
         ]),
       )},
           ${set(onlyWhere('d.resumes', 't', takeBack('d.at')))},
           opt_requested_at = CASE WHEN d.stops OR d.starts THEN d.requested_at ELSE t.opt_requested_at END,
           opt_request_arrived_at = CASE WHEN d.stops OR d.starts THEN d.arrived_at ELSE t.opt_request_arrived_at END,
           ai_epoch = t.ai_epoch + 1, last_activity_at = d.at,
           version = t.version + d.stops::int + d.silences::int + d.starts::int + d.resumes::int
      FROM others d WHERE t.account_id = d.account_id AND t.id = d.id AND (d.stops OR d.silences OR d.starts OR d.resumes)
    RETURNING t.account_id, t.id, t.assistant_id, t.has_runs, d.version + 1 AS version, d.at, d.stops, d.silences, d.starts,
              d.resumes, d.was_enabled, d.was_taken_over),
  others_woken AS (${wakeRuns('others_changed')}),
  others_logged AS (${appendEvents('others_changed', { by: `'SYSTEM'`, account: 't.account_id' }, [
    bySameCustomer({ ...ENTRIES.optedOut, when: 't.stops' }),
    bySameCustomer({ ...ENTRIES.optedIn, when: 't.starts' }),
    bySameCustomer({ ...ENTRIES.switchedOff, step: 't.stops::int', when: 't.silences' }),
    bySameCustomer({ ...ENTRIES.switchedOn, when: 't.resumes AND NOT t.was_enabled' }),
    bySameCustomer({ ...ENTRIES.handedToAgent, when: 't.resumes AND t.was_enabled AND t.was_taken_over' }),
    bySameCustomer({ ...ENTRIES.card, when: 't.resumes AND t.was_enabled AND NOT t.was_taken_over' }),
  ])})`;
