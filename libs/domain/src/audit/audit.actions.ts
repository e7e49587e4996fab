import type { Operation } from '../accounts/access.table';

/** What is audited besides operations. */
export const FURTHER_ACTIONS = [
  'access.refused',
  'session.create',
  'session.refused',
  'user.accept_invitation',
] as const;

/** What an entry says was done: `<thing>.<verb>`, for an operation its name. */
export type AuditAction = Operation | (typeof FURTHER_ACTIONS)[number];
