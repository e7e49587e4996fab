import { randomUUIDv7 } from 'node:crypto';
import type { ImportFault } from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import.entity';
import type { ChunkEnd, LeadOfRow } from '@app/persistence/transfer/import-work.repository';
import { rowFault } from './fault-texts';
import type { LeadNames, Named } from './lead-names';

/** A row with the lead that it makes or changes. */
export interface PlannedRow {
  row: number;
  lead: LeadOfRow;
}

/** What is to be done with some rows. */
export interface ChunkPlan {
  planned: PlannedRow[];
  faults: ImportFault[];
  faulty: number;
}

/** Finds what the rows name, and says what is wrong with those that cannot be taken in. */
export function planOf(rows: readonly ImportRow[], names: LeadNames): ChunkPlan {
  const plan: ChunkPlan = { planned: [], faults: [], faulty: 0 };
  for (const each of rows) {
    const { row, phone, contact, name = null } = each;
    const status = each.status === undefined ? null : names.stage(each.status);
    const assignee = each.assignee === undefined ? null : names.person(each.assignee);
    const faults = [
      ...(each.faults ?? []),
      ...(status && 'fault' in status ? [rowFault('status', status.fault)] : []),
      ...(assignee && 'fault' in assignee ? [rowFault('assignee', assignee.fault)] : []),
    ];
    if (faults.length > 0 || phone === undefined || contact === undefined) {
      plan.faulty += 1;
      plan.faults.push(...faults.map((fault) => ({ row, ...fault })));
      continue;
    }
    const given = { status_id: idOf(status), name, assignee_id: idOf(assignee) };
    plan.planned.push({ row, lead: { contact, phone, ...given, newThreadId: randomUUIDv7() } });
  }
  return plan;
}

const idOf = (named: Named | null): string | null => (named && 'id' in named ? named.id : null);

/** What became, or would become, of a planned row. */
export type RowOutcome = 'created' | 'moved' | 'unchanged' | 'other_agent';

/** Counts what became of a plan. */
export function endOf(
  { planned, faults, faulty }: ChunkPlan,
  outcomeOf: (lead: LeadOfRow) => RowOutcome,
): ChunkEnd {
  const end = { created: 0, moved: 0, unchanged: 0, faulty };
  const further: ImportFault[] = [];
  for (const { row, lead } of planned) {
    const outcome = outcomeOf(lead);
    if (outcome !== 'other_agent') end[outcome] += 1;
    else {
      end.faulty += 1;
      further.push({ row, ...rowFault('phone', 'other_agent') });
    }
  }
  return { ...end, faults: [...faults, ...further].toSorted((a, b) => a.row - b.row) };
}
