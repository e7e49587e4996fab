/** What makes a delivery one that is not sent any more. No other statement does. */
export const SKIPPED = `state = 'skipped', due_at = NULL, waits = false`;

/** What makes a delivery one that is to be sent, with all its retries before it. @param at when, an expression */
export const dueAt = (at: string): string =>
  `state = 'pending', due_at = ${at}, waits = false, tries = 0, failed_at = NULL`;
