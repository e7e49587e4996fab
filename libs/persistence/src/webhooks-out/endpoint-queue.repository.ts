import type { DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../database/database.service';
import { CURRENT_XID } from '../events/event.statements';
import type { WorkBacklog } from '../work/work.statements';
import {
  HAS_FAILED_FOR_DAYS,
  MAKE_DELIVERIES,
  NEXT_DELIVERIES,
  SETTLE,
  WAKE_LEFT,
  type DueDelivery,
} from './delivery-queue.statements';
import {
  ADVANCE,
  BACKLOG,
  CLAIM,
  DUE,
  ENABLED,
  LOCK_QUEUE,
  LOOK,
  NEWEST,
  OLDEST,
  RELEASE,
  RENEW,
  type EndpointKey,
  type HeldRow,
} from './endpoint-queue.statements';
import {
  foundEvents,
  valuesOf,
  type FoundEvent,
  type NewDelivery,
  webhooksOf,
} from './new-delivery.statements';

export type { DueDelivery } from './delivery-queue.statements';
export type { EndpointKey, HeldRow, SendingRow } from './endpoint-queue.statements';
export type { FoundEvent, NewDelivery } from './new-delivery.statements';

/** Endpoints that one sweep finds. */
const FOUND_AT_ONCE = 1_000;
/** Events that one look reads. */
export const LOOK_LIMIT = 500;

/** An endpoint that this process holds. */
export interface HeldEndpoint extends EndpointKey {
  token: string;
}

/** What a look at the log found. */
export interface LogLook {
  /** The highest number that was read; null: none is above. */
  last: number | null;
  /** Whether there may be more above it. */
  full: boolean;
  /** Those that are for the endpoint, and have no delivery there yet. */
  events: FoundEvent[];
}

/** Deliveries that are under way, and their dialogs. */
export interface BegunDeliveries {
  ids: readonly string[];
  threadIds: readonly string[];
}

/** What an endpoint that this process holds is to be sent. */
export interface NextDeliveries {
  /** Of what sending needs, as it is now. */
  revision: string;
  /** The longest due first. */
  due: DueDelivery[];
  /** Where none is due: in how many milliseconds the next one is; null: none is pending. */
  inMs: number | null;
}

/** What came of an attempt. */
export interface SettledAttempt {
  id: string;
  /** How many the delivery had before. Has it fewer since, it is sent anew on request. */
  tries: number;
  state: DeliveryState;
  /** When it is tried again, in milliseconds; null: not. */
  againMs: number | null;
  attempt: DeliveryAttempt;
}

/** The queue of each endpoint: what it has taken over of the log, and what is to be sent. One process at a time holds it. */
@Injectable()
export class EndpointQueueRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** Endpoints of all accounts that have something to do and that nobody holds. */
  async due(): Promise<EndpointKey[]> {
    return this.work.run(DUE, { limit: FOUND_AT_ONCE });
  }

  /** Endpoints of all accounts that are enabled. */
  async enabled(): Promise<EndpointKey[]> {
    return this.work.run(ENABLED);
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    const [backlog] = await this.work.run(BACKLOG, { accountId });
    return backlog;
  }

  /** The endpoint, held from now on; null: somebody else holds it, or it is not enabled. */
  async claim(held: HeldEndpoint, leaseMs: number): Promise<HeldRow | null> {
    const [row] = await this.database.runFor(ownerOf(held), CLAIM, { ...held, leaseMs });
    if (row) await this.database.runFor(ownerOf(held), WAKE_LEFT, keyOf(held));
    return row ?? null;
  }

  /**
   * The endpoint as it is now; null: it is not held any more. A replay may have made a delivery wait for one whose outcome was
   * written at the same moment: that one is sent now.
   */
  async renew(held: HeldEndpoint, leaseMs: number): Promise<HeldRow | null> {
    const [row] = await this.database.runFor(ownerOf(held), RENEW, { ...held, leaseMs });
    if (row) await this.database.runFor(ownerOf(held), WAKE_LEFT, keyOf(held));
    return row ?? null;
  }

  /** The lock comes first: a replay or a retry beside it is seen, or comes after it and says itself when it is due. */
  async release(held: HeldEndpoint): Promise<void> {
    await this.database.transactFor(ownerOf(held), async (tx) => {
      await tx.run(LOCK_QUEUE, keyOf(held));
      await tx.run(WAKE_LEFT, keyOf(held));
      await tx.run(RELEASE, { ...held });
    });
  }

  /** Reads the log above a number. */
  async look(held: HeldEndpoint, above: number): Promise<LogLook> {
    const values = { ...keyOf(held), above, limit: LOOK_LIMIT };
    const rows = await this.database.runFor(ownerOf(held), LOOK, values);
    const [first] = rows;
    return {
      last: first?.last ?? null,
      full: first?.full ?? false,
      events: foundEvents(rows),
    };
  }

  async make(held: HeldEndpoint, deliveries: readonly NewDelivery[]): Promise<void> {
    const values = { ...keyOf(held), ...valuesOf(deliveries) };
    await this.database.runFor(ownerOf(held), MAKE_DELIVERIES, values);
  }

  /** The newest number of the account's log that is visible; 0: it has none. */
  async newest(held: HeldEndpoint): Promise<number> {
    const [row] = await this.database.runFor(ownerOf(held), NEWEST, { accountId: held.accountId });
    return row?.seq ?? 0;
  }

  /** A transaction that begins now. Whoever has a number below one that was seen before has an older one. */
  async currentTransaction(held: HeldEndpoint): Promise<bigint> {
    const [row] = await this.database.runFor(ownerOf(held), CURRENT_XID);
    return BigInt(row?.xid ?? 0);
  }

  /** The oldest transaction that is not over. */
  async oldestTransaction(held: HeldEndpoint): Promise<bigint> {
    const [row] = await this.database.runFor(ownerOf(held), OLDEST);
    return BigInt(row?.xid ?? 0);
  }

  /** All events up to the number have their deliveries, and none can come below it any more. */
  async advance(held: HeldEndpoint, seq: number): Promise<void> {
    await this.database.runFor(ownerOf(held), ADVANCE, { ...held, seq });
  }

  /**
   * What is due, of each dialog one at most, and none of a dialog that has one under way.
   * @returns null: this process does not hold the endpoint any more
   */
  async nextDeliveries(
    held: HeldEndpoint,
    begun: BegunDeliveries,
    limit: number,
  ): Promise<NextDeliveries | null> {
    const rows = await this.database.runFor(ownerOf(held), NEXT_DELIVERIES, { ...held, ...begun, limit });
    const [first] = rows;
    if (!first) return null;
    const due = rows.flatMap(({ id, sending_revision: _revision, in_ms: _inMs, ...row }) =>
      id === null ? [] : [{ id, ...row } as DueDelivery],
    );
    return { revision: first.sending_revision, due, inMs: first.in_ms };
  }

  /** @param failures how many attempts have failed in a row since */
  async settle(held: HeldEndpoint, attempts: readonly SettledAttempt[], failures: number): Promise<void> {
    await this.database.runFor(ownerOf(held), SETTLE, {
      ...keyOf(held),
      ids: attempts.map(({ id }) => id),
      tries: attempts.map(({ tries }) => tries),
      states: attempts.map(({ state }) => state),
      againMs: attempts.map(({ againMs }) => againMs),
      attempts: attempts.map(({ attempt }) => JSON.stringify(attempt)),
      failures,
      hasPassed: attempts.some(({ state }) => state === 'delivered'),
    });
  }

  /** Whether nothing has passed for five days, and three different events have failed meanwhile, by no fault of the service. */
  async hasFailedForDays(held: HeldEndpoint): Promise<boolean> {
    const [row] = await this.database.runFor(ownerOf(held), HAS_FAILED_FOR_DAYS, keyOf(held));
    return row?.failing ?? false;
  }
}

const keyOf = ({ accountId, endpointId }: EndpointKey): EndpointKey => ({ accountId, endpointId });

const ownerOf = ({ accountId }: EndpointKey): string => webhooksOf(accountId);
