import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase, type Transaction } from '../database/database.service';
import { CURRENT_XID } from '../events/event.statements';
import {
  type ChangedHour,
  CONVERT,
  CONVERT_ANEW,
  ADD_STAYS,
  KEEP_MESSAGES,
  MARK_REPLIES,
  TIME_ANSWERS,
  type CountedMessage,
} from './figure-count.statements';
import { FORGET } from './figure-range.statements';
import type { WorkBacklog } from '../work/work.statements';
import {
  ADVANCE,
  BACKLOG,
  BEGIN,
  BEHIND,
  CHANGE_SUCCESS,
  CHOOSE_NEXT,
  LOCK,
  LOCK_IF_FREE,
  NEWEST,
  NEXT_EVENTS,
  type FigureEvent,
  type LockedPosition,
} from './position.statements';

/** Events that one transaction counts: some 100 ms. */
const EVENTS_AT_ONCE = 1_000;
/** Dialogs for which one transaction decides anew which stays led to success. */
const DIALOGS_AT_ONCE = 2_000;
const AGENTS_AT_ONCE = 1_000;

/** An agent, whose log is counted by itself. */
export interface FigureAgent {
  accountId: string;
  assistantId: string;
}

/** What came of a transaction: `more` is left to do, or nothing is. */
type Step = 'more' | 'over';

/**
 * Counts the log of an agent's dialogs: what figures are read from follows from it. One transaction at a time counts for
 * an agent, and keeps what it counted together with its position, so each event counts once whoever is killed.
 */
