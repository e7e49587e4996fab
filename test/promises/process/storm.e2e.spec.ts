import { ApiClient, type Answer } from '../../support/clients/api.client';
import { countOpen, violationsOfSends } from '../../support/database/batch.faults';
import { reportStorm, violationsOfMoves } from '../../support/database/dialog.chain';
import type { KeptThread } from '../../support/database/dialog.records';
import { FigureModel } from '../../support/database/figure.model';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { OwnCluster } from '../../support/database/own.cluster';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { IS_LONG, triesOf } from '../../support/long.mode';
import { ENDPOINT_TIMES, limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { newPhones } from '../../support/scenes/send.scene';
import { cloudBody, postCloud, wamid } from '../../support/stand-ins/cloud.webhooks';
import { ANSWERS, EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';

/** One of each fault in each round. */
const ROUNDS = triesOf(1, 25);
/** Answered calls of each kind between two faults. */
const ENOUGH = IS_LONG ? 8 : 4;
const MOVERS = 6;
const LIST = 8;
/** The provider takes its time, so that a fault meets requests that are under way. */
const LATENCY_MS = 100;
/** From the last fault until everything is final or unknown. */
const SETTLED_WITHIN_MS = 30_000;
const ROUND_WITHIN_MS = 60_000;

let cluster: OwnCluster;
const scene = setReplyScene({
  servers: 2,
  stages: [{}, {}, {}],
  environment: {
    ...injected('on-this-machine'),
    ...ENDPOINT_TIMES,
    ...SHORT_TIMES,
    ...limits({ 'work.webhookLeaseMs': 3_000 }),
    PROVIDER_TIMEOUT_MS: '1000',
  },
  openDatabase: async () => {
    cluster = await OwnCluster.start();
    return { url: cluster.url, pool: cluster.pool, drop: () => cluster.remove() };
  },
});

let endpoint: EndpointReceiver;
/** Sends lists. */
let sender: AccountFixture;

const query = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  (await cluster.pool.query<Row>(sql, values)).rows;

/** Calls without pause, until they are stopped. */
let isOver = false;
/** How many calls of each kind were answered as done. */
const acknowledged = { moves: 0, lists: 0, webhooks: 0 };

/** Nothing listens there. */
const NOBODY = { url: 'http://127.0.0.1:1' };
/** The processes by turns; after all were killed there is none for a while. */
const serverAt = (n: number): { url: string } => scene.servers[n % scene.servers.length] ?? NOBODY;

/** From one call to the next of the same caller: what follows from them must keep up. */
const THINKING_MS = 100;
const think = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, THINKING_MS));

interface Mover {
  threadId: string;
  before: KeptThread;
  /** What each call came to. */
  answers: string[];
  /** The stages of calls that were answered, in order. */
  path: string[];
}

const wordOf = (answer: Answer | null): string => {
  if (answer?.status === 200) return answer.body.data.changed ? 'changed' : 'unchanged';
  return answer === null || answer.body.error.code === 'UNAVAILABLE' ? 'lost' : answer.body.error.code;
};

async function move({ threadId, answers, path }: Mover): Promise<void> {
  for (let call = 1; !isOver; call += 1) {
    const status_id = scene.stage(call % 3);
    const api = new ApiClient(serverAt(call).url, scene.account.key);
    const answer = await api.setStatus({ thread_id: threadId, status_id }).catch(() => null);
    answers.push(wordOf(answer));
    if (answers.at(-1) === 'changed') path.push(status_id);
    if (answer?.status === 200) acknowledged.moves += 1;
    await think();
  }
}

/** Lists that were answered, by their phones. */
const listed: string[] = [];

