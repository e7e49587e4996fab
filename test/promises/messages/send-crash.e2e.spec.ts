import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { countOpen, violationsOfSends } from '../../support/database/batch.faults';
import { CloudNumber, cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { IS_LONG } from '../../support/long.mode';
import { AccountFixture } from '../../support/database/fixture';
import { accept, type Script } from '../../support/stand-ins/scripted.provider';
import { holdingRows } from '../../support/faults/held.rows';
import { newPhones, setSendScene } from '../../support/scenes/send.scene';
import type { ServerProcess } from '../../support/programs/server.process';

const TIMEOUT_MS = 2_000;
/** From the last kill: the lease of a dead process's number, a sweep, and what is still to be sent. */
const SETTLED_WITHIN_MS = 20_000;
const SIZE = 100;
const IN_FLIGHT_MAX = 80;
/** Of a number that sends eighty messages a second: what is claimed together, a fifth of a second's messages. */
const GROUP = 16;

/** The long mode keeps the product's own times. */
const scene = setSendScene({
  servers: 0,
  environment: { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS), ...(IS_LONG ? {} : SHORT_TIMES) },
});

const order = ({ botId }: AccountFixture, to: object): object => ({
  bot_id: botId,
  channel: 'waba_coexistence',
  template_id: 'order_ready',
  to,
});

/** Resolves to null when the process is killed before it answers. */
const sendBy = (
  server: ServerProcess,
  account: AccountFixture,
  to: object,
  headers: Record<string, string> = {},
): Promise<Answer | null> =>
  new ApiClient(server.url, account.key).sendTemplate(order(account, to), headers).catch(() => null);

async function newSender(perSecond?: number): Promise<AccountFixture> {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect('waba_coexistence', { perSecond });
  return account;
}

const settled = (account: AccountFixture, all: number, milliseconds = SETTLED_WITHIN_MS): Promise<unknown> =>
  eventually(
    async () => {
      const counted = await countOpen(scene.database.pool, account.id);
      return counted.all === all && counted.open === 0;
    },
    milliseconds,
    'not everything was settled',
  );

/** Kills the process at one step of the batch; resolves when it is dead. */
type Step = (server: ServerProcess, account: AccountFixture, phones: string[]) => Promise<void>;

/** Sends the batch and lets the nth request, and all after it, meet a script that kills. */
const atRequest =
  (n: number, answered: Script): Step =>
  async (server, account, phones) => {
    let seen = 0;
    let dead: Promise<void> | undefined;
    for (const phone of phones) {
      scene.provider.on(phone, async (response, received, times) => {
        seen += 1;
        if (seen === n) await answered(response, received, times);
        if (seen >= n) dead ??= server.kill('SIGKILL');
        if (dead === undefined) await accept(response, received, times);
      });
    }
    await sendBy(server, account, toEach(phones));
    await eventually(async () => dead !== undefined, 5_000, `request ${n} did not come`);
    await dead;
    for (const phone of phones) scene.provider.on(phone, accept);
  };

const toEach = (phones: string[]): object[] => phones.map((phone) => ({ phone }));
const unanswered: Script = () => undefined;

/** The batch is stored, and not begun, when the given step of another one kills. */
const beforeFirstRequest =
  (kill: (server: ServerProcess) => Promise<void>): Step =>
  (server, account, phones) =>
    holdingRows(scene.database.pool, 'bot_channels', account.id, async () => {
      const call = sendBy(server, account, toEach(phones));
      const stored = async (): Promise<boolean> =>
        (await countOpen(scene.database.pool, account.id)).all === SIZE;
      await eventually(stored, 5_000, 'the batch was not stored');
      await kill(server);
      await call;
    });

