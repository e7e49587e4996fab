/** One agent's board, as a principal may watch it. */
export interface BoardAddress {
  accountId: string;
  assistantId: string;
}

/**
 * The key by which this process tells boards apart. It includes the account, so that a key whose row names another
 * account's agent shares nothing with that agent's boards.
 */
export const boardKey = ({ accountId, assistantId }: BoardAddress): string => `${accountId}/${assistantId}`;
