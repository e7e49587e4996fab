import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { countOpen, violationsOfSends } from '../../support/database/batch.faults';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, newPhones, setSendScene, type SendScene } from '../../support/scenes/send.scene';
import type { ServerProcess } from '../../support/programs/server.process';

const TIMEOUT_MS = 500;
const SETTLED_WITHIN_MS = 25_000;
const SIZE = 100;
const IN_FLIGHT_MAX = 80;

/** In the middle of a group, so that messages of its claim are begun before and after it. */
const STOPPED_AT = 20;
/** Resolves when the process has stopped itself. */
const untilStopped = ({ pid }: ServerProcess): Promise<unknown> =>
  eventually(
    async () => /\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8')),
    20_000,
    'the process did not stop',
  );
const STOP_PLANT = join(__dirname, '../../support/faults/send-stop.plant.js');

const OPTIONS = { servers: 0, environment: { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS) } };

const toEach = (phones: string[]): object[] => phones.map((phone) => ({ phone }));

function sendBy(
  server: ServerProcess,
  { key, botId }: AccountFixture,
  to: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const order = { bot_id: botId, channel: 'waba_coexistence', template_id: 'order_ready', to };
  return new ApiClient(server.url, key).sendTemplate(order, headers);
}

async function newSender({ database }: SendScene, perSecond = 10_000): Promise<AccountFixture> {
  const account = await AccountFixture.create(database.pool);
  await account.connect('waba_coexistence', { perSecond });
  return account;
}

const settled = ({ database }: SendScene, { id }: AccountFixture, all: number): Promise<unknown> =>
  eventually(
    async () => {
      const counted = await countOpen(database.pool, id);
      return counted.all === all && counted.open === 0;
    },
    SETTLED_WITHIN_MS,
    'not everything was settled',
  );

const seenOf = ({ provider }: SendScene, phones: string[]): number => {
  const counts = provider.counts();
  return phones.filter((phone) => counts.has(phone)).length;
};

/** Resolves when the provider has seen that many requests for these phones. */
const untilSeen = (scene: SendScene, phones: string[], many: number): Promise<unknown> =>
  eventually(async () => seenOf(scene, phones) >= many, 20_000, `${many} requests were not seen`);

describe('a process that is held up in the middle of a batch, beyond its lease and its claims', () => {
  const scene = setSendScene(OPTIONS);

  it('is replaced, and begins nothing of what is settled when it goes on', async () => {
    // So slow that some are claimed and still wait when it is held up.
    const account = await newSender(scene, 40);
    const frozen = await scene.addServer();
    const phones = newPhones(SIZE);
    const call = sendBy(frozen, account, toEach(phones)).catch(() => null);
    await untilSeen(scene, phones, 45);
    await frozen.kill('SIGSTOP');
    const other = await scene.addServer();
    await settled(scene, account, SIZE);
    const asked = scene.provider.ledger.length;
    await frozen.kill('SIGCONT');
    await call;
    // It serves again, its own queue included.
    const later = await newSender(scene);
    expect((await sendBy(frozen, later, { phone: newPhone() })).status).toBe(200);
    const more = newPhones(5);
    expect((await sendBy(frozen, account, toEach(more))).body.data.sent).toBe(more.length);
    expect(scene.provider.ledger.length).toBe(asked + 1 + more.length);
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, other)).toEqual([]);
  });
});

describe('a process that is held up between the begin of a message and its request, beyond its claim', () => {
  const scene = setSendScene(OPTIONS);
  const addStopping = (at: number): Promise<ServerProcess> =>
    scene.addServer({ NODE_OPTIONS: `--require ${STOP_PLANT}`, PLANTED_STOP_AT: String(at) });
  /** What is kept of the messages that the provider was not asked for. */
  const unseenOf = async ({ id }: AccountFixture): Promise<object[]> => {
    const { rows } = await scene.database.pool.query<{ recipient: string }>(
      'SELECT recipient, status, claim_token, quota_month FROM messages WHERE account_id = $1 ORDER BY id',
      [id],
    );
    const seen = scene.provider.counts();
    return rows.filter(({ recipient }) => !seen.has(recipient));
  };

  it('writes no request of a list, and leaves what others made of its messages', async () => {
    const account = await newSender(scene, 40);
    const stopped = await addStopping(STOPPED_AT);
    const phones = newPhones(SIZE);
    const call = sendBy(stopped, account, toEach(phones)).catch(() => null);
    await untilStopped(stopped);
    const other = await scene.addServer();
    await settled(scene, account, SIZE);
    const [asked, unseen] = [scene.provider.ledger.length, await unseenOf(account)];
    expect(unseen).toContainEqual(expect.objectContaining({ status: 'unknown' }));
    await stopped.kill('SIGCONT');
    await call;
    // It serves again. What it stores of its former claims is stored by then: outcomes are stored in their order.
    const later = await newSender(scene);
    expect((await sendBy(stopped, later, toEach(newPhones(1)))).body.data.sent).toBe(1);
    expect(scene.provider.ledger.length).toBe(asked + 1);
    expect(await unseenOf(account)).toEqual(unseen);
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, other)).toEqual([]);
  });

  it('writes no request of a single message, tells its caller so, and gives its quota back', async () => {
    const account = await newSender(scene);
    const stopped = await addStopping(1);
    const phone = newPhone();
    const call = sendBy(stopped, account, { phone });
    await untilStopped(stopped);
    await scene.addServer();
    await settled(scene, account, 1);
    await stopped.kill('SIGCONT');
    const { status, body } = await call;
    expect([status, body.error.code, body.provider_response]).toEqual([502, 'PROVIDER_ERROR', null]);
    expect(body.error.message).toContain('nothing was sent');
    expect(scene.provider.sendsTo(phone)).toEqual([]);
    expect(await unseenOf(account)).toEqual([expect.objectContaining({ status: 'failed' })]);
    expect(await account.quotaUsed()).toBe(0);
  });
});

