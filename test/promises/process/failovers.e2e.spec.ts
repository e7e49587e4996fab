import { randomInt } from 'node:crypto';
import { ApiClient, request } from '../../support/clients/api.client';
import { metricsOf } from '../../support/clients/metrics.reader';
import { ReplicatedCluster } from '../../support/database/replicated.cluster';
import { eventually } from '../../support/eventually';
import { holdPort } from '../../support/faults/held.port';
import { outcomeOf } from '../../support/programs/program.outcome';
import type { ServerProcess } from '../../support/programs/server.process';
import { makeSendScene, newPhones, setSendScene } from '../../support/scenes/send.scene';

const LIST = 240;
/** So many have gone out when the standby begins to lack what is committed, and so many more when the primary dies. */
const SENT_BEFORE = 40;
const LOST = 40;
const PACE = 60;

const readyAnswerOf = async ({ url }: Pick<ServerProcess, 'url'>) => request(`${url}/health/ready`);

const wentBackOf = async (server: ServerProcess): Promise<number> =>
  Number(/^leadline_database_went_back_total (\d+)/m.exec(await metricsOf(server))?.[1]);

type FailingScene = ReturnType<typeof makeSendScene>;

/** A list on its way. @returns its phones */
async function beginList(scene: FailingScene): Promise<string[]> {
  await scene.database.pool.query(
    'UPDATE bot_channels SET messages_per_second = $1, revision = revision + 1',
    [PACE],
  );
  const phones = newPhones(LIST);
  // Its answer may come when all of it is sent, by which time its process has lost its database.
  void scene.send(phones.map((phone) => ({ phone }))).catch(() => undefined);
  return phones;
}

const untilSent = (scene: FailingScene, count: number): Promise<true> =>
  eventually(async () => scene.provider.ledger.length >= count, 30_000, `${count} messages were not sent`);

/** Messages by their recipients. */
async function statesOf(scene: FailingScene): Promise<Map<string, string>> {
  const { rows } = await scene.database.pool.query<{ recipient: string; status: string }>(
    'SELECT recipient, status FROM messages WHERE batch_id IS NOT NULL',
  );
  return new Map(rows.map(({ recipient, status }) => [recipient, status]));
}

const untilSettled = (scene: FailingScene): Promise<true> =>
  eventually(
    async () => {
      // Amid a failover it cannot be read.
      const statuses = await scene.statuses().catch(() => null);
      return statuses !== null && !statuses.queued && !statuses.sending;
    },
    30_000,
    'the list is not over',
  );

