import { ApiClient, type Answer } from '../../support/clients/api.client';
import { countOpen, violationsOfSends } from '../../support/database/batch.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { AccountFixture } from '../../support/database/fixture';
import { OwnCluster } from '../../support/database/own.cluster';
import { ScriptedProvider } from '../../support/stand-ins/scripted.provider';
import { newPhones } from '../../support/scenes/send.scene';
import { startServer, type ServerProcess } from '../../support/programs/server.process';

const SIZE = 100;
const QUIET_MS = 500;
const SETTLED_WITHIN_MS = 25_000;

let cluster: OwnCluster;
let provider: ScriptedProvider;
let server: ServerProcess;

beforeAll(async () => {
  [cluster, provider] = await Promise.all([OwnCluster.start(), ScriptedProvider.start()]);
  server = await startServer(cluster.url, {
    ...provider.environment,
    ...SHORT_TIMES,
    PROVIDER_TIMEOUT_MS: '15000',
  });
});

afterAll(async () => {
  await server?.stop();
  await provider?.stop();
  await cluster?.remove();
});

/** Sends a batch and restarts the database when the provider has seen that many of its requests. */
async function restartAt(
  many: number,
  perSecond: number,
): Promise<{ account: AccountFixture; answer: Answer }> {
  const account = await AccountFixture.create(cluster.pool);
  await account.connect('waba_coexistence', { perSecond });
  const phones = newPhones(SIZE);
  const begun = provider.ledger.length;
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  const to = phones.map((phone) => ({ phone }));
  const call = new ApiClient(server.url, account.key).sendTemplate({ ...order, to });
  await eventually(async () => provider.ledger.length >= begun + many, 10_000, 'the batch did not begin');
  await cluster.goAway();
  // It is away for so long that the process has noticed, and begins nothing more.
  await eventually(
    async () => performance.now() - (provider.ledger.at(-1)?.at ?? 0) > QUIET_MS,
    10_000,
    'the process goes on without a database',
  );
  await cluster.comeBack();
  return { account, answer: await call };
}

async function statuses({ id }: AccountFixture): Promise<Record<string, number>> {
  const { rows } = await cluster.pool.query<{ status: string; n: number }>(
    'SELECT status, count(*)::int AS n FROM messages WHERE account_id = $1 GROUP BY status',
    [id],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

describe('a database that is restarted while a batch of a hundred is under way', () => {
  it.each<[string, number, number]>([
    ['in its middle', 50, 10_000],
    ['while some wait for their turn', 45, 40],
    ...(IS_LONG ? ([['at its first request', 1, 10_000]] as [string, number, number][]) : []),
  ])('%s: nothing twice, nothing lost, each answer kept', async (_, many, perSecond) => {
    provider.latencyMs = 100;
    const { account, answer } = await restartAt(many, perSecond);
    await eventually(
      async () => {
        const counted = await countOpen(cluster.pool, account.id);
        return counted.all === SIZE && counted.open === 0;
      },
      SETTLED_WITHIN_MS,
      'not everything was settled',
    );
    expect(await violationsOfSends(cluster.pool, provider, account, server)).toEqual([]);
    // The process lived, and the database was back before the claims' deadlines: it knows of each.
    expect(await statuses(account)).toEqual({ sent: SIZE });
    // Its caller was told so and has no reason to send it again.
    expect([answer.status, answer.body.data]).toMatchObject([200, { total: SIZE, sent: SIZE, queued: 0 }]);
    expect(server.output()).not.toMatch(/unhandled/i);
  });
});
