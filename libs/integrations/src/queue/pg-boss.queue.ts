import { setTimeout as sleep } from 'node:timers/promises';
import { JobQueue, type JobIds, type JobKind } from '@app/domain/jobs/job.queue';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { PgBoss, type Job } from 'pg-boss';
import { BossDatabase, type QueueConnection } from './boss.database';
import { JobPlaces } from './job.places';
import { QueueOutages } from './queue.outages';
import { BOSS_SCHEMA } from './queue.schema';
import { RingBatcher, type Ring } from './ring.batcher';

export interface QueueOptions {
  connection: QueueConnection;
  /** Whether this process takes up jobs; one that does not only rings, and needs no connection to hear with. */
  works: boolean;
}

interface Work {
  kind: JobKind;
  places: JobPlaces;
  handle: (ids: JobIds) => Promise<void>;
}

const RETRY_MS = 500;
/** A provider's time limit and the writing of its outcome; what is cut off then, a sweep finds. */
const LAST_HANDLERS_MS = 10_500;
/** Above one, or pg-boss takes up one job a look and not the next; small, for what is fetched no other process takes. */
const FETCH_AT_ONCE = 4;
/** The last resort of a ring whose notice was lost. */
const POLL_SECONDS = 1;
/** Jobs that are over are of no use to anybody; deleting them keeps the table small. */
const MAINTENANCE_SECONDS = 10;
const HOUR_SECONDS = 3_600;

/**
 * The bell on pg-boss, on the same PostgreSQL as all else. A job is over for pg-boss as soon as its handler has begun:
 * whether the work was done stands in our rows, which a sweep reads. So nothing is tried again, a killed worker leaves
 * no job that anybody must rescue, and a long one keeps no others waiting that were fetched with it.
 */
@Injectable()
export class PgBossQueue
  extends JobQueue
  implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(PgBossQueue.name);
  private readonly outages = new QueueOutages(this.logger);
  private readonly database: BossDatabase;
  private readonly boss: PgBoss;
  private readonly rings: RingBatcher;
  private readonly works: Work[] = [];
  private readonly ending = new AbortController();
  private starting: Promise<void> | null = null;
  private started = false;
  private stopping: Promise<void> | null = null;

  constructor(private readonly options: QueueOptions) {
    super();
    this.database = new BossDatabase(options.connection, this.outages);
    this.boss = new PgBoss({
      db: this.database,
      schema: BOSS_SCHEMA,
      schedule: false,
      useListenNotify: options.works,
      supervise: options.works,
      superviseIntervalSeconds: MAINTENANCE_SECONDS,
      monitorIntervalSeconds: MAINTENANCE_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
      queueCacheIntervalSeconds: MAINTENANCE_SECONDS,
      flowIntervalSeconds: HOUR_SECONDS,
      bamIntervalSeconds: HOUR_SECONDS,
      reindex: false,
    });
    this.boss.on('error', (error) => this.outages.failed(error));
    this.rings = new RingBatcher(
      (kind, rings) => this.send(kind, rings),
      (error) => this.outages.failed(error),
    );
  }

  /** Failures since the process began. */
  get errors(): number {
    return this.outages.errors;
  }

  /** Begins to connect, and goes on until it can: the process does not wait for it. */
  onModuleInit(): void {
    this.starting ??= this.start();
  }

  ring(kind: JobKind, key: string, ids: JobIds): void {
    this.rings.add(kind, key, ids);
  }

  async work(kind: JobKind, concurrency: number, handle: (ids: JobIds) => Promise<void>): Promise<void> {
    const work = { kind, handle, places: new JobPlaces(concurrency) };
    this.works.push(work);
    if (this.started && !this.ending.signal.aborted) await this.takeUp(work);
  }

  /** From now on no job is taken up here. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.starting;
    for (const { kind } of this.works) void this.boss.offWork(kind, { wait: false });
  }

  /** Waits for the handlers that run, within bounds: they still find their connections and may ring. */
  async beforeApplicationShutdown(): Promise<void> {
    const timer = new AbortController();
    const late = sleep(LAST_HANDLERS_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.works.map(({ places }) => places.empty())), late]);
    timer.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rings.idle();
    await this.boss.stop({ graceful: false, close: false });
    await this.database.end();
  }

  /** Idempotent. For those who use the queue without Nest. */
  stop(): Promise<void> {
    this.stopping ??= (async () => {
      await this.onModuleDestroy();
      await this.beforeApplicationShutdown();
      await this.onApplicationShutdown();
    })();
    return this.stopping;
  }

  private async start(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        await this.boss.start();
        // Where even its name was not to be had, pg-boss would do without for ever.
        if (this.options.works && !this.database.listens) throw new Error('Nobody listens for jobs.');
        break;
      } catch (error) {
        this.outages.failed(error);
        await this.boss.stop({ graceful: false, close: false });
        await sleep(RETRY_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
    // Whoever comes from now on is taken up at once.
    this.started = true;
    const waiting = this.ending.signal.aborted ? [] : [...this.works];
    for (const work of waiting) await this.takeUp(work);
  }

  private async takeUp({ kind, places, handle }: Work): Promise<void> {
    const looks = {
      batchSize: FETCH_AT_ONCE,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
    };
    await this.boss.work<JobIds>(kind, looks, async (jobs) => {
      for (const job of jobs) {
        await places.free();
        if (this.mayBegin(job)) places.take(this.run(kind, job.data, handle));
      }
      // Whoever has no place must not fetch: another process may have one.
      await places.free();
    });
  }

  /** Not what waited for a place until pg-boss gave it up. */
  private mayBegin({ signal }: Job<JobIds>): boolean {
    return !signal.aborted && !this.ending.signal.aborted;
  }

  private async run(kind: JobKind, ids: JobIds, handle: Work['handle']): Promise<void> {
    try {
      await handle(ids);
    } catch (error) {
      this.logger.error({ err: error, kind, ids }, 'A job failed; the next sweep finds what is left.');
    }
  }

  private async send(kind: JobKind, rings: Ring[]): Promise<void> {
    await this.starting;
    await this.boss.insert(
      kind,
      rings.map(({ key, ids }) => ({ singletonKey: key, data: ids })),
    );
  }
}
