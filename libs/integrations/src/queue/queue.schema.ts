import { JOB_KINDS } from '@app/domain/jobs/job.queue';
import { Logger } from '@nestjs/common';
import { PgBoss, type Queue } from 'pg-boss';
import { BossDatabase, type QueueConnection } from './boss.database';
import { QueueOutages } from './queue.outages';

/** Where pg-boss keeps its tables, beside ours. */
export const BOSS_SCHEMA = 'pgboss';

/** What every queue is told: its jobs are bells, and a lost one is rung again. */
const BELLS = {
  /** One job of a key waits, however often it is rung for; it may be rung for anew while one runs. */
  policy: 'short',
  notify: true,
  retryLimit: 0,
  /** How long a job may wait for its place in the process that fetched it; not how long its handler may run. */
  expireInSeconds: 900,
  /** What nobody takes up. */
  retentionSeconds: 600,
  deleteAfterSeconds: 5,
} satisfies Omit<Queue, 'name'>;

/**
 * Makes pg-boss's schema and a queue of each kind, or brings them up to date. Safe when several processes start at
 * once: pg-boss locks what it makes.
 */
export async function prepareQueue(connection: QueueConnection): Promise<void> {
  const outages = new QueueOutages(new Logger('PgBoss'));
  const database = new BossDatabase({ ...connection, max: 1 }, outages);
  const boss = new PgBoss({ db: database, schema: BOSS_SCHEMA, schedule: false, supervise: false });
  boss.on('error', (error) => outages.failed(error));
  try {
    await boss.start();
    const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const kind of JOB_KINDS) {
      const queue = known.get(kind);
      if (!queue) await boss.createQueue(kind, BELLS);
      else if (!isAsTold(queue)) await boss.updateQueue(kind, withoutPolicy(BELLS));
    }
  } finally {
    await boss.stop({ graceful: false, close: false });
    await database.end();
  }
}

/** The policy of a queue stays what it was made with. */
function withoutPolicy({ policy: _, ...rest }: typeof BELLS): Omit<typeof BELLS, 'policy'> {
  return rest;
}

const isAsTold = (queue: Queue): boolean =>
  Object.entries(withoutPolicy(BELLS)).every(([name, value]) => queue[name as keyof Queue] === value);
