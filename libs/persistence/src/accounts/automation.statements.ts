/**
 * Whether the automation of an account is paused, as far as the statement's snapshot tells: it may be older than a lock
 * that the statement waited for. A permit that it grants by then is void for its holder.
 */
export const automationIsPaused = (account: string): string =>
  `EXISTS (SELECT 1 FROM accounts o WHERE o.id = ${account} AND o.automation_paused)`;