async function sendLists(): Promise<void> {
  for (let call = 0; !isOver; call += 1) {
    const phones = newPhones(LIST);
    const order = { bot_id: sender.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const to = phones.map((phone) => ({ phone }));
    const api = new ApiClient(serverAt(call).url, sender.key);
    const answer = await api.sendTemplate({ ...order, to }).catch(() => null);
    if (answer?.status === 200) {
      acknowledged.lists += 1;
      listed.push(...phones);
    }
    await think();
  }
}

/** Messages of customers whose webhooks were answered, by their ids. */
const written: string[] = [];

async function write(): Promise<void> {
  for (let call = 0; !isOver; call += 1) {
    const customer = newCustomer();
    const id = wamid();
    const body = cloudBody([scene.number.message(customer, `Мой номер ${customer.phone}`, { id })]);
    const answer = await postCloud(serverAt(call), body).catch(() => null);
    if (answer?.status === 200) {
      acknowledged.webhooks += 1;
      written.push(id);
    }
    await think();
  }
}

async function kill(count: number): Promise<void> {
  const killed = scene.servers.splice(0, count);
  await Promise.all(killed.map((server) => server.kill('SIGKILL')));
  await Promise.all(killed.map(() => scene.addServer()));
}

/** One stands still until all leases that there were are over, and goes on. */
async function freeze(): Promise<void> {
  const [frozen] = scene.servers.splice(0, 1);
  await frozen?.kill('SIGSTOP');
  const leases = ['replies', 'bot_channels', 'scenario_queues', 'endpoint_queues'].map(
    (table) => `SELECT max(lease_until) AS until FROM ${table}`,
  );
  const [last] = await query<{ until: string | null }>(
    `SELECT max(until)::text AS until FROM (${leases.join(' UNION ALL ')}) l`,
  );
  const isPast = async () =>
    (
      await query<{ past: boolean | null }>('SELECT clock_timestamp() > $1::timestamptz AS past', last?.until)
    )[0]?.past !== false;
  await eventually(isPast, ROUND_WITHIN_MS, 'the leases did not end');
  await frozen?.kill('SIGCONT');
  if (frozen) scene.servers.push(frozen);
}

const FAULTS: Record<string, () => Promise<unknown>> = {
  'kill -9 of a process': () => kill(1),
  'a restart of the database, as after kill -9': async () => {
    await cluster.crash();
    await cluster.comeBack();
  },
  'a process that stands still beyond its leases': freeze,
  'kill -9 of all processes': () => kill(scene.servers.length),
};

/** Waits until so many more calls of each kind are answered. */
async function untilMore(): Promise<void> {
  const before = { ...acknowledged };
  const kinds = Object.keys(before) as (keyof typeof before)[];
  const isMore = async () => kinds.every((kind) => acknowledged[kind] >= before[kind] + ENOUGH);
  await eventually(isMore, ROUND_WITHIN_MS, `not enough was answered after ${JSON.stringify(before)}`);
}

const movers: Mover[] = [];
let openAtTheEnd: string[] = [];

/** What is neither final nor unknown. */
async function open(): Promise<string[]> {
  const rows = await query<{ what: string }>(
    `SELECT 'message ' || status AS what FROM messages WHERE status IN ('queued', 'sending')
     UNION ALL SELECT 'reply' FROM replies WHERE state = 'due'
     UNION ALL SELECT 'webhook' FROM webhook_deliveries WHERE state = 'due'
     UNION ALL SELECT 'delivery' FROM endpoint_deliveries WHERE state = 'pending'`,
  );
  return rows.map(({ what }) => what);
}

const logged = (): Promise<{ thread_id: string; seqs: number[] }[]> =>
  query(
    `SELECT 'thread_' || thread_id AS thread_id, array_agg(seq::int ORDER BY seq) AS seqs FROM events
      WHERE account_id = $1 AND type = 'status' GROUP BY thread_id ORDER BY 1`,
    scene.account.id,
  );

/** The same as an endpoint accepted them first. */
const arrived = (): { thread_id: string; seqs: number[] }[] =>
  [...Map.groupBy(endpoint.accepted, ({ data }) => data.thread_id ?? '')]
    .map(([thread_id, events]) => ({ thread_id, seqs: events.map(({ data }) => data.seq) }))
    .toSorted((one, other) => (one.thread_id < other.thread_id ? -1 : 1));

beforeAll(async () => {
  const { account, provider } = scene;
  provider.latencyMs = LATENCY_MS;
  sender = await AccountFixture.create(cluster.pool);
  await sender.connect();
  await scene.model.reply({ text: 'Ответ.', times: null });
  endpoint = await EndpointReceiver.start();
  const made = await new ApiClient(scene.server.url, await addAdminKey(cluster.pool)).admin(
    'POST',
    'webhook-endpoints',
    { account_id: account.id, url: endpoint.url, events: ['lead.status_changed'] },
  );
  endpoint.secret = String(made.body.data.secret);
  let requests = 0;
  endpoint.usual = (...given) => ((requests += 1) % 20 === 0 ? ANSWERS.fail : ANSWERS.ok)(...given);
  for (let n = 0; n < MOVERS; n += 1) {
    const threadId = await account.addThread({ statusId: scene.stage(0) });
    movers.push({ threadId, before: await scene.kept.thread(threadId), answers: [], path: [] });
  }
  const calls = Promise.all([...movers.map(move), sendLists(), write()]);
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const fault of Object.values(FAULTS)) {
        await untilMore();
        await fault();
      }
    await untilMore();
  } finally {
    isOver = true;
    await calls;
  }
  const isSettled = async () => {
    openAtTheEnd = await open();
    const arrivals = arrived().reduce((sum, { seqs }) => sum + seqs.length, 0);
    const all = (await logged()).reduce((sum, { seqs }) => sum + seqs.length, 0);
    return openAtTheEnd.length === 0 && arrivals >= all;
  };
  await eventually(isSettled, SETTLED_WITHIN_MS, 'it').catch(() => undefined);
});

