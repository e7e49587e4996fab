import { statement } from '../database/sql.statements';
import { countBacklog, type WorkBacklog } from '../work/work.statements';
import type { SearchQueueEntity, ThreadEntity } from './thread.entity';
import { transcriptOf, type MediaEntity } from '../media/media.entity';
import { shownContent } from './message-kinds';
import { shownName } from './thread.rules';

/** The words by which a dialog is found: those of its customer and phone, and those of its messages. */
export const searchedWords = (row: string): string => `(${row}.customer_words || ${row}.words)`;

/** Whether a row of `thread_search` has what a search is for. */
export const finds = (row: string, query: string): string => `${searchedWords(row)} @@ ${query}::tsquery`;

/** Before a dialog, in the order of their ids; null: from the newest. */
export const opensBefore = (id: string): string =>
  `${id} < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

/** Has dialogs read anew whose words have changed otherwise than by a message. @param threads rows of threads */
export const findAgain = (threads: string): string => `
  found_again AS (INSERT INTO search_queue (account_id, thread_id) SELECT account_id, id FROM ${threads})`;

/** The newest dialogs that have the words, found by the index over words, however few they are. */
export const FIND = statement('search-find').takes('accountId', 'query', 'before', 'limit').returns<
  Pick<ThreadEntity, 'id'>
>(`
  SELECT f.thread_id AS id FROM thread_search f
   WHERE ${finds('f', ':query')} AND (f.account_id = :accountId AND ${opensBefore('f.thread_id')}) IS TRUE
   ORDER BY f.thread_id DESC LIMIT :limit`);

/** Accounts of which something is to be added: each is found by one step along the index. */
export const DUE_ACCOUNTS = statement('search-due').returns<Pick<SearchQueueEntity, 'account_id'>>(`
  WITH RECURSIVE due AS (
    (SELECT account_id FROM search_queue ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.account_id FROM search_queue q WHERE q.account_id > d.account_id ORDER BY q.account_id LIMIT 1)
      FROM due d WHERE d.account_id IS NOT NULL)
  SELECT account_id FROM due WHERE account_id IS NOT NULL`);

export const BACKLOG = statement('search-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      'SELECT account_id, created_at AS due_at, false AS held FROM search_queue',
      'SELECT NULL::uuid AS account_id WHERE false',
    ),
  );

const WORDS_OF_ACCOUNT = `hashtextextended('words of ' || :accountId::uuid, 0)`;

/** Nobody takes words out while some are added: whoever adds has read the messages before. */
export const SHARE_WORDS = statement('search-share')
  .takes('accountId')
  .returns(`SELECT pg_advisory_xact_lock_shared(${WORDS_OF_ACCOUNT})`);

/** Waits until nobody adds words any more that were read before. */
export const LOCK_WORDS = statement('search-lock')
  .takes('accountId')
  .returns(`SELECT pg_advisory_xact_lock(${WORDS_OF_ACCOUNT})`);

type TakenRow = Pick<SearchQueueEntity, 'thread_id' | 'message_id'>;

/** By an array: for a join the planner takes a tenth of the queue as taken, and reads the whole of it. */
const take = (which: string): string => `
  DELETE FROM search_queue WHERE account_id = :accountId AND id = ANY (ARRAY(
    SELECT id FROM search_queue
     WHERE account_id = :accountId AND ${which} ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING thread_id, message_id`;

/** Takes the oldest new messages. */
export const TAKE_MESSAGES = statement('search-take-messages')
  .takes('accountId', 'limit')
  .returns<TakenRow>(take('message_id IS NOT NULL'));

/** Takes dialogs that are to be read as a whole. */
export const TAKE_DIALOGS = statement('search-take-dialogs')
  .takes('accountId', 'limit')
  .returns<TakenRow>(take('message_id IS NULL'));

export type CustomerRow = Pick<ThreadEntity, 'id' | 'phone' | 'customer_name'>;

export const CUSTOMERS = statement('search-customers').takes('accountId', 'ids').returns<CustomerRow>(`
  SELECT t.id, t.phone, ${shownName('t')} AS customer_name FROM threads t
   WHERE t.account_id = :accountId AND t.id = ANY (:ids::uuid[])`);

/** What a message says. */
export interface SaidOfThread extends Pick<SearchQueueEntity, 'thread_id'> {
  type: string;
  text: string;
  content: Record<string, unknown>;
  /** What is said in its audio. */
  transcript: MediaEntity['transcript_text'];
}

export const TEXTS_OF_MESSAGES = statement('search-texts').takes('accountId', 'ids').returns<SaidOfThread>(`
  SELECT m.thread_id, m.type, m.text, ${shownContent('m')} AS content, ${transcriptOf('m')} AS transcript
    FROM messages m WHERE m.account_id = :accountId AND m.id = ANY (:ids::uuid[])`);

/** The newest messages of each dialog. */
export const TEXTS_OF_DIALOGS = statement('search-texts-of-dialogs').takes('accountId', 'ids', 'limit')
  .returns<SaidOfThread>(`
  SELECT m.thread_id, m.type, m.text, ${shownContent('m')} AS content, ${transcriptOf('m')} AS transcript
    FROM unnest(:ids::uuid[]) d (id) CROSS JOIN LATERAL (
    SELECT account_id, thread_id, type, text, inbound, content, media_id, deleted_at FROM messages WHERE account_id = :accountId AND thread_id = d.id
     ORDER BY created_at DESC, id DESC LIMIT :limit) m`);

/**
 * Adds the words of dialogs, in the order of their ids. What has no new word is not written, because a write makes entries
 * for all words of the dialog. A dialog with very many words gets no more.
 */
export const ADD_WORDS = statement('search-add').takes('accountId', 'documents', 'mostWords').returns(`
  INSERT INTO thread_search AS f (account_id, thread_id, customer_words, words)
  SELECT :accountId::uuid, d.thread_id, array_to_tsvector(d.customer_words), array_to_tsvector(d.words)
    FROM jsonb_to_recordset(:documents::jsonb) AS d (thread_id uuid, customer_words text[], words text[])
   ORDER BY d.thread_id
  ON CONFLICT (account_id, thread_id) DO UPDATE
    SET customer_words = excluded.customer_words,
        words = CASE WHEN length(f.words) < :mostWords::int THEN f.words || excluded.words ELSE f.words END
   WHERE f.customer_words <> excluded.customer_words
      OR (length(f.words) < :mostWords AND f.words || excluded.words <> f.words)`);
