import type { HistoryType, Actor, Assignee, StageRef } from '@app/contracts/lead.words';
import type { RunCause } from '@app/contracts/scenario.words';
import { threadIdOrNothing } from '@app/contracts/uuid.format';
import { HistoryRepository, type HistoryRow } from '@app/persistence/leads/history.repository';
import { Injectable } from '@nestjs/common';
import { administers, visibilityOf, type Principal } from '../accounts/principal.rules';
import { ThreadNotFoundError } from './lead.errors';

export interface HistoryEntry {
  seq: number;
  at: string;
  type: HistoryType;
  by: string;
  actor: Actor | null;
  /** The id of the call that caused it; null: the service did it by itself. */
  request_id: string | null;
  /** Of an `attention` that was cleared: its reason. */
  from: StageRef | Assignee | boolean | string | null;
  /** The reason, for `reply_discarded` and `attention`. */
  to: StageRef | Assignee | boolean | string | null;
  /**
   * Why the agent handed the dialog over, in the model's words, and for admins what the model's server said of a failure;
   * absent for other entries.
   */
  note?: string;
  /** Of an `attention` whose note is about the provider's refusal of a message: its own number; absent for others. */
  provider_code?: number;
  /** Of a run: who began it, ended it by hand, or had it go on; absent where nobody did. */
  cause?: RunCause;
}

/** What happened to a dialog, read from the event log. */
@Injectable()
export class HistoryService {
  constructor(private readonly history: HistoryRepository) {}

  /**
   * A page of a dialog's history, newest first.
   * @param before the `seq` of the last entry already seen, or null
   * @throws ThreadNotFoundError
   */
  async getHistory(
    by: Principal,
    threadId: string,
    before: number | null,
    limit: number,
  ): Promise<{ entries: HistoryEntry[]; nextBefore: number | null }> {
    const uuid = threadIdOrNothing(threadId);
    const rows = await this.history.page(visibilityOf(by), uuid, before, limit + 1);
    if (!rows) throw new ThreadNotFoundError();
    const entries = rows.slice(0, limit).map((row) => present(row, administers(by)));
    return { entries, nextBefore: rows.length > limit ? (entries.at(-1)?.seq ?? null) : null };
  }
}

/** The former value and the new one. */
function valuesOf(row: HistoryRow): [HistoryEntry['from'], HistoryEntry['to']] {
  if (row.type === 'status') return [row.from_stage, row.to_stage];
  if (row.type === 'assignee') return [row.from_person, row.to_person];
  return [row.from_word, row.to_word];
}

function present(row: HistoryRow, isAdmin: boolean): HistoryEntry {
  const { seq, at, type, by, actor, request_id } = row;
  const [from, to] = valuesOf(row);
  return {
    seq,
    at: at.toISOString(),
    type,
    by,
    actor,
    request_id,
    from,
    to,
    ...(row.note !== null && (isAdmin || type !== 'model_error') && { note: row.note }),
    ...(row.provider_code !== null && { provider_code: row.provider_code }),
    ...(row.cause !== null && { cause: row.cause }),
  };
}
