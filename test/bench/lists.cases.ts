import type { BoardClient } from '../support/clients/board.client';
import { expectAnswer } from './answer.expectation';
import type { HttpConnection } from './http.connection';
import { LISTS_ACCOUNT, stagesOf } from './lists.account';

export interface ListCallers {
  http: HttpConnection;
  board: BoardClient;
}

/** A call of a list or of a board, and the bare queries that find the same dialogs. */
export interface ListCase {
  name: string;
  /** Rejects if it is refused. */
  call(callers: ListCallers): Promise<unknown>;
  bare: readonly string[];
  /** Of each bare query, after the account. */
  values: readonly unknown[];
  /** Between two calls, for a board's connection may ask 20 times a second. */
  pauseMs?: number;
}

const PAUSE_MS = 60;

/** Escaped, because a connection counts one byte for a letter. */
const asciiJson = (body: object): string =>
  JSON.stringify(body).replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @param found what the answer has: that nothing is found is quick to say */
const listed = (body: object, found = '"threads":[{'): ListCase['call'] => {
  const text = asciiJson({ limit: PAGE, ...body });
  return async ({ http }) => {
    const reply = await http.post('/api/v1/messages/get-threads', LISTS_ACCOUNT.key, text);
    expectAnswer('get-threads', reply, [found]);
  };
};

const NOTHING = '"threads":[]';
/** Of few dialogs none may have them. */
const SOME_OR_NONE = '"threads":[';
const PAGE = 50;
const AGENT = LISTS_ACCOUNT.agents[0] ?? '';
const STAGE = stagesOf(0)[7] ?? '';
const MARK = LISTS_ACCOUNT.id.slice(-8);

/** The rows of a page as they are, by one statement. */
const rows = (where: string, order: string): string => `
  SELECT t.*, s.name, s.kind, s."order" FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = $1 AND ${where} ORDER BY ${order} LIMIT ${PAGE}`;

const ordered = (sort: string, order: string, where = 'true'): ListCase => ({
  name: `one agent, by ${sort}`,
  call: listed({ assistant_id: AGENT, sort }),
  bare: [rows(`t.assistant_id = $2 AND ${where}`, order)],
  values: [AGENT],
});

const filtered = (words: string, filter: object, where: string): ListCase => ({
  name: `one agent, ${words}`,
  call: listed({ assistant_id: AGENT, ...filter }),
  bare: [rows(`t.assistant_id = $2 AND ${where}`, 't.id DESC')],
  values: [AGENT],
});

/** @param where what the filter asks of a thread */
const totals = (where = 'true'): string =>
  `SELECT status_id, count(*) FROM threads t WHERE account_id = $1 AND assistant_id = $2 AND ${where} GROUP BY 1`;

const counted = (words: string, filter: object, where: string): ListCase => ({
  name: `one agent, ${words}, with totals`,
  call: listed({ assistant_id: AGENT, counts: true, ...filter }),
  bare: [rows(`t.assistant_id = $2 AND ${where}`, 't.id DESC'), totals(where)],
  values: [AGENT],
});

const BY_ACTIVITY = 'last_activity_at DESC, id DESC';
const BY_WAITING = 'coalesce(waiting_since, waiting_at), id';

/** The first cards of every column, and the totals. Dialogs without a stage are a column too. */
const board = (where: string, order: string): string[] => {
  const column = (stage: string): string => `
    SELECT * FROM threads t WHERE account_id = $1 AND assistant_id = $2 AND ${stage} AND ${where}
     ORDER BY status_id, ${order} LIMIT ${PAGE}`;
  return [
    `SELECT t.*, s.name, s.kind, s."order" FROM statuses s CROSS JOIN LATERAL (${column('status_id = s.id')}) t
      WHERE s.account_id = $1 AND s.assistant_id = $2
     UNION ALL SELECT t.*, NULL, NULL, NULL FROM (${column('status_id IS NULL')}) t`,
    totals(where),
  ];
};

