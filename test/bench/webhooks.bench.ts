import { Pool } from 'pg';
import { startServer, type ServerProcess } from '../support/server.process';
import { knowTables, startBenchCluster } from './bench.cluster';
import { BulkSender } from './bulk.sender';
import { quantile } from './figures';
import { HttpConnection } from './http.connection';
import { onInterruption } from './interruption.hook';
import { cpuOf, cpuOfPostgres } from './process.cpu';
import { ProviderStub } from './provider.stub';
import { postAtPace, WebhookCrowd } from './webhook.crowd';

const PER_SECOND = 100;
const SECONDS = 20;
const QUICK_SECONDS = 6;
const WARM_SECONDS = 3;
const MOST_P50_MS = 15;
const MOST_P99_MS = 150;
const NEVER = -1;

/** Webhooks while the provider hangs with a list under way, and the model with replies. @returns whether each was taken, once. */
export async function benchWebhooks(quick: boolean): Promise<boolean> {
  const count = PER_SECOND * (quick ? QUICK_SECONDS : SECONDS);
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
  const interrupted = onInterruption(end);
  try {
    server = await startServer(cluster.url, {
      CLOUD_API_URL: provider.url,
      AI_BASE_URL: `${model.url}/v1`,
      AI_MODEL: 'silent',
      AI_REPLY_DELAY_MS: '0',
    });
    const crowd = await WebhookCrowd.gather(db, (count + PER_SECOND * WARM_SECONDS) / 2);
    const bulk = await BulkSender.connect(server, db);
    // Nobody waits for its answer: it comes when the service gives up waiting, or never.
    bulk.sendList(await HttpConnection.open(server.url)).catch(() => undefined);
    const post = (webhooks: number) =>
      postAtPace(server?.url ?? '', PER_SECOND, webhooks, () => crowd.next());
    await post(PER_SECOND * WARM_SECONDS);
    await knowTables(db);
    const { pid } = server;
    const usage = () => ({ server: cpuOf(pid), database: cpuOfPostgres(cluster.postmaster) });
    const before = usage();
    const answers = await post(count);
    const { requests, inFlightMax } = await provider.counts();
    if (requests === 0) throw new Error('no list was under way');
    const { inFlightMax: repliesMax } = await model.counts();
    if (repliesMax === 0) throw new Error('no reply was under way');
    const times = answers.map(({ milliseconds }) => milliseconds);
    console.log(
      `${count} webhooks, ${PER_SECOND} a second, half of them messages of new customers and half delivery states, ` +
        `with up to ${inFlightMax} requests hanging at the provider and ${repliesMax} at the model.\n`,
    );
    reportTime('p50', quantile(times, 0.5), MOST_P50_MS);
    reportTime('p99', quantile(times, 0.99), MOST_P99_MS);
    const refused = answers.filter(({ status }) => status !== 200).length;
    const missing = await crowd.missing();
    const after = usage();
    const each = (used: number): string => `${Math.round(used / count).toLocaleString('en')} µs a webhook`;
    console.log(
      `CPU until all is applied: server ${each(after.server - before.server)}, PostgreSQL ${each(after.database - before.database)}`,
    );
    console.log(`answers other than 200: ${refused}; effects missing or doubled: ${missing}`);
    return refused === 0 && missing === 0;
  } finally {
    interrupted.forget();
    await end();
  }
}

function reportTime(name: string, milliseconds: number, most: number): void {
  const verdict = milliseconds <= most ? 'reached' : 'MISSED';
  console.log(`acknowledged, ${name}: ${milliseconds.toFixed(1)} ms (goal ≤ ${most}: ${verdict})`);
}