/** As many as may be in flight are answered once their dialogs are locked, so that nothing of them can be stored. */
const beforeStoring: Step = async (server, account, phones) => {
  const gate = Promise.withResolvers<void>();
  let seen = 0;
  let answered = 0;
  for (const phone of phones) {
    scene.provider.on(phone, async (...given) => {
      seen += 1;
      await gate.promise;
      await accept(...given);
      answered += 1;
    });
  }
  const call = sendBy(server, account, toEach(phones));
  await eventually(async () => seen >= IN_FLIGHT_MAX, 5_000, 'the batch did not begin');
  await holdingRows(scene.database.pool, 'threads', account.id, async () => {
    gate.resolve();
    await eventually(async () => answered === SIZE, 5_000, 'not all were answered');
    await server.kill('SIGKILL');
  });
  await call;
};

const STEPS: Record<string, Step> = {
  'between the answers and their being stored': beforeStoring,
  ...(IS_LONG && {
    'at the first request': atRequest(1, unanswered),
    'at the 20th request, before its answer': atRequest(20, unanswered),
    'at the 50th request, just after its answer': atRequest(50, accept),
    'at the 99th request, before its answer': atRequest(99, unanswered),
    'at the last request, just after its answer': atRequest(SIZE, accept),
  }),
};

interface Killed {
  account: AccountFixture;
  phones: string[];
}

const killed = new Map<string, Killed>();
const KEY = { 'Idempotency-Key': 'order-4711' };
let batchKeyed: Killed;
let singleKeyed: Killed;
let single: Killed;
let untouched: Killed;
/** By a number with its own pace, whose provider takes its time. */
let paced: Killed;
/** Continues what all the others left. */
let survivor: ServerProcess;
let survivesSince: number;

const newKilled = async (size: number, perSecond?: number): Promise<Killed> => ({
  account: await newSender(perSecond),
  phones: newPhones(size),
});

async function killAt(step: Step): Promise<Killed> {
  const given = await newKilled(SIZE);
  await step(await scene.addServer(), given.account, given.phones);
  return given;
}

interface Calls extends Killed {
  times: number;
  to: (phones: string[]) => object;
}

/** Kills the process in the middle of a list of which the provider has seen forty; each answer takes a quarter of a second. */
const amidSlowAnswers: Step = async (server, account, phones) => {
  let seen = 0;
  for (const phone of phones) {
    scene.provider.on(phone, async (...given) => {
      seen += 1;
      await sleep(250);
      await accept(...given);
    });
  }
  const call = sendBy(server, account, toEach(phones));
  await eventually(async () => seen >= 40, 5_000, 'the batch did not begin');
  await server.kill('SIGKILL');
  await call;
};

/** Kills the process so, when the provider has the first request of equal calls of several accounts, and answers none. */
async function killAmid(server: ServerProcess, all: readonly Calls[], slow: Killed): Promise<void> {
  const begun = new Set<Calls>();
  for (const calls of all)
    for (const phone of calls.phones) scene.provider.on(phone, () => void begun.add(calls));
  const answers = all.flatMap(({ times, account, phones, to }) =>
    Array.from({ length: times }, () => sendBy(server, account, to(phones), KEY)),
  );
  await eventually(async () => begun.size === all.length, 5_000, 'not all calls are under way');
  await amidSlowAnswers(server, slow.account, slow.phones);
  expect((await Promise.all(answers)).filter((answer) => answer?.status === 200)).toEqual([]);
  for (const { phones } of all) for (const phone of phones) scene.provider.on(phone, accept);
}

const toFirst = (phones: string[]): object => ({ phone: phones[0] });

/** Repeats a call until the first one with its key is over. */
async function untilAnswered(call: () => Promise<Answer | null>): Promise<Answer> {
  return eventually(
    async () => {
      const answer = await call();
      if (answer?.status !== 409) return answer;
      await sleep(100);
      return null;
    },
    SETTLED_WITHIN_MS,
    'the call with a key was not answered',
  );
}

