import { HISTORY_TYPES, type HistoryType, type Assignee, type StageRef } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { AsNumbers, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { Visibility } from '../accounts/reach-scope';
import type { EventBody, EventEntity } from '../events/event.entity';

/** What entries of a dialog's log name by ids, as the API shows it. */

/** A stage of the row, or null where there is none. */
export const stageRef = (row: string): string =>
  `CASE WHEN ${row}.id IS NOT NULL THEN
     jsonb_build_object('id', ${row}.id, 'name', ${row}.name, 'kind', ${row}.kind, 'order', ${row}."order") END`;

/** A person of the row, or null where there is none. */
export const personRef = (row: string): string =>
  `CASE WHEN ${row}.id IS NOT NULL THEN jsonb_build_object('id', ${row}.id, 'name', ${row}.name) END`;

/** Types of entries whose values are of other rows. */
const OF_OTHER_ROWS = `('status', 'assignee')`;

/** What an entry `e` of a type names by its id. */
const namedBy = (type: string, value: 'from' | 'to'): string =>
  `CASE e.type WHEN '${type}' THEN (e.body ->> '${value}')::uuid END`;

/** Joins to an entry `e` the stages `f` and `n` and the persons `fp` and `np` that it names: the former and the new ones. */
export const namedRows = (account: string): string => `
    LEFT JOIN statuses f ON f.account_id = ${account} AND f.id = ${namedBy('status', 'from')}
    LEFT JOIN statuses n ON n.account_id = ${account} AND n.id = ${namedBy('status', 'to')}
    LEFT JOIN users fp ON fp.account_id = ${account} AND fp.id = ${namedBy('assignee', 'from')}
    LEFT JOIN users np ON np.account_id = ${account} AND np.id = ${namedBy('assignee', 'to')}`;

/** An entry of a dialog's history. */
export interface HistoryRow
  extends
    Pick<EventEntity, 'at'>,
    AsNumbers<Pick<EventEntity, 'seq'>>,
    Required<Pick<EventBody, 'by' | 'actor' | 'request_id'>>,
    OrNull<Required<Pick<EventBody, 'cause'>>> {
  type: HistoryType;
  /**
   * Booleans of the switch and the opt-out, who conducts the dialog, a name, or a reason; null for a stage or a person,
   * and where there was no former value.
   */
  from_word: boolean | string | null;
  to_word: boolean | string | null;
  /** Free text besides the reason. */
  note: string | null;
  /** The provider's own number, where the note is about its refusal. */
  provider_code: number | null;
  from_stage: StageRef | null;
  to_stage: StageRef | null;
  from_person: Assignee | null;
  to_person: Assignee | null;
}

/** `before` is a seq or null. One row with nulls: a dialog without entries. */
const PAGE = statement('history-page').takes(
  'accountId',
  'threadId',
  'assistantIds',
  'before',
  'limit',
  'types',
).returns<HistoryRow>(`
  SELECT e.seq::float8 AS seq, e.at, e.type, e.body ->> 'by' AS by, e.body -> 'actor' AS actor, e.body ->> 'request_id' AS request_id,
         CASE WHEN e.type NOT IN ${OF_OTHER_ROWS} THEN e.body -> 'from' END AS from_word,
         CASE WHEN e.type NOT IN ${OF_OTHER_ROWS} THEN e.body -> 'to' END AS to_word,
         e.body ->> 'note' AS note, (e.body ->> 'provider_code')::int AS provider_code, e.body -> 'cause' AS cause,
         ${stageRef('f')} AS from_stage, ${stageRef('n')} AS to_stage,
         ${personRef('fp')} AS from_person, ${personRef('np')} AS to_person
    FROM threads t
    LEFT JOIN LATERAL (
      SELECT seq, at, type, body FROM events WHERE account_id = :accountId AND thread_id = :threadId AND seq < coalesce(:before::bigint, 9223372036854775807)
        AND type = ANY (:types::text[]) ORDER BY seq DESC LIMIT :limit) e ON true${namedRows(':accountId')}
   WHERE t.account_id = :accountId AND t.id = :threadId AND t.assistant_id = ANY (:assistantIds::uuid[])
   ORDER BY e.seq DESC`);

@Injectable()
export class HistoryRepository {
  constructor(private readonly database: Database) {}

  /**
   * Entries of one dialog, newest first.
   * @param before the `seq` of the entry that the page follows; null for the newest
   * @returns null when the caller sees no such dialog.
   */
  async page(
    of: Visibility,
    threadId: string,
    before: number | null,
    limit: number,
  ): Promise<HistoryRow[] | null> {
    const { accountId, assistantIds } = of;
    const values = { accountId, threadId, assistantIds, before, limit, types: HISTORY_TYPES };
    const rows = await this.database.runFor(accountId, PAGE, values);
    if (rows.length === 0) return null;
    return rows.filter((row) => row.seq !== null);
  }
}
