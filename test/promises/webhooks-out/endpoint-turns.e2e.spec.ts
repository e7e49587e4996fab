import { setTimeout as sleep } from 'node:timers/promises';
import { limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { setWebhooksOutScene } from '../../support/scenes/webhooks-out.scene';

/** Endpoints have their turns one after the other, also on a machine that has much else to do. */
const TURNS_WITHIN_MS = 30_000;

const scene = setWebhooksOutScene({ environment: SHORT_TIMES });

afterEach(() => scene.deleteEndpoints());

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
});
