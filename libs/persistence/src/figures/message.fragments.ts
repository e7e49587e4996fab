import { NOTE, QUIET_TYPES } from '@app/contracts/message.words';
import { DAY } from './time.fragments';
import { countsAsAnswer } from '../threads/thread.rules';

/** How long after a template a message of the customer counts as a reply to it. */
export const REPLIES_WITHIN = DAY;

const SAY_NOTHING = [...QUIET_TYPES, NOTE].map((type) => `'${type}'`).join(', ');

/** Whether somebody says something to the other side: not in a reaction, an edit, a removal, a notice or a note. */
export const saysSomething = (row: string): string =>
  `coalesce(CASE WHEN ${row}.type = 'unsupported' THEN ${row}.content ->> 'unsupported_type' ELSE ${row}.type END, '')
             NOT IN (${SAY_NOTHING})`;

/** Whether a message of ours answers what waits before it. */
export const answers = (row: string): string =>
  `(${row}.role <> 'USER' AND ${countsAsAnswer(`${row}.status`)} AND ${saysSomething(row)})`;

/** Messages by their ids, each found by its key whatever the planner knows of the table. */
export const messagesById = (ids: string, columns: string): string => `
    SELECT m.* FROM (SELECT DISTINCT id FROM unnest(${ids}::uuid[]) id) g
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM messages WHERE account_id = :accountId AND id = g.id OFFSET 0) m`;

/** The messages of the same dialog as a row, in the order in which they are read. */
export const inDialogOf = (row: string, message: string, comparison: '<' | '>'): string =>
  `${message}.account_id = :accountId AND ${message}.thread_id = ${row}.thread_id
             AND (${message}.created_at, ${message}.id) ${comparison} (${row}.created_at, ${row}.id)`;
