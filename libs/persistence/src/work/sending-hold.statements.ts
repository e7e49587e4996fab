/**
 * For statements by which a process takes what it sends at once: it may not know yet that sending is held. One row at most
 * is read, in the same statement.
 */
export const IS_NOT_HELD = 'NOT EXISTS (SELECT 1 FROM sending_holds)';
