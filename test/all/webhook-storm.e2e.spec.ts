import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { limits, SHORT_TIMES } from '../support/programs/test.limits';
import { setWebhooksOutScene } from '../support/scenes/webhooks-out.scene';
import { ANSWERS, type EndpointReceiver } from '../support/stand-ins/endpoint.receiver';

const DIALOGS = 100;
const MOVES = 40;
const KILLS = 10;
const ENDED_WITHIN_MS = 300_000;
/** How long the receiver is dead. */
const DEAD_MS = 60_000;
/** An event is tried for longer than that, as with the usual times. */
const RETRIES = limits({
  'webhookRetries.retriesMs': [100, 200, 400, 800, 1_600, 3_200, 10_000, 30_000, 60_000],
});
/** Moves under way at once. */
const CALLERS = 8;

const scene = setWebhooksOutScene({
  servers: 2,
  environment: { ...SHORT_TIMES, ...RETRIES },
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
