import { readFile } from 'node:fs/promises';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { countOpen, violationsOfSends } from '../../support/database/batch.faults';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, newPhones, setSendScene, type SendScene } from '../../support/scenes/send.scene';
import type { ServerProcess } from '../../support/programs/server.process';

const TIMEOUT_MS = 2_000;
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

const inLongMode = IS_LONG ? it : () => undefined;

/** What a person says of messages whose process is held up. */
const SAID = IS_LONG ? ['sent', 'failed'] : ['sent'];

const TIMEOUT = { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS) };

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

/** A process that sends for an account of its own, is held up, and has not answered its caller. */
interface HeldUp {
  server: ServerProcess;
  account: AccountFixture;
  phones: string[];
  call: Promise<Answer>;
}

// All are held up together, and what they leave is settled by one other process: each waits for the same leases.
describe('a process that is held up beyond its lease and its claims', () => {
  const scene = setSendScene({ servers: 0, environment: { ...TIMEOUT, ...SHORT_TIMES } });
  /** Settles what the others leave. */
  let calm: ServerProcess;
  /** By a signal, at any of its steps. In the long mode only: the next is held up at a known one. */
  let amidList: HeldUp | null = null;
  let beforeRequest: HeldUp;
  let beforeSingle: HeldUp;
  let judged: HeldUp[];
  let judgedBy: AccountFixture;
  /** Fulfilled when all of an account's messages are settled. Each test awaits its own. */
  let settlement: Record<'beforeRequest' | 'beforeSingle' | 'judged', Promise<unknown>>;

  const addStopping = (at: number): Promise<ServerProcess> => scene.addServer(injected('send-stop', { at }));

  /** A call that no test comes to await is lost with its process at the end, and would fail the tests before. */
  const heldUp = (held: HeldUp): HeldUp => {
    held.call.catch(() => undefined);
    return held;
  };

  const holdUpInList = (server: ServerProcess, account: AccountFixture): HeldUp => {
    const phones = newPhones(SIZE);
    return heldUp({ server, account, phones, call: sendBy(server, account, toEach(phones)) });
  };

  const holdUpInSingle = (server: ServerProcess, account: AccountFixture, headers = {}): HeldUp => {
    const phone = newPhone();
    return heldUp({ server, account, phones: [phone], call: sendBy(server, account, { phone }, headers) });
  };

  beforeAll(async () => {
    // So slow that some are claimed and still wait when their process is held up.
    const slow = await Promise.all([newSender(scene, 40), newSender(scene, 40)]);
    const [single, ofPerson] = await Promise.all([newSender(scene), newSender(scene)]);
    const [first, frozen, stopped, one, ...others] = await Promise.all([
      scene.addServer(),
      IS_LONG ? scene.addServer() : null,
      addStopping(STOPPED_AT),
      addStopping(1),
      ...SAID.map(() => addStopping(1)),
    ]);
    [calm, judgedBy] = [first, ofPerson];
    expect((await sendBy(calm, judgedBy, { phone: newPhone() })).status).toBe(200);
    // It takes no queue before its owner does.
    await calm.kill('SIGSTOP');
    beforeSingle = holdUpInSingle(one, single);
    judged = others.map((server, index) =>
      holdUpInSingle(server, judgedBy, { 'Idempotency-Key': `once-${index}` }),
    );
    beforeRequest = holdUpInList(stopped, slow[0]);
    if (frozen) {
      amidList = holdUpInList(frozen, slow[1]);
      await untilSeen(scene, amidList.phones, 45);
      await frozen.kill('SIGSTOP');
    }
    await Promise.all([stopped, one, ...others].map(untilStopped));
    await calm.kill('SIGCONT');
    settlement = {
      beforeRequest: settled(scene, beforeRequest.account, SIZE),
      beforeSingle: settled(scene, beforeSingle.account, 1),
      judged: settled(scene, judgedBy, SAID.length + 1),
    };
    await Promise.allSettled(Object.values(settlement));
  });

  /** What is kept of the messages that the provider was not asked for. */
  const unseenOf = async ({ id }: AccountFixture): Promise<object[]> => {
    const { rows } = await scene.database.pool.query<{ recipient: string }>(
      'SELECT recipient, status, claim_token, quota_month FROM messages WHERE account_id = $1 ORDER BY id',
      [id],
    );
    const seen = scene.provider.counts();
    return rows.filter(({ recipient }) => !seen.has(recipient));
  };

  inLongMode(
    'in the middle of a batch is replaced, and begins nothing of what is settled when it goes on',
    async () => {
      const { server, account, phones, call } = amidList!;
      await settled(scene, account, SIZE);
      const [asked, unseen] = [scene.provider.ledger.length, await unseenOf(account)];
      await server.kill('SIGCONT');
      await call;
      // It serves again, its own queue included.
      const later = await newSender(scene);
      expect((await sendBy(server, later, { phone: newPhone() })).status).toBe(200);
      const more = newPhones(5);
      expect((await sendBy(server, account, toEach(more))).body.data.sent).toBe(more.length);
      // It may have been held up between the check of a permit and the write, which nobody can tell. Such a message is unknown.
      const late = scene.provider.ledger.slice(asked).filter(({ to }) => phones.includes(to));
      expect(late.length).toBeLessThanOrEqual(1);
      for (const { to } of late)
        expect(unseen).toContainEqual(expect.objectContaining({ recipient: to, status: 'unknown' }));
      expect(scene.provider.ledger.length).toBe(asked + 1 + more.length + late.length);
      expect(await violationsOfSends(scene.database.pool, scene.provider, account, calm)).toEqual([]);
    },
  );

  it('between a claim and its request writes nothing of a list, and leaves what others made of its messages', async () => {
    await settlement.beforeRequest;
    const { server, account, call } = beforeRequest;
    const [asked, unseen] = [scene.provider.ledger.length, await unseenOf(account)];
    expect(unseen).toContainEqual(expect.objectContaining({ status: 'unknown' }));
    await server.kill('SIGCONT');
    await call;
    // It serves again. What it stores of its former claims is stored by then: outcomes are stored in their order.
    const later = await newSender(scene);
    expect((await sendBy(server, later, toEach(newPhones(1)))).body.data.sent).toBe(1);
    expect(scene.provider.ledger.length).toBe(asked + 1);
    expect(await unseenOf(account)).toEqual(unseen);
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, calm)).toEqual([]);
  });

  it('between a claim and its request writes no single message, tells its caller so, and gives its quota back', async () => {
    await settlement.beforeSingle;
    const { server, account, phones, call } = beforeSingle;
    await server.kill('SIGCONT');
    const { status, body } = await call;
    expect([status, body.error.code, body.provider_response]).toEqual([502, 'PROVIDER_ERROR', null]);
    expect(body.error.message).toContain('nothing was sent');
    expect(phones.flatMap((phone) => scene.provider.sendsTo(phone))).toEqual([]);
    expect(await unseenOf(account)).toEqual([expect.objectContaining({ status: 'failed' })]);
    expect(await account.quotaUsed()).toBe(0);
  });

  it('leaves what a person said of its messages meanwhile, and gives their quota back once: nothing was sent', async () => {
    await settlement.judged;
    const phones = judged.flatMap((each) => each.phones);
    const statuses = async (): Promise<Record<string, string>[]> => {
      const { rows } = await scene.database.pool.query<{ id: string; status: string }>(
        `SELECT id, status FROM messages WHERE account_id = $1 AND recipient = ANY ($2)
          ORDER BY array_position($2, recipient)`,
        [judgedBy.id, phones],
      );
      return rows;
    };
    const unknown = await statuses();
    expect(unknown.map(({ status }) => status)).toEqual(SAID.map(() => 'unknown'));
    const api = new ApiClient(calm.url, judgedBy.key);
    for (const [index, { id = '' }] of unknown.entries())
      expect((await api.settleMessage(id, SAID[index])).body.data.changed).toBe(true);
    expect(await judgedBy.quotaUsed()).toBe(SAID.length + 1);
    await Promise.all(judged.map(({ server }) => server.kill('SIGCONT')));
    const answers = await Promise.all(judged.map(({ call }) => call));
    const sendAgain = (phone: string, index: number): Promise<Answer> =>
      sendBy(calm, judgedBy, { phone }, { 'Idempotency-Key': `once-${index}` });
    answers.push(...(await Promise.all(phones.map(sendAgain))));
    expect(answers.map(({ status }) => status)).toEqual([...SAID, ...SAID].map(() => 502));
    for (const { body } of answers) expect(body.error.message).toContain('nothing was sent');
    expect((await statuses()).map(({ status }) => status)).toEqual(SAID);
    expect(phones.flatMap((phone) => scene.provider.sendsTo(phone))).toEqual([]);
    expect(await judgedBy.quotaUsed()).toBe(1);
  });
});

