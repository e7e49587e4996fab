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
const AGENT = LISTS_ACCOUNT.agents[0];
const MARK = LISTS_ACCOUNT.id.slice(-8);

/** The rows of a page as they are, by one statement. */
const rows = (where: string, order: string): string => `
  SELECT t.*, s.name, s.kind, s."order" FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = $1 AND ${where} ORDER BY ${order} LIMIT ${PAGE}`;

const ordered = (sort: string, order: string, where = 'true'): ListCase => ({
  name: `one agent, by ${sort}`,
  body: { assistant_id: AGENT, sort, limit: PAGE },
  bare: rows(`t.assistant_id = $2 AND ${where}`, order),
  values: [AGENT],
});

/** @param query what the search is for, as the index has it */
const search = (words: string, query: string): ListCase => ({
  name: `search for ${words}`,
  body: { search: words, limit: PAGE },
  bare: rows(
    `EXISTS (SELECT 1 FROM thread_search f WHERE f.account_id = t.account_id AND f.thread_id = t.id
        AND f.customer_words || f.words @@ $2::tsquery)`,
    't.id DESC',
  ),
  values: [query],
});

const word = (begin: string): string => `'${MARK}/${begin}':*`;
const part = (digits: string): string => `'${MARK}#${digits}'`;

export const LIST_CASES: readonly ListCase[] = [
  ordered('opened', 't.id DESC'),
  ordered('activity', 't.last_activity_at DESC, t.id DESC'),
  ordered(
    'waiting',
    'coalesce(t.waiting_since, t.waiting_at), t.id',
    't.waiting_message_id IS NOT NULL AND t.answer_count = 0',
  ),
  search('доставка', word('доставка')),
  search('қала төлем', `${word('қала')} & ${word('төлем')}`),
  search('delivery', word('delivery')),
  search('миларо', word('миларо')),
  search('Нұрлан қағы', `${word('нұрлан')} & ${word('қағы')}`),
  search('п', `'${MARK}^п'`),
  search('ы ң', `'${MARK}^ы' & '${MARK}^ң'`),
  search('736878', `(${word('736878')} | (${part('7368')} & ${part('3687')} & ${part('6878')}))`),
  search('nosuchword', word('nosuchword')),
];
