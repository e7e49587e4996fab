import {
  cloudBody,
  openSandboxScene,
  type SandboxScene,
} from '../../../../test/support/scenes/sandbox.scene';

const scenes: SandboxScene[] = [];
const openScene = async (...options: Parameters<typeof openSandboxScene>): Promise<SandboxScene> => {
  const scene = await openSandboxScene(...options);
  scenes.push(scene);
  return scene;
};

afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

it('a webhook that is not acknowledged comes again with the same bytes, each time later', async () => {
  const scene = await openScene({ readAfterMs: null, statusDelays: { sent: 1, delivered: 1 } });
  const { receiver } = scene;
  receiver.answers.push(500, 503, 202);
  await scene.cloud(cloudBody('+77010000001', { name: 'plain', biz_opaque_callback_data: 'again' }));
  await receiver.until(() => receiver.received.length >= 4, 'four attempts');
  const attempts = receiver.received.slice(0, 4);
  expect(new Set(attempts.map(({ body }) => body.toString())).size).toBe(1);
  expect(new Set(attempts.map(({ headers }) => headers['x-hub-signature-256'])).size).toBe(1);
  const [first = 0, second = 0, , fourth = 0] = attempts.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(15);
  expect(fourth - second).toBeGreaterThanOrEqual(100);
});

it('a receiver that was away gets what it missed', async () => {
  const scene = await openScene();
  const { receiver } = scene;
  scene.sandbox.setWebhooks({ cloud: 'http://127.0.0.1:1/away' });
  await scene.cloud(cloudBody('+77010000001', { name: 'plain', biz_opaque_callback_data: 'missed' }));
  scene.sandbox.setWebhooks({ cloud: `${receiver.url}/cloud` });
  await receiver.until(() => receiver.statuses('missed').length === 3, 'three states');
});

it('a hanging receiver does not keep other webhooks back', async () => {
  const scene = await openScene();
  const { receiver } = scene;
  receiver.answers.push(null);
  await scene.cloud(cloudBody('+77010000001', { name: 'plain', biz_opaque_callback_data: 'a' }));
  await receiver.until(() => receiver.statuses('a').length === 3, 'three states');
});

it('an address is confirmed as Meta does it, by the challenge', async () => {
  const { receiver, sandbox } = await openScene();
  receiver.verifyToken = 'another';
  expect(await sandbox.verifyWebhook()).toBe(false);
  receiver.verifyToken = 'verify-me';
  expect(await sandbox.verifyWebhook()).toBe(true);
});

it('a stop ends all that is under way: requests, retries, pages that listen', async () => {
  const scene = await openScene();
  const { receiver } = scene;
  receiver.answers.push(...Array.from({ length: 100 }, () => 500));
  const hanging = scene.cloud(cloudBody('+77005550010', { name: 'plain' })).catch(() => 'gone');
  const events = await fetch(`${scene.sandbox.url}/handset/events?sender=100000000000001`);
  await receiver.until(() => receiver.received.length > 0, 'an attempt');
  await scene.sandbox.stop();
  expect(await hanging).toBe('gone');
  await expect(events.text()).rejects.toThrow();
  const attempts = receiver.received.length;
  // Longer than the longest wait between two attempts.
  const later = performance.now() + 150;
  await receiver.until(() => performance.now() > later, 'the time of another attempt');
  expect(receiver.received.length).toBe(attempts);
  scenes.pop();
  await receiver.stop();
});
