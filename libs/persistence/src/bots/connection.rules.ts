/** Whether a row of `bot_channels` is stopped now. A stop may have an end. */
export const isStopped = (row: string): string =>
  `(${row}.stopped_at IS NOT NULL AND coalesce(${row}.stopped_until > clock_timestamp(), true))`;

/** Whether it can send: it has a credential, and nothing stops it. */
export const isConnected = (row: string): string =>
  `(${row}.credential IS NOT NULL AND NOT ${isStopped(row)})`;
