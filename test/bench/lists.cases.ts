import { LISTS_ACCOUNT } from './lists.account';

/** A call of get-threads, and the bare query that finds the same dialogs. */
export interface ListCase {
  name: string;
  body: object;
  /** Its `$1` is the account. */
  bare: string;
  values: readonly unknown[];
}

const PAGE = 50;

/** The rows of a page as they are, by one statement. */
const rows = (where: string, order: string): string => `
  SELECT t.*, s.name, s.kind, s."order" FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = $1 AND ${where} ORDER BY ${order} LIMIT ${PAGE}`;

export const LIST_CASES: readonly ListCase[] = [
  {
    name: 'newest of one agent',
    body: { assistant_id: LISTS_ACCOUNT.agents[0], limit: PAGE },
    bare: rows('t.assistant_id = $2', 't.id DESC'),
    values: [LISTS_ACCOUNT.agents[0]],
  },
];