describe('a standby that lacked the last second takes the place of the primary', () => {
  let cluster: ReplicatedCluster;
  const scene = setSendScene({
    ownServer: true,
    servers: 2,
    openDatabase: async () => (cluster = await ReplicatedCluster.start({ isSynchronous: false })).database,
  });
  let phones: string[];

  const run = (...args: string[]) =>
    outcomeOf('apps/server/src/commands/resume-sending.command.js', args, {
      DATABASE_URL: scene.database.url,
    });

  beforeAll(async () => {
    // One has no boards, so nobody reads the log there.
    await scene.addServer({ ROLE: 'worker' });
    for (const server of scene.servers) expect((await readyAnswerOf(server)).status).toBe(200);
    phones = await beginList(scene);
    await untilSent(scene, SENT_BEFORE);
    await cluster.untilCaughtUp();
    await cluster.cutReplication();
    await untilSent(scene, scene.provider.ledger.length + LOST);
    await cluster.failOver();
  });

  it('each process notices, with boards or without, and holds sending; readiness and metric say why', async () => {
    for (const server of scene.servers) {
      await eventually(
        async () => {
          const { status, body } = await readyAnswerOf(server);
          return status === 200 && (body.data as { sending: string }).sending === 'held';
        },
        20_000,
        'sending is not held',
      );
      expect((await readyAnswerOf(server)).body.data).toMatchObject({
        status: 'ready',
        sending: 'held',
        sending_reason: 'database_went_back',
      });
      expect(await wentBackOf(server)).toBe(1);
      expect(server.output()).toMatch(/Sending is held: .*gone back.*npm run db:resume-sending/);
    }
  });

  it('the audit has it once, of the service itself, with the reason', async () => {
    const admin = new ApiClient(scene.server.url, scene.adminKey);
    const { entries } = (await admin.admin('GET', 'audit?action=sending.held')).body.data as {
      entries: object[];
    };
    expect(entries).toMatchObject([
      {
        ...{ account_id: null, actor: null, action: 'sending.held', request_id: null },
        subject: { type: 'installation', id: null, name: null },
        after: { reason: 'database_went_back' },
      },
    ]);
    const { rows } = await scene.database.pool.query('SELECT reason FROM sending_holds');
    expect(rows).toEqual([{ reason: 'database_went_back' }]);
  });

  it('no customer got a second message, though the database would send it', async () => {
    const states = await statesOf(scene);
    const again = phones.filter(
      (phone) =>
        scene.provider.sendsTo(phone).length > 0 && ['queued', 'sending'].includes(states.get(phone) ?? ''),
    );
    expect(again.length).toBeGreaterThan(LOST / 2);
    for (const [phone, count] of scene.provider.counts()) expect([phone, count]).toEqual([phone, 1]);
  });

  it('resume-sending shows what may be sent twice, and settles it', async () => {
    const asked = await run();
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing was changed/) });
    const { queued = 0 } = await scene.statuses();
    expect(asked.stdout).toMatch(
      /^Sending is held since \S+: the database went back to what it was shortly after \S+\./,
    );
    expect(asked.stdout).toContain(
      `- ${queued} queued messages: are sent; ${queued} of them may be sent twice\n`,
    );
    await scene.database.pool.query(
      `UPDATE messages SET claim_until = clock_timestamp() WHERE status = 'sending'`,
    );
    expect(await run('--discard', 'messages', '--yes')).toMatchObject({ code: 0, stderr: '' });
    for (const server of scene.servers)
      await eventually(
        async () => ((await readyAnswerOf(server)).body.data as { sending: string }).sending === 'on',
        10_000,
        'sending is still held',
      );
    await untilSettled(scene);
    for (const [phone, count] of scene.provider.counts()) expect([phone, count]).toEqual([phone, 1]);
    const phone = newPhones(1)[0] ?? '';
    expect((await scene.send({ phone })).status).toBe(200);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });
});

describe('a standby that has all that was acknowledged', () => {
  let cluster: ReplicatedCluster;
  const scene = setSendScene({
    ownServer: true,
    servers: 2,
    environment: { PROVIDER_TIMEOUT_MS: '1000' },
    openDatabase: async () => (cluster = await ReplicatedCluster.start({ isSynchronous: true })).database,
  });

  it('lets a process start, which serves 503 and waits; a failover holds nothing, loses nothing and sends nothing twice', async () => {
    const holder = await holdPort();
    const { port } = holder;
    holder.close();
    const starting = scene.addServer({ PORT: port }, cluster.standbyUrl);
    const waiting = { url: `http://127.0.0.1:${port}` };
    const look = () => readyAnswerOf(waiting).catch(() => null);
    const refused = await eventually(async () => (await look()) ?? false, 30_000, 'it does not listen');
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'UNAVAILABLE',
      '1',
    ]);
    expect((await request(`${waiting.url}/health/live`)).status).toBe(200);

    const phones = await beginList(scene);
    await untilSent(scene, SENT_BEFORE + randomInt(20));
    await cluster.failOver();
    expect(scene.provider.ledger.length).toBeLessThan(LIST);
    await untilSettled(scene);
    for (const server of scene.servers) {
      await eventually(
        async () => (await readyAnswerOf(server)).status === 200,
        10_000,
        'it is not ready again',
      );
      expect((await readyAnswerOf(server)).body.data).toMatchObject({ sending: 'on', sending_reason: null });
      expect(await wentBackOf(server)).toBe(0);
    }
    const states = await statesOf(scene);
    // Of one whose claim was not acknowledged before the cut nobody knows; it is not sent again.
    const possible = ['sent 1', 'unknown 0', 'unknown 1'];
    const ends = phones.map((phone) => `${states.get(phone)} ${scene.provider.sendsTo(phone).length}`);
    expect(ends.filter((end) => !possible.includes(end))).toEqual([]);
    expect((await readyAnswerOf(await starting)).status).toBe(200);
  });
});
