import { loadSettings, processVariables } from '@app/config/settings-config';
import { WORK_TIMES } from '@app/domain/work/work-times';
import { LeaseRenewal } from '@app/domain/work/lease-renewal';
import { Worker, type WorkItem } from '@app/domain/work/worker';
import { Database } from '@app/persistence/database/database.service';
import { statement } from '@app/persistence/database/sql.statements';
import { leaseFor, leaseIsFree } from '@app/persistence/work/work.statements';
import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { startServer } from '../../apps/server/src/server-bootstrap';
import { wallClock } from './work.table';

/** As replies are. */
const FOUND_AT_ONCE = 500;
const CONCURRENCY = 40;
const RENEW_MS = 1_000;

const DUE = statement('bench-work-due').takes('most').returns<WorkItem>(`
  SELECT account_id AS "accountId", id::text FROM bench_work w WHERE NOT done AND ${leaseIsFree('w')} LIMIT :most`);

const CLAIM = statement('bench-work-claim').takes('accountId', 'id', 'token', 'leaseMs', 'pid').returns<{
  held: boolean;
}>(`
  UPDATE bench_work w SET lease_token = :token, lease_until = ${leaseFor(':leaseMs')}, started_by = :pid
   WHERE account_id = :accountId AND id = :id::bigint AND NOT done AND ${leaseIsFree('w')}
  RETURNING held`);

const RENEW = statement('bench-work-renew').takes('accountId', 'id', 'token', 'leaseMs').returns<object>(`
  UPDATE bench_work SET lease_until = ${leaseFor(':leaseMs')}
   WHERE account_id = :accountId AND id = :id::bigint AND lease_token = :token RETURNING id`);

const CLOSE = statement('bench-work-close').takes('accountId', 'id', 'token', 'startedAt').returns(`
  UPDATE bench_work SET done = true, started_at = :startedAt, lease_token = NULL, lease_until = NULL
   WHERE account_id = :accountId AND id = :id::bigint AND lease_token = :token`);

/** Claims as the product's workers do: by a lease with a token, in the product's own way to the database. */
@Injectable()
class BenchWorker extends Worker {
  readonly name = 'replies';
  readonly actsOutside = false;
  readonly concurrency = CONCURRENCY;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = null;

  constructor(private readonly modules: ModuleRef) {
    super();
  }

  private get database(): Database {
    return this.modules.get(Database, { strict: false });
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.database.run(DUE, { most: FOUND_AT_ONCE });
  }

  backlog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    const token = randomUUIDv7();
    const lease = { accountId, id, token, leaseMs: WORK_TIMES.leaseMs };
    const [claimed] = await this.database.run(CLAIM, { ...lease, pid: process.pid });
    if (!claimed) return;
    const startedAt = wallClock();
    if (claimed.held) await this.hold(lease, stopping);
    else await this.database.run(CLOSE, { accountId, id, token, startedAt });
  }

  private async hold(lease: Parameters<typeof this.renew>[0], stopping: AbortSignal): Promise<void> {
    await using _ = new LeaseRenewal(
      RENEW_MS,
      () => this.renew(lease),
      () => undefined,
    );
    await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
  }

  private async renew(lease: {
    accountId: string | null;
    id: string;
    token: string;
    leaseMs: number;
  }): Promise<boolean> {
    return (await this.database.run(RENEW, lease)).length > 0;
  }
}

/** The service, as a process for background work, with this worker in place of the features' own. */
async function main(): Promise<void> {
  const server = await startServer(loadSettings(processVariables()), { workers: [BenchWorker] });
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  console.log(`The bench's worker listens on ${server.url}`);
}

void main();
