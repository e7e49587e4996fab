/** One agent's board, as a principal may watch it. */
export interface BoardAddress {
  accountId: string;
  assistantId: string;
}

/**
 * What boards are told apart by, wherever this process keeps something of them: by the account too, so that a key
 * whose row came to name another account's agent shares nothing with that agent's own boards.
 */
export const boardKey = ({ accountId, assistantId }: BoardAddress): string => `${accountId}/${assistantId}`;
