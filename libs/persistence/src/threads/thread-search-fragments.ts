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