afterAll(() => endpoint?.stop());

describe(`after ${Object.keys(FAULTS).join(', ')}, amid calls of every kind`, () => {
  it('everything is final or unknown', () => {
    expect(openAtTheEnd).toEqual([]);
  });

  it('every move that was answered is in its dialog’s history, which is one unbroken chain', async () => {
    for (const { threadId, before, answers, path } of movers) {
      expect(violationsOfMoves(await reportStorm(scene.kept, threadId, before, answers))).toEqual([]);
      const kept = (await scene.kept.events(threadId)).map(({ to }) => to);
      // In their order; between them are others whose answers were lost.
      let at = -1;
      expect(path.filter((stage) => (at = kept.indexOf(stage, at + 1)) < 0)).toEqual([]);
    }
  });

  it('every list that was answered is there, no phone was asked for twice, and each is sent or unknown', async () => {
    const there = await query<{ recipient: string }>(
      'SELECT recipient FROM messages WHERE account_id = $1',
      sender.id,
    );
    const phones = new Set(there.map(({ recipient }) => recipient));
    expect(listed.filter((phone) => !phones.has(phone))).toEqual([]);
    expect(await violationsOfSends(cluster.pool, scene.provider, sender, scene.server)).toEqual([]);
    expect((await countOpen(cluster.pool, sender.id)).open).toBe(0);
  });

  it('every customer’s message whose webhook was answered is there once, and answered once at most', async () => {
    const kept = await query<{ provider_id: string; n: number; phone: string }>(
      `SELECT m.provider_id, count(*)::int AS n, min(t.phone) AS phone FROM messages m
         JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
        WHERE m.account_id = $1 AND m.inbound GROUP BY m.provider_id`,
      scene.account.id,
    );
    const once = new Set(kept.filter(({ n }) => n === 1).map(({ provider_id }) => provider_id));
    expect(kept.length).toBe(once.size);
    expect(written.filter((id) => !once.has(id))).toEqual([]);
    expect(kept.filter(({ phone }) => scene.provider.sendsTo(phone).length > 1)).toEqual([]);
    // An answer is there, or an operator was asked for.
    const unanswered = await query(
      `SELECT t.phone FROM threads t WHERE t.account_id = $1 AND t.phone = ANY ($2) AND t.attention IS NULL
          AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.thread_id = t.id AND m.role = 'AI' AND m.status = 'sent')`,
      ...[scene.account.id, kept.map(({ phone }) => phone)],
    );
    expect(unanswered).toEqual([]);
  });

  it('an endpoint has every event, each dialog’s in order, again with its own id alone', async () => {
    expect(arrived()).toEqual(await logged());
    expect(endpoint.forged).toEqual([]);
    const ids = Map.groupBy(endpoint.events, ({ data }) => data.seq);
    expect([...ids.values()].filter((events) => new Set(events.map(({ id }) => id)).size > 1)).toEqual([]);
  });

  it('figures equal a recount', async () => {
    const span = {
      from: new Date(Date.now() - 86_400_000),
      to: new Date(Date.now() + 86_400_000),
      timezone: 'Asia/Kolkata',
    };
    const of = { assistant_id: scene.account.assistantId, ...span };
    const { body } = await scene.api.call('leads/get-funnel-figures', of);
    const { stages, messages, first_answers } = (await FigureModel.read(scene.account)).funnel(
      span,
    ) as Record<string, unknown>;
    expect(body.data).toMatchObject({ complete: true, stages, messages, first_answers });
  });
});
