import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { AccountFixture } from '../support/database/fixture';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { CloudNumber, cloudBody, wamid } from '../support/stand-ins/cloud.webhooks';
import { expectAnswer } from './answer.expectation';
import { startBenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { quantile, report } from './figures';
import { HttpConnection } from './http.connection';
import { ProviderStub } from './provider.stub';
import { postAtPace } from './webhook.load';

const TRIALS = { full: 300, quick: 100, smoke: 3 };
const MOST_P99_MS = 300;
const DEADLINE_MS = 20_000;
const LOOK_MS = 10;
/** The watch of replies looks so often: the switch comes at any time between. */
const LOOKS_EVERY_MS = 100;
const NEVER = -1;

/**
 * From set-ai false at one process until the model sees the end of the request that another process makes for the
 * dialog. One dialog at a time. @throws where no reply came under way, or its request was not ended.
 */
export async function benchAborts(size: BenchSize): Promise<void> {
  console.log('\n=== aborts\n');
  const cluster = await startBenchCluster();
  const model = await ProviderStub.start(NEVER);
  const db = new Pool({ connectionString: cluster.url, max: 2 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  const servers: ServerProcess[] = [];
  const addServer = async (role: string): Promise<ServerProcess> => {
    const agent = { AI_BASE_URL: `${model.url}/v1`, AI_MODEL: 'silent', AI_REPLY_DELAY_MS: '0' };
    const server = await startServer(cluster.url, { ROLE: role, ...agent });
    servers.push(server);
    return server;
  };
  try {
    const api = await addServer('api');
    await addServer('worker');
    const account = await AccountFixture.create(db);
    const trials = new AbortTrials(api, model, account, new CloudNumber(await account.connect()));
    const times: number[] = [];
    while (times.length < TRIALS[size]) times.push(await trials.next());
    report('set-ai to the end at the model, p50', 'ms', quantile(times, 0.5), MOST_P99_MS);
    report('set-ai to the end at the model, p99', 'ms', quantile(times, 0.99), MOST_P99_MS);
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    await model.stop();
    await db.end();
    await cluster.stop();
  }
}

class AbortTrials {
  private made = 0;

  constructor(
    private readonly api: ServerProcess,
    private readonly model: ProviderStub,
    private readonly account: AccountFixture,
    private readonly number: CloudNumber,
  ) {}

  /** A new customer writes, and the agent is switched off while the model writes. @returns milliseconds */
  async next(): Promise<number> {
    const phone = String(77_030_000_000 + (this.made += 1));
    const words = this.number.message({ phone, name: 'Aigerim' }, 'When will my order be ready?', {
      id: wamid(),
    });
    await postAtPace(this.api.url, 1, 1, () => cloudBody([words]));
    await this.until(1);
    const connection = await HttpConnection.open(this.api.url);
    const body = JSON.stringify({ thread_id: `thread_${await this.threadOf(phone)}`, ai_enabled: false });
    await sleep(Math.random() * LOOKS_EVERY_MS);
    const asked = Date.now();
    const reply = await connection.post('/api/v1/leads/set-ai', this.account.key, body);
    expectAnswer('set-ai', reply, ['"changed":true']);
    connection.close();
    return (await this.until(0)) - asked;
  }

  /** @returns when the model last saw the end of a request, in milliseconds since 1970 */
  private async until(inFlight: number): Promise<number> {
    const last = performance.now() + DEADLINE_MS;
    for (;;) {
      const counts = await this.model.counts();
      if (counts.inFlight === inFlight) return counts.endedAt;
      if (performance.now() > last) throw new Error(`${counts.inFlight} requests are at the model`);
      await sleep(LOOK_MS);
    }
  }

  private async threadOf(phone: string): Promise<string> {
    const { rows } = await this.account.db.query<{ id: string }>(
      'SELECT id FROM threads WHERE account_id = $1 AND contact = $2',
      [this.account.id, `+${phone}`],
    );
    return rows[0]?.id ?? '';
  }
}
