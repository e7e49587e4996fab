import type { ImportFailure, ImportFault, ImportState } from '@app/contracts/transfer.words';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { WouldStart } from '@app/persistence/scenarios/runs/scenario-start.repository';
import type { ImportEntity } from '@app/persistence/transfer/import.entity';
import type { AuditedAct } from '../audit/audit.service';

/** What the audit tells of an import that is cancelled after so many rows. */
export const cancelledImport =
  ({ accountId, id, rows }: { accountId: string; id: string; rows: number | null }) =>
  (done: number): AuditedAct => ({
    subject: { type: 'import', accountId, id, name: null },
    after: { state: 'cancelled', rows, done },
  });

/** An import as its callers see it. */
export interface LeadImport {
  import_id: string;
  assistant_id: string;
  bot_id: string;
  channel: string;
  dry_run: boolean;
  state: ImportState;
  /** Why it failed; null: it did not. */
  failure: ImportFailure | null;
  rows: number;
  /** The sum of the next four. */
  done: number;
  created: number;
  moved: number;
  unchanged: number;
  faulty: number;
  faults: ImportFault[];
  /** Names of columns of its file that are not known. */
  ignored_columns: string[];
  /** Of one that changes nothing; else null. */
  would_start: WouldStart | null;
  created_at: string;
  finished_at: string | null;
}

export function presentImport(row: ImportEntity, faults: ImportFault[]): LeadImport {
  const { rows, done, dry_run, failure, state } = row;
  return {
    ...{ import_id: row.id, assistant_id: row.assistant_id, bot_id: row.bot_id },
    channel: row.channel.toUpperCase(),
    dry_run,
    state: state === 'loading' ? 'running' : state,
    failure,
    ...{ rows, done, created: row.created_rows, moved: row.moved_rows },
    ...{ unchanged: row.unchanged_rows, faulty: row.faulty_rows, faults },
    ignored_columns: row.ignored_columns,
    would_start: dry_run ? { runs: row.would_run, messages: row.would_send } : null,
    created_at: row.created_at.toISOString(),
    finished_at: isoOrNull(row.finished_at),
  };
}
