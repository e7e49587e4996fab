import { appendAccountEvents } from '../events/account-event.statements';
import type { BotChannelEntity } from './bot-channel.entity';

/** The columns of a number that is in no trouble. */
export const NO_TROUBLE = { trouble_code: null, trouble_at: null } satisfies Partial<BotChannelEntity>;

/** The same for a statement. */
export const ENDS_TROUBLE = Object.keys(NO_TROUBLE)
  .map((column) => `${column} = NULL`)
  .join(', ');

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
