import { Pool } from 'pg';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { knowTables, startBenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { BulkSender } from './bulk.sender';
import { quantile, report } from './figures';
import { HttpConnection } from './http.connection';
import { cpuOf, cpuOfPostgres } from './process.cpu';
import { ProviderStub } from './provider.stub';
import { postAtPace, WebhookLoad } from './webhook.load';

const PLANS = {
  full: { perSecond: 100, seconds: 20, warmSeconds: 3 },
  quick: { perSecond: 100, seconds: 6, warmSeconds: 3 },
  smoke: { perSecond: 20, seconds: 1, warmSeconds: 1 },
};
const MOST_P50_MS = 15;
const MOST_P99_MS = 150;
/** Until all that a webhook tells is applied. */
const MOST_SERVER_CPU_US = 1_000;
const MOST_DATABASE_CPU_US = 1_500;
const NEVER = -1;

/**
 * Webhooks while the provider hangs with a list under way, and the model with replies.
 * @throws where one was not taken, or took effect other than once.
 */
export async function benchWebhooks(size: BenchSize): Promise<void> {
  console.log('\n=== webhooks\n');
  const { perSecond, seconds, warmSeconds } = PLANS[size];
  const count = perSecond * seconds;
  const cluster = await startBenchCluster();
  const provider = await ProviderStub.start(NEVER);
  const model = await ProviderStub.start(NEVER);
  const db = new Pool({ connectionString: cluster.url, max: 4 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  let server: ServerProcess | null = null;
  const end = async (): Promise<void> => {
    await server?.kill('SIGKILL');
    await Promise.all([provider.stop(), model.stop()]);
    await db.end();
    await cluster.stop();
  };
  try {
    server = await startServer(cluster.url, {
      CLOUD_API_URL: provider.url,
      AI_BASE_URL: `${model.url}/v1`,
      AI_MODEL: 'silent',
      AI_REPLY_DELAY_MS: '0',
    });
    const load = await WebhookLoad.gather(db, (count + perSecond * warmSeconds) / 2);
    const bulk = await BulkSender.connect(server, db);
    // Its answer is not awaited: it comes when the service gives up, or never.
    bulk.sendList(await HttpConnection.open(server.url)).catch(() => undefined);
    const post = (webhooks: number) => postAtPace(server?.url ?? '', perSecond, webhooks, () => load.next());
    await post(perSecond * warmSeconds);
    await knowTables(db);
    const { pid } = server;
    const usage = () => ({ server: cpuOf(pid), database: cpuOfPostgres(cluster.postmaster) });
    const before = usage();
    const times = await post(count);
    const { requests, inFlightMax } = await provider.counts();
    if (requests === 0) throw new Error('no list was under way');
    const { inFlightMax: repliesMax } = await model.counts();
    if (repliesMax === 0) throw new Error('no reply was under way');
    console.log(
      `${count} webhooks, ${perSecond} a second, half of them messages of new customers and half delivery states, ` +
        `with up to ${inFlightMax} requests hanging at the provider and ${repliesMax} at the model.\n`,
    );
    report('acknowledged, p50', 'ms', quantile(times, 0.5), MOST_P50_MS);
    report('acknowledged, p99', 'ms', quantile(times, 0.99), MOST_P99_MS);
    await load.untilApplied();
    const after = usage();
    console.log('CPU of a webhook until all is applied:');
    report('  server', 'µs', (after.server - before.server) / count, MOST_SERVER_CPU_US);
    report('  PostgreSQL', 'µs', (after.database - before.database) / count, MOST_DATABASE_CPU_US);
  } finally {
    await end();
  }
}
