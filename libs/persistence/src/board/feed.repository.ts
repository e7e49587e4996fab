import { Injectable } from '@nestjs/common';
import { Database, FeedDatabase } from '../database/database.service';
import { CURRENT_XID } from '../events/event-number.statements';
import { messageOf, type MessageRow } from '../messages/dialog/message-columns';
import { cardOf } from '../threads/card-columns';
import type { ThreadEvent } from '../threads/thread-event';
import {
  LOOK,
  LOOK_LIMIT,
  LOOK_NUMBERS,
  RECENT,
  REPLAY,
  SINCE,
  START,
  type FeedStart,
  type LookFacts,
  type LookRow,
  type RawEventRow,
  type SincePoint,
} from './feed.statements';

export interface FeedEvent extends ThreadEvent {
  /** The message that the event names, as it is now; null for events that name none. */
  message: MessageRow | null;
}

/** What a process has seen of the log. */
export interface Seen {
  /** The highest number. */
  head: number;
  /** A number whose event an earlier look found: the head, or one below. */
  verified: number;
  /** Numbers below the head that may still become visible. */
  gaps: readonly number[];
}

export interface Look {
  /** Transactions below this one are over: pg_snapshot_xmin of the look's snapshot. */
  xmin: bigint;
  /** Which event has the head's number; null when there is none. */
  atHead: string | null;
  /** Which event has the verified number; null when there is none. */
  atVerified: string | null;
  /** The numbers found, in order. */
  seqs: number[];
  /** Which event has the last of them; null when there is none. */
  atLast: string | null;
  /** Those of them that are of agents with open boards. */
  events: FeedEvent[];
  /** Whether the look reached its limit, so that there is more to read. */
  full: boolean;
}

/** How a look names an event, so that another one that came to have the same number is told apart. */
export const identityOf = (event: { threadId: string; version: number }): string =>
  `${event.threadId} ${event.version}`;

/** The event log as the feed reads it. It reads across accounts, a listed exception: a process serves all of them. */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    private readonly looks: FeedDatabase,
  ) {}

  /** Where a process begins to read. */
  async start(): Promise<FeedStart> {
    // By the looks' connection: after a failover the pool's connections may still lead to the old primary.
    const [row] = await this.looks.run(START);
    return row ?? { head: 0, atHead: null, floor: 0, recent: [] };
  }

  /** What is above the head and in the gaps. @param boards agents whose events are wanted with their cards */
  async look(seen: Seen, boards: readonly string[]): Promise<Look> {
    if (boards.length === 0) {
      const [row] = await this.looks.run(LOOK_NUMBERS, { ...seen });
      return lookOf(row, [], seen);
    }
    const rows = await this.looks.run(LOOK, { ...seen, boards });
    return lookOf(rows[0], rows.filter(hasEvent).map(feedEventOf), seen);
  }

  /** A transaction id above that of every transaction that can still fill a gap seen before this call. */
  async currentTransactionId(): Promise<bigint> {
    const [row] = await this.looks.run(CURRENT_XID);
    return BigInt(row?.xid ?? '0');
  }

  /** Where a replay from a mark begins; null when no event lies at or below the mark, or none at or above it. */
  async sincePoint(
    accountId: string,
    assistantId: string,
    since: number,
    retention: string,
    limit: number,
  ): Promise<SincePoint | null> {
    const values = { since, accountId, assistantId, retention, limit };
    const [row] = await this.database.runFor(accountId, SINCE, values);
    return row ?? null;
  }

  /** The events of an agent above a number, with their cards as they are now. */
  async replay(accountId: string, assistantId: string, above: number, limit: number): Promise<FeedEvent[]> {
    const values = { accountId, assistantId, above, limit };
    return (await this.database.runFor(accountId, REPLAY, values)).map(feedEventOf);
  }

  /** The newest events of an agent that are not older than an age, with their cards as they are now. */
  async recent(accountId: string, assistantId: string, ageMs: number, limit: number): Promise<FeedEvent[]> {
    const values = { accountId, assistantId, age: `${ageMs} ms`, limit };
    return (await this.database.runFor(accountId, RECENT, values)).map(feedEventOf);
  }
}

const hasEvent = (row: LookRow): row is LookFacts & RawEventRow => row.seq !== null;

function lookOf(facts: LookFacts | undefined, events: FeedEvent[], { head }: Seen): Look {
  const seqs = facts?.seqs ?? [];
  return {
    xmin: BigInt(facts?.xmin ?? '0'),
    atHead: facts?.at_head ?? null,
    atVerified: facts?.at_verified ?? null,
    seqs,
    atLast: facts?.at_last ?? null,
    events,
    full: seqs.filter((seq) => seq > head).length >= LOOK_LIMIT,
  };
}

function feedEventOf(row: RawEventRow): FeedEvent {
  const { event_body: body, card, status_name, status_kind, status_order } = row;
  return {
    seq: row.seq,
    account_id: row.account_id,
    thread_id: row.thread_id,
    assistant_id: row.event_assistant_id,
    event_version: row.event_version,
    type: row.type,
    at: row.at,
    by: body.by,
    actor: body.actor ?? null,
    request_id: body.request_id ?? null,
    from_value: body.from ?? null,
    to_value: body.to ?? null,
    to_name: row.to_name,
    to_kind: row.to_kind,
    to_order: row.to_order,
    card: card && cardOf(card, { status_name, status_kind, status_order }),
    message: row.shown_message && messageOf(row.shown_message),
  };
}
