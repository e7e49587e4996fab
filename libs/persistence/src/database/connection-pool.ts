import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Pool, type PoolConfig, type ClientBase } from 'pg';
import { connectionTo } from './connection-address';
import { CONNECTIONS } from './connection-budget';
import { CONNECTION_LIMITS } from './data-source-options';
import { WRITES_TO_DISK } from './disk-proof';

/** A pool that ends waits for so long for what is not answered: a database that swallows everything keeps no process from stopping. */
const LAST_ANSWERS_MS = 1_000;

const ignored = (): void => undefined;

/**
 * A pool whose lost connections end no process: an idle one is replaced, and on one that is taken the next statement
 * reports the loss.
 */
export class ConnectionPool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
    this.on('error', ignored);
    // pg-pool takes its own listener off before the taker of a connection can have one: a connection that the database
    // closes in that moment would end the process.
    this.on('connect', (client) => void client.on('error', ignored));
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = Promise.race([super.end(), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
    if (!callback) return ended;
    void ended.then(() => callback(), callback);
  }
}

/** Looks at the server of a new connection, before anything else uses it. */
export type ServerProof = (client: ClientBase) => Promise<void>;

/** The pool waits for it, though its types do not say so. */
export const provenBy = (onConnect: ServerProof): { onConnect: ServerProof } => ({ onConnect });

/** A pool besides the ORM's, whose sessions have other settings. */
class SidePool extends ConnectionPool {
  constructor(url: string, name: string, size: number, settings: readonly string[], limits: PoolConfig = {}) {
    const ours = { ...CONNECTION_LIMITS, ...limits, max: size, application_name: `leadline ${name}` };
    super(connectionTo(url, ours, settings));
  }
}

/**
 * Without this the planner would plan a statement for each call, which takes longer than running it. And it would plan for
 * the account at hand: one whose rows are newer than the statistics seems to have one row, so that any index that begins
 * with the account looks as good as the one that names the row. To find the runs of a dialog of such an account, which had
 * 10,000 runs, took 65 ms instead of 0.7.
 */
export const PLANNED_ONCE = 'plan_cache_mode=force_generic_plan';

/** A plan may be made while a table is empty. Each table is still read by an index when it has grown. */
const BY_INDEX_ALONE = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];

/**
 * The pool of the admission counters, which does not wait for the disk. With 16 connections and one statement for
 * each call of one key, 18,000 calls a second passed instead of 2,740 (measured before calls shared statements). A
 * crash of the database forgets at most the last half second of counting. Plans are kept: a statement then costs
 * about 150 µs instead of 460 (measured). A plan may be made while the windows are still empty, when a sequential
 * scan looks cheapest, so sequential scans are switched off.
 */
export class AdmissionPool extends SidePool {
  constructor(url: string) {
    super(url, 'admission', CONNECTIONS.admission, [
      'synchronous_commit=off',
      PLANNED_ONCE,
      'enable_seqscan=off',
    ]);
  }
}

const LOOK_LIMITS = { query_timeout: 3_000, connectionTimeoutMillis: 2_000 };

/**
 * The feed's connection, so that reading the log never waits behind the calls whose changes it shows. Planning takes
 * 1 ms, reading 0.2 ms (measured), so plans are kept; every table is read by an index. On a dead connection a read
 * gives up early enough for the next one to keep the five seconds that boards are promised.
 */
export class FeedPool extends SidePool {
  constructor(url: string) {
    super(url, 'feed', CONNECTIONS.feed, [PLANNED_ONCE, ...BY_INDEX_ALONE], LOOK_LIMITS);
  }
}

/**
 * The connections by which webhooks are stored, claimed and marked as done. Providers want their answer at once, even
 * while all calls and workers of accounts wait for locks. None of these statements waits for a lock, so few
 * connections are enough. Planning took twice as long as claiming (measured), so plans are kept. A plan may be made
 * while the table is empty, when a sequential scan looks cheapest, so sequential scans are switched off.
 */
export class IntakePool extends SidePool {
  constructor(url: string) {
    super(url, 'intake', CONNECTIONS.intake, [PLANNED_ONCE, 'enable_seqscan=off']);
  }
}

/**
 * The connections of what workers do for many accounts at once: messages and delivery states that came together, claims
 * of replies, sweeps. Planning the largest of these statements takes 3 to 8 ms, four times as long as running it for
 * ten messages (measured), and each connection plans it once. So they have a few connections. Only the statement that
 * opens threads waits for a lock, for 20 ms.
 */
export class WorkPool extends SidePool {
  constructor(url: string, sessionSettings: readonly string[], proof: ServerProof) {
    const settings = [PLANNED_ONCE, ...BY_INDEX_ALONE, ...sessionSettings];
    super(url, 'work', CONNECTIONS.work, settings, provenBy(proof));
  }
}

/** The connections of what must be quick even while calls and workers wait for locks on the default pool. */
export class ReservedPool extends SidePool {
  constructor(url: string, proof: ServerProof) {
    super(url, 'reserved', CONNECTIONS.reserved, [PLANNED_ONCE, WRITES_TO_DISK], provenBy(proof));
  }
}

/** Connections of one pool of this process. */
export interface PoolFigure {
  name: string;
  used: number;
  idle: number;
  /** Statements that wait for a connection. */
  waiting: number;
}

/** How busy the connections of this process are. */
export class PoolFigures {
  constructor(
    private readonly pools: Readonly<Record<string, Pool>>,
    private readonly inFlight: InFlightLimiter,
  ) {}

  all(): PoolFigure[] {
    return Object.entries(this.pools).map(([name, { totalCount, idleCount, waitingCount }]) => ({
      ...{ name, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount },
    }));
  }

  /** Statements of accounts that wait for a slot, before they ask for a connection. */
  get waitingForSlot(): number {
    return this.inFlight.waitingCount;
  }
}
