/** Whether a row of `bot_channels` is stopped now. A stop may have an end. */
export const isStopped = (row: string): string =>
  `(${row}.stopped_at IS NOT NULL AND coalesce(${row}.stopped_until > clock_timestamp(), true))`;

/** Names a number of a bot. What it names is another one once the bot has another number, or the number another bot. */
export const identityOf = (row: string): string =>
  `concat_ws('/', ${row}.account_id, ${row}.bot_id, ${row}.channel, ${row}.sender)`;

/** Whether it can send: it has a credential, and nothing stops it. */
export const isConnected = (row: string): string =>
  `(${row}.credential IS NOT NULL AND NOT ${isStopped(row)})`;