@Injectable()
export class FigureCountRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** What is due is agents, since their oldest event that is not counted for good. */
  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    const [backlog] = await this.work.run(BACKLOG, { accountId });
    return backlog;
  }

  /** Agents with events that are not counted. */
  async behind(): Promise<{ accountId: string; id: string }[]> {
    return this.work.run(BEHIND, { limit: AGENTS_AT_ONCE });
  }

  /**
   * Chooses up to which event is counted for good next. Numbers become visible in any order: whoever has taken one below
   * it had a transaction before the number was read, so all are visible once each older transaction is over.
   */
  async chooseNext(agent: FigureAgent): Promise<void> {
    const owner = ownerOf(agent);
    const [newest] = await this.database.runFor(owner, NEWEST, { ...agent });
    const [current] = await this.database.runFor(owner, CURRENT_XID);
    await this.database.runFor(owner, BEGIN, { ...agent });
    const chosen = { seq: newest?.seq ?? 0, xid: current?.xid ?? '0' };
    await this.database.runFor(owner, CHOOSE_NEXT, { ...agent, ...chosen });
  }

  /** Counts some events for good, up to the number chosen. Where another process counts for the agent, nothing is left to do. */
  async countNext(agent: FigureAgent): Promise<Step> {
    return this.database.transactFor(ownerOf(agent), async (transaction) => {
      const [position] = await transaction.run(LOCK_IF_FREE, { ...agent });
      if (!position) return 'over';
      if (await this.decideAnew(transaction, agent, position)) return 'more';
      const { seq: after, next_seq: upTo, passed, success_ids: successIds } = position;
      if (upTo === null || !passed) return 'over';
      const events = await this.count(transaction, agent, { after, upTo, successIds });
      const isLast = events.length < EVENTS_AT_ONCE;
      await transaction.run(ADVANCE, { ...agent, seq: isLast ? upTo : (events.at(-1)?.seq ?? upTo) });
      return isLast ? 'over' : 'more';
    });
  }

  /**
   * Counts what is visible above the position without moving it: a number below may become visible yet, and then all
   * above are counted once more, with the same result.
   * @param transactions at most
   * @returns whether everything that is visible is counted
   */
  async countVisible(agent: FigureAgent, transactions: number): Promise<boolean> {
    await this.database.runFor(ownerOf(agent), BEGIN, { ...agent });
    let after: number | null = null;
    for (let step = 0; step < transactions; step += 1) {
      const counted = await this.countAbove(agent, after);
      if (counted === 'redone') continue;
      if (counted.length < EVENTS_AT_ONCE) return true;
      after = counted.at(-1)?.seq ?? null;
    }
    return false;
  }

  private async countAbove(agent: FigureAgent, last: number | null): Promise<FigureEvent[] | 'redone'> {
    return this.database.transactFor(ownerOf(agent), async (transaction) => {
      const [position] = await transaction.run(LOCK, { ...agent });
      if (!position) return [];
      const { seq, success_ids: successIds } = position;
      if (await this.decideAnew(transaction, agent, position)) return 'redone';
      return this.count(transaction, agent, { after: Math.max(last ?? 0, seq), upTo: null, successIds });
    });
  }

  /** Where other stages are of kind success now, it is decided for some dialogs which stays led there. */
  private async decideAnew(
    transaction: Transaction,
    agent: FigureAgent,
    { changed, redone_to, success_ids: successIds }: LockedPosition,
  ): Promise<boolean> {
    if (!changed && redone_to === null) return false;
    if (changed) await transaction.run(CHANGE_SUCCESS, { ...agent, successIds });
    // From below every id.
    const after = changed ? NIL_ID : redone_to;
    const values = { ...agent, successIds, after, limit: DIALOGS_AT_ONCE };
    await this.forget(transaction, agent, await transaction.run(CONVERT_ANEW, values));
    return true;
  }

  private async count(
    transaction: Transaction,
    agent: FigureAgent,
    { after, upTo, successIds }: { after: number; upTo: number | null; successIds: readonly string[] },
  ): Promise<FigureEvent[]> {
    const values = { ...agent, after, upTo, limit: EVENTS_AT_ONCE };
    const events = await transaction.run(NEXT_EVENTS, values);
    const moved = await this.countMoves(transaction, agent, {
      moves: events.filter(({ message_id }) => message_id === null),
      successIds: new Set(successIds),
    });
    const written = await this.countMessages(
      transaction,
      agent,
      events.flatMap(({ message_id }) => message_id ?? []),
    );
    await this.forget(transaction, agent, [...moved, ...written]);
    return events;
  }

  private async countMoves(
    transaction: Transaction,
    agent: FigureAgent,
    { moves, successIds }: { moves: readonly FigureEvent[]; successIds: ReadonlySet<string> },
  ): Promise<ChangedHour[]> {
    if (moves.length === 0) return [];
    const added = await transaction.run(ADD_STAYS, { ...agent, ...columnsOf(moves) });
    const successes = moves.filter(({ to_id }) => to_id !== null && successIds.has(to_id));
    if (successes.length === 0) return added;
    const { accountId } = agent;
    return [...added, ...(await transaction.run(CONVERT, { accountId, ...columnsOf(successes) }))];
  }

  private async countMessages(
    transaction: Transaction,
    agent: FigureAgent,
    ids: readonly string[],
  ): Promise<ChangedHour[]> {
    if (ids.length === 0) return [];
    const { accountId } = agent;
    const messages = await transaction.run(KEEP_MESSAGES, { ...agent, ids });
    const hours = messages.flatMap(hoursOf);
    const timed = idsOf(messages.filter(({ counts_anew }) => counts_anew));
    const inbound = idsOf(messages.filter((message) => message.inbound));
    if (timed.length > 0) hours.push(...(await transaction.run(TIME_ANSWERS, { accountId, ids: timed })));
    if (inbound.length > 0) hours.push(...(await transaction.run(MARK_REPLIES, { accountId, ids: inbound })));
    return hours;
  }

  /** Nothing is kept any more of ranges in which something has changed. */
  private async forget(
    transaction: Transaction,
    { accountId, assistantId }: FigureAgent,
    changed: readonly ChangedHour[],
  ): Promise<void> {
    const hours = [
      ...new Map(
        changed.map((each) => [`${each.kind} ${each.bot_id} ${each.hour.getTime()}`, each]),
      ).values(),
    ];
    if (hours.length === 0) return;
    await transaction.run(FORGET, {
      accountId,
      subjects: hours.map(({ bot_id }) => bot_id ?? assistantId),
      kinds: hours.map(({ kind }) => kind),
      hours: hours.map(({ hour }) => hour),
    });
  }
}

const idsOf = (messages: readonly CountedMessage[]): string[] => messages.map(({ id }) => id);

const HOUR_MS = 3_600_000;

function hoursOf({ bot_id, created_at, inbound, counts_anew, is_template }: CountedMessage): ChangedHour[] {
  if (inbound) return [];
  const hour = new Date(Math.floor(created_at.getTime() / HOUR_MS) * HOUR_MS);
  return [
    ...(counts_anew ? OF_MESSAGES.map((kind) => ({ kind, bot_id: null, hour })) : []),
    ...(is_template ? [{ kind: 'templates' as const, bot_id, hour }] : []),
  ];
}
const OF_MESSAGES = ['messages', 'answer_times'] as const;

/** Beside the slots of its account's calls, which counting does not take from them. */
const ownerOf = ({ accountId }: FigureAgent): string => `figures of ${accountId}`;

const columnsOf = (moves: readonly FigureEvent[]) => ({
  threads: moves.map(({ thread_id }) => thread_id),
  seqs: moves.map(({ seq }) => seq),
});
