import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { ENDPOINT_TIMES, limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { IS_LONG } from '../../support/long.mode';
import { setWebhooksOutScene } from '../../support/scenes/webhooks-out.scene';
import { ANSWERS, type EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';

// The long mode has one size: 4,000 events.
const DIALOGS = IS_LONG ? 100 : 40;
const MOVES = IS_LONG ? 40 : 8;
const KILLS = IS_LONG ? 10 : 2;
const ENDED_WITHIN_MS = IS_LONG ? 300_000 : 60_000;
/** How long the receiver is dead. */
const DEAD_MS = IS_LONG ? 60_000 : 1_000;
/** An event is tried for longer than that, as with the usual times. */
const RETRIES: Record<string, string> = IS_LONG
  ? limits({ 'webhookRetries.retriesMs': [100, 200, 400, 800, 1_600, 3_200, 10_000, 30_000, 60_000] })
  : {};
/** Endpoints have their turns one after the other, also on a machine that has much else to do. */
const TURNS_WITHIN_MS = 30_000;
/** Moves under way at once. */
const CALLERS = 8;

const scene = setWebhooksOutScene({
  servers: 2,
  environment: { ...planted('own-endpoints'), ...ENDPOINT_TIMES, ...SHORT_TIMES, ...RETRIES },
});

afterEach(() => scene.deleteEndpoints());

/** Every way in which a receiver can fail, and none oftener than it accepts. */
const WAYS = [
  ...Array.from({ length: 12 }, () => ANSWERS.ok),
  ...[ANSWERS.fail, ANSWERS.reset, ANSWERS.redirect, ANSWERS.drip, ANSWERS.hang],
];

/** The numbers of the moves of each dialog, in their order, by the log. */
async function logged(): Promise<Map<string, number[]>> {
  const { rows } = await scene.database.pool.query<{ thread_id: string; seqs: string[] }>(
    `SELECT thread_id, array_agg(seq ORDER BY seq) AS seqs FROM events
      WHERE account_id = $1 AND type = 'status' GROUP BY thread_id`,
    [scene.account.id],
  );
  return new Map(rows.map(({ thread_id, seqs }) => [`thread_${thread_id}`, seqs.map(Number)]));
}

/** The same as they were first accepted. */
function arrived({ accepted }: EndpointReceiver): Map<string, number[]> {
  const seqs = new Map<string, number[]>();
  for (const { data } of accepted)
    seqs.set(data.thread_id ?? '', [...(seqs.get(data.thread_id ?? '') ?? []), data.seq]);
  return seqs;
}

it('events reach a receiver that fails in every way and dies, over kills of the senders: each, in order per dialog, repeated with its id alone', async () => {
  const endpoint = await scene.endpoint({ events: ['lead.status_changed'] });
  endpoint.usual = (response, request) =>
    (WAYS[Math.floor(Math.random() * WAYS.length)] ?? ANSWERS.ok)(response, request);
  const dialogs = await Promise.all(Array.from({ length: DIALOGS }, () => scene.dialog()));
  const moves = Array.from({ length: MOVES }, (_, round) =>
    dialogs.map(({ threadId }) => ({ threadId, stage: (round + 1) % 3 })),
  ).flat();
  let moved = 0;
  const call = async (): Promise<void> => {
    for (let move = moves.shift(); move; move = moves.shift()) {
      // The process that takes the calls may be the one that is killed; its callers go to another.
      const made = await scene.move(move.threadId, move.stage).then(
        () => true,
        () => false,
      );
      if (made) moved += 1;
      else moves.unshift(move);
      if (!made) await sleep(50);
    }
  };
  const calls = Promise.all(Array.from({ length: CALLERS }, call));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const threshold = ((kill + 1) * DIALOGS * MOVES) / (KILLS + 2);
    await eventually(
      async () => endpoint.accepted.length > threshold / 2 || moves.length === 0,
      ENDED_WITHIN_MS,
      'nothing arrives',
    );
    // In turn the process that takes the calls, which go on at the other, and the other one.
    const [victim] = scene.servers.splice(kill % 2, 1);
    await victim?.kill('SIGKILL');
    await scene.addServer();
  }
  await endpoint.dieFor(DEAD_MS);
  await calls;
  endpoint.usual = ANSWERS.ok;
  expect(moved).toBe(DIALOGS * MOVES);
  const whole = await logged();
  const count = [...whole.values()].reduce((sum, seqs) => sum + seqs.length, 0);
  await endpoint.until(count, undefined, ENDED_WITHIN_MS);
  expect(arrived(endpoint)).toEqual(whole);
  expect(endpoint.forged).toEqual([]);
  const idOf = new Map<number, string>();
  for (const { id, data } of endpoint.events) {
    expect(idOf.get(data.seq) ?? id).toBe(id);
    idOf.set(data.seq, id);
  }
  expect(new Set(idOf.values()).size).toBe(count);
}, 600_000);

it('processes pass an event on at most once, whoever holds its endpoint, and also where it was disabled meanwhile', async () => {
  await scene.addServer(limits({ 'webhookServing.endpoints': 1, 'webhookServing.turnMs': 200 }));
  const endpoint = await scene.endpoint({ events: ['lead.status_changed'] });
  const { threadId } = await scene.dialog();
  const listener = await scene.database.pool.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => payload.includes(endpoint.id) && heard.push(payload));
  let moves = 0;
  const move = async (): Promise<void> => {
    const status_id = scene.stage((moves += 1) % 3);
    await scene.apiAt(moves).setStatus({ thread_id: threadId, status_id });
  };
  const change = (disabled: boolean) =>
    scene.govern('PATCH', `webhook-endpoints/${endpoint.id}`, { disabled });
  try {
    await listener.query('LISTEN leadline_work');
    while (moves < 12) {
      await move();
      await endpoint.until(moves);
    }
    await change(true);
    const before = moves;
    while (moves < before + 3) await move();
    await change(false);
    await move();
    await endpoint.until(before + 1);
  } finally {
    listener.release(true);
  }
  // A change of the endpoint is told as an event is, and so is what comes while an endpoint is given back.
  expect(heard.length).toBeLessThanOrEqual(moves + 6);
});

it('a process with more endpoints than it serves at once serves each in turn, also while events come without an end', async () => {
  // The last one, which serves a single endpoint at once, is left.
  await Promise.all(scene.servers.splice(0, scene.servers.length - 1).map((server) => server.stop()));
  const endpoints = [await scene.endpoint(), await scene.endpoint()];
  const dialogs = await Promise.all(Array.from({ length: 10 }, () => scene.dialog()));
  let isOver = false;
  let moves = 0;
  const coming = (async () => {
    for (; !isOver; moves += 1) {
      await scene.move(dialogs[moves % 10]?.threadId ?? '', Math.floor(moves / 10) % 2);
      await sleep(100);
    }
  })();
  try {
    await Promise.all(endpoints.map((endpoint) => endpoint.until(5, undefined, TURNS_WITHIN_MS)));
  } finally {
    isOver = true;
    await coming;
  }
  await Promise.all(endpoints.map((endpoint) => endpoint.until(moves, undefined, TURNS_WITHIN_MS)));
}, 120_000);