describe('what a person said meanwhile of a message whose process goes on later', () => {
  const scene = setSendScene({ ...OPTIONS, servers: 1 });

  it('stays, and its quota is given back once, because nothing was sent', async () => {
    const account = await newSender(scene);
    const calm = scene.server;
    expect((await sendBy(calm, account, { phone: newPhone() })).status).toBe(200);
    const stopped = await Promise.all(
      [1, 2].map(() => scene.addServer({ NODE_OPTIONS: `--require ${STOP_PLANT}`, PLANTED_STOP_AT: '1' })),
    );
    const phones = newPhones(2);
    const sendAs = (server: ServerProcess, index: number): Promise<Answer> =>
      sendBy(server, account, { phone: phones[index] }, { 'Idempotency-Key': `once-${index}` });
    const calls = Promise.all(stopped.map(sendAs));
    await Promise.all(stopped.map(untilStopped));
    await settled(scene, account, 3);
    const statuses = async (): Promise<Record<string, string>[]> => {
      const { rows } = await scene.database.pool.query<{ id: string; status: string }>(
        `SELECT id, status FROM messages WHERE account_id = $1 AND recipient = ANY ($2)
          ORDER BY array_position($2, recipient)`,
        [account.id, phones],
      );
      return rows;
    };
    const unknown = await statuses();
    expect(unknown.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    const said = ['sent', 'failed'];
    const api = new ApiClient(calm.url, account.key);
    for (const [index, { id = '' }] of unknown.entries())
      expect((await api.settleMessage(id, said[index])).body.data.changed).toBe(true);
    expect(await account.quotaUsed()).toBe(3);
    await Promise.all(stopped.map((server) => server.kill('SIGCONT')));
    const answers = [...(await calls), ...(await Promise.all([calm, calm].map(sendAs)))];
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502]);
    for (const { body } of answers) expect(body.error.message).toContain('nothing was sent');
    expect((await statuses()).map(({ status }) => status)).toEqual(said);
    expect(phones.flatMap((phone) => scene.provider.sendsTo(phone))).toEqual([]);
    expect(await account.quotaUsed()).toBe(1);
  });
});

describe('a process that is asked to stop in the middle of a batch', () => {
  const scene = setSendScene(OPTIONS);

  it('answers, settles what is under way, and leaves nothing unknown to the next', async () => {
    const account = await newSender(scene, 40);
    const ending = await scene.addServer();
    const phones = newPhones(SIZE);
    scene.provider.latencyMs = 200;
    const call = sendBy(ending, account, toEach(phones));
    await untilSeen(scene, phones, 30);
    expect(await ending.stop()).toBe(0);
    const { status, body } = await call;
    expect([status, body.data.unknown, body.data.failed]).toEqual([200, 0, 0]);
    expect(body.data.queued).toBeGreaterThan(0);
    const next = await scene.addServer();
    await settled(scene, account, SIZE);
    const { body: kept } = await new ApiClient(next.url, account.key).getBatch(body.data.batch_id);
    expect(kept.data).toMatchObject({ sent: SIZE, unknown: 0, failed: 0, queued: 0 });
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, next)).toEqual([]);
  });
});

describe('two processes', () => {
  const scene = setSendScene({ ...OPTIONS, servers: 2 });
  const [first, second] = [0, 1].map((index) => () => scene.servers[index] as ServerProcess) as [
    () => ServerProcess,
    () => ServerProcess,
  ];
  beforeEach(() => {
    scene.provider.latencyMs = 100;
    scene.provider.inFlightMax = 0;
  });

  it('with a batch each for one number have eighty in flight in sum, and send all once', async () => {
    const account = await newSender(scene);
    const [here, there] = [newPhones(300), newPhones(300)];
    const answers = await Promise.all([
      sendBy(first(), account, toEach(here)),
      sendBy(second(), account, toEach(there)),
    ]);
    expect(answers.map(({ body }): unknown => body.data.sent)).toEqual([300, 300]);
    expect(scene.provider.inFlightMax).toBeLessThanOrEqual(IN_FLIGHT_MAX);
    expect(scene.provider.inFlightMax).toBeGreaterThan(IN_FLIGHT_MAX / 2);
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, first())).toEqual([]);
  });

  it.each([
    [10_000, 2 * IN_FLIGHT_MAX],
    [80, IN_FLIGHT_MAX / 2],
  ])(
    'send each single message promptly while a batch of a thousand is under way at %i a second',
    async (perSecond, overtakenMax) => {
      const account = await newSender(scene, perSecond);
      const phones = newPhones(1_000);
      const ofList = new Set(phones);
      const listedBefore = (end: number): number =>
        scene.provider.ledger.slice(0, end).filter(({ to }) => ofList.has(to)).length;
      const call = sendBy(first(), account, toEach(phones));
      await untilSeen(scene, phones, 100);
      const overtaken: number[] = [];
      for (const phone of newPhones(5)) {
        const before = listedBefore(Infinity);
        expect((await sendBy(first(), account, { phone })).status).toBe(200);
        const place = scene.provider.ledger.findIndex(({ to }) => to === phone);
        overtaken.push(listedBefore(place) - before);
      }
      // Of each: how many of the list were asked for between its call and its request, however fast the machine is.
      expect(overtaken.filter((many) => many > overtakenMax)).toEqual([]);
      await call;
    },
  );
});
