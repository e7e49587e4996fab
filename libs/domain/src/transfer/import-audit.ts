import type { AuditedAct } from '../audit/audit.service';

/** What the audit tells of an import that is cancelled after so many rows. */
export const cancelledImport =
  ({ accountId, id, rows }: { accountId: string; id: string; rows: number | null }) =>
  (done: number): AuditedAct => ({
    subject: { type: 'import', accountId, id, name: null },
    after: { state: 'cancelled', rows, done },
  });