describe('several processes', () => {
  const scene = setSendScene({ servers: 2 });
  const [first, second] = [0, 1].map((index) => () => scene.servers[index] as ServerProcess) as [
    () => ServerProcess,
    () => ServerProcess,
  ];

  beforeEach(() => {
    scene.provider.latencyMs = 100;
    scene.provider.inFlightMax = 0;
  });

  it('go on with the batch of one that is asked to stop: it answers, settles what is under way, and leaves nothing unknown', async () => {
    const account = await newSender(scene, 15);
    const ending = await scene.addServer();
    const phones = newPhones(SIZE);
    scene.provider.latencyMs = 200;
    const call = sendBy(ending, account, toEach(phones));
    await untilSeen(scene, phones, 30);
    expect(await ending.stop()).toBe(0);
    const { status, body } = await call;
    expect([status, body.data.unknown, body.data.failed]).toEqual([200, 0, 0]);
    expect(body.data.queued).toBeGreaterThan(0);
    scene.servers.splice(scene.servers.indexOf(ending), 1);
    await settled(scene, account, SIZE);
    const { body: kept } = await new ApiClient(first().url, account.key).getBatch(body.data.batch_id);
    expect(kept.data).toMatchObject({ sent: SIZE, unknown: 0, failed: 0, queued: 0 });
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, first())).toEqual([]);
  });

  it('with a batch each for one number have eighty in flight in sum, and send all once', async () => {
    const account = await newSender(scene);
    const [here, there] = [newPhones(150), newPhones(150)];
    const answers = await Promise.all([
      sendBy(first(), account, toEach(here)),
      sendBy(second(), account, toEach(there)),
    ]);
    expect(answers.map(({ body }): unknown => body.data.sent)).toEqual([150, 150]);
    expect(scene.provider.inFlightMax).toBeLessThanOrEqual(IN_FLIGHT_MAX);
    expect(scene.provider.inFlightMax).toBeGreaterThan(IN_FLIGHT_MAX / 2);
    expect(await violationsOfSends(scene.database.pool, scene.provider, account, first())).toEqual([]);
  });

  it.each([
    [10_000, 2 * IN_FLIGHT_MAX, IS_LONG ? 1_000 : 700],
    [80, IN_FLIGHT_MAX / 2, IS_LONG ? 1_000 : 300],
  ])(
    'send each single message promptly while a long list is under way at %i a second',
    async (perSecond, overtakenMax, count) => {
      const account = await newSender(scene, perSecond);
      const phones = newPhones(count);
      const ofList = new Set(phones);
      const listedBefore = (end: number): number =>
        scene.provider.ledger.slice(0, end).filter(({ to }) => ofList.has(to)).length;
      const list = sendBy(first(), account, toEach(phones));
      await untilSeen(scene, phones, 100);
      const overtaken: number[] = [];
      for (const phone of newPhones(7)) {
        const before = listedBefore(Infinity);
        expect((await sendBy(first(), account, { phone })).status).toBe(200);
        const place = scene.provider.ledger.findIndex(({ to }) => to === phone);
        overtaken.push(listedBefore(place) - before);
      }
      // Of each: how many of the list were asked for between its call and its request, however fast the machine is. Three
      // may meet a pause of this process, in which the list goes on; behind the list, all seven would wait.
      expect(overtaken.filter((many) => many > overtakenMax).length).toBeLessThanOrEqual(3);
      expect((await list).body.data).toMatchObject({ sent: count, queued: 0 });
    },
  );
});