// One process at a time, so that each step is that of the process that is killed; each also finds what the ones before
// left, and is killed in the middle of that. Longer than a hook usually has.
beforeAll(async () => {
  scene.provider.latencyMs = 5;
  for (const [name, step] of Object.entries(STEPS)) killed.set(name, await killAt(step));
  [single, singleKeyed, batchKeyed] = await Promise.all([newKilled(1), newKilled(1), newKilled(20)]);
  paced = await newKilled(120, 80);
  const calls = [
    { ...single, times: 1, to: toFirst },
    { ...singleKeyed, times: 10, to: toFirst },
    { ...batchKeyed, times: 10, to: toEach },
  ];
  untouched = await killAt(beforeFirstRequest((server) => killAmid(server, calls, paced)));
  survivor = await scene.addServer();
  survivesSince = performance.now();
});

const leftMs = (): number => SETTLED_WITHIN_MS - (performance.now() - survivesSince);
const expectNoViolations = async ({ account }: Killed): Promise<void> =>
  expect(await violationsOfSends(scene.database.pool, scene.provider, account, survivor)).toEqual([]);

describe('a process that is killed in a batch of a hundred', () => {
  it.each(Object.keys(STEPS))('%s: no phone twice, each sent or unknown, soon', async (name) => {
    const found = killed.get(name) as Killed;
    await settled(found.account, SIZE, leftMs());
    await expectNoViolations(found);
  });

  it('after the batch is stored and before its first request: each is sent', async () => {
    const { account, phones } = untouched;
    await settled(account, SIZE, leftMs());
    await expectNoViolations(untouched);
    const counts = scene.provider.counts();
    expect(phones.filter((phone) => counts.get(phone) !== 1)).toEqual([]);
  });
});

describe('a process that is killed in a list whose provider is slow', () => {
  it('leaves unknown what the provider saw and one group at most; all others are sent', async () => {
    const { account, phones } = paced;
    await settled(account, phones.length, leftMs());
    await expectNoViolations(paced);
    const { rows } = await scene.database.pool.query<{ recipient: string }>(
      `SELECT recipient FROM messages WHERE account_id = $1 AND status = 'unknown'`,
      [account.id],
    );
    const counts = scene.provider.counts();
    const neverSeen = rows.filter(({ recipient }) => !counts.has(recipient));
    expect(rows.length).toBeGreaterThan(0);
    expect(neverSeen.length).toBeLessThanOrEqual(GROUP);
  });
});

describe('a single message whose process is killed before the answer', () => {
  it('becomes unknown, and the provider’s later report settles it', async () => {
    const { account, phones } = single;
    await settled(account, 1, leftMs());
    await expectNoViolations(single);
    const find =
      'SELECT m.id, m.status, c.sender FROM messages m JOIN bot_channels c USING (account_id) WHERE recipient = $1';
    const look = async (): Promise<{ id: string; status: string; sender: string } | undefined> =>
      (await scene.database.pool.query<{ id: string; status: string; sender: string }>(find, phones)).rows[0];
    const message = await look();
    expect(message?.status).toBe('unknown');
    const number = new CloudNumber(message?.sender ?? '');
    const report = number.status('wamid.late', 'delivered', { biz_opaque_callback_data: message?.id });
    expect((await postCloud(survivor, cloudBody([report]))).status).toBe(200);
    await eventually(async () => (await look())?.status === 'delivered', 5_000, 'the report settled nothing');
  });
});

describe('twenty calls with one key, the first ten by a process that is killed', () => {
  it('send one message once, and are answered by what became of it', async () => {
    const { account, phones } = singleKeyed;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => untilAnswered(() => sendBy(survivor, account, toFirst(phones), KEY))),
    );
    const told = answers.map(({ status, headers, body }): unknown[] => [
      status,
      body.error.code,
      body.provider_response,
      headers.get('idempotent-replayed'),
    ]);
    expect(told).toEqual(told.map(() => [502, 'PROVIDER_ERROR', null, 'true']));
    expect(scene.provider.sendsTo(phones[0] as string)).toHaveLength(1);
    await expectNoViolations(singleKeyed);
  });

  it('send one list once, and are answered by what became of it', async () => {
    const { account, phones } = batchKeyed;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => untilAnswered(() => sendBy(survivor, account, toEach(phones), KEY))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data).toMatchObject({ total: phones.length, queued: 0 });
    await expectNoViolations(batchKeyed);
  });
});