const opened = (words: string, further: object, where: string, order: string): ListCase => ({
  name: `board, ${words}`,
  call: async ({ board: client }) => client.open(AGENT, { limit: PAGE, ...further }),
  bare: board(where, order),
  values: [AGENT],
  pauseMs: PAUSE_MS,
});

/** The cards of a column after its first one, by the cursor that the board's opening gave. */
const more = (words: string, further: object, where: string, order: string): ListCase => {
  let cursor: Promise<string> | undefined;
  return {
    name: `board, ${words}, next cards`,
    call: async ({ board: client }) => {
      cursor ??= client.open(AGENT, { limit: 1, ...further }).then(({ columns }) => {
        const column = columns.find(({ status_id }) => status_id === STAGE);
        if (!column?.next_cursor) throw new Error(`the column has ${column?.cards.length ?? 0} cards only`);
        return column.next_cursor;
      });
      return client.more({
        ...{ assistant_id: AGENT, status_id: STAGE, limit: PAGE, cursor: await cursor },
        ...further,
      });
    },
    bare: [
      `SELECT * FROM threads t WHERE account_id = $1 AND assistant_id = $2 AND status_id = '${STAGE}' AND ${where}
        ORDER BY status_id, ${order} OFFSET 1 LIMIT ${PAGE}`,
    ],
    values: [AGENT],
    pauseMs: PAUSE_MS,
  };
};

/** @param query what the search is for, as the index has it */
const search = (words: string, query: string, found?: string): ListCase => ({
  name: `search for ${words}`,
  call: listed({ search: words }, found),
  bare: [
    rows(
      `EXISTS (SELECT 1 FROM thread_search f WHERE f.account_id = t.account_id AND f.thread_id = t.id
          AND f.customer_words || f.words @@ $2::tsquery)`,
      't.id DESC',
    ),
  ],
  values: [query],
});

const word = (begin: string): string => `'${MARK}/${begin}':*`;
const part = (digits: string): string => `'${MARK}#${digits}'`;

/** It tells what a call costs beside its query, which every other case has too. */
export const ONE_DIALOG: ListCase = {
  name: 'one dialog',
  call: listed({ assistant_id: AGENT, limit: 1 }),
  bare: [rows('t.assistant_id = $2', 't.id DESC').replace(`LIMIT ${PAGE}`, 'LIMIT 1')],
  values: [AGENT],
};

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
  search('миларо', word('миларо'), SOME_OR_NONE),
  search('Нұрлан қағы', `${word('нұрлан')} & ${word('қағы')}`, SOME_OR_NONE),
  search('п', `'${MARK}^п'`),
  search('ы ң', `'${MARK}^ы' & '${MARK}^ң'`, NOTHING),
  search(
    '736878',
    `(${word('736878')} | (${part('7368')} & ${part('3687')} & ${part('6878')}))`,
    SOME_OR_NONE,
  ),
  search('nosuchword', word('nosuchword'), NOTHING),
  filtered('unread', { unread: true }, 't.unread_count > 0'),
  filtered('asked for a person', { attention: true }, 't.attention IS NOT NULL'),
  filtered('opted out', { opted_out: true }, 't.opted_out'),
  filtered('assigned to nobody', { assignee_id: null }, 't.assignee_id IS NULL'),
  filtered(
    'at two stages',
    { status_ids: stagesOf(0).slice(0, 2) },
    `t.status_id IN (${stagesOf(0)
      .slice(0, 2)
      .map((id) => `'${id}'`)
      .join()})`,
  ),
  counted('all', {}, 'true'),
  counted('unread', { unread: true }, 't.unread_count > 0'),
  opened('all', {}, 'true', BY_ACTIVITY),
  opened('unread', { filter: { unread: true } }, 't.unread_count > 0', BY_ACTIVITY),
  opened('the longest waiting first', { sort: 'waiting' }, 'true', BY_WAITING),
  more('all', {}, 'true', BY_ACTIVITY),
  more('unread', { filter: { unread: true } }, 't.unread_count > 0', BY_ACTIVITY),
];
