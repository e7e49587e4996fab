import { appendAccountEvents } from '../events/account-event.fragments';

/** Of a number that has not been in trouble, or in none that is over. */
export const NO_TROUBLE = 'trouble_code = NULL, trouble_at = NULL';

/**
 * Tells of numbers that are in trouble, or no longer.
 * @param numbers rows with account_id, bot_id, channel and code
 * @param message an expression over `n`: what to do about it; null: it is over
 */
export const appendTroubles = (numbers: string, message: string | null): string =>
  appendAccountEvents(
    `(SELECT n.account_id, o.assistant_id, jsonb_build_object(
               'bot_id', n.bot_id, 'channel', n.channel, 'code', n.code, 'message', ${message ?? 'NULL'},
               'resolved', ${String(message === null)}) AS body
        FROM ${numbers} n JOIN bots o ON o.account_id = n.account_id AND o.id = n.bot_id)`,
    `'bot_trouble'`,
  );
