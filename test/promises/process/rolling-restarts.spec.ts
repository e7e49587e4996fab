import { triesOf } from '../../support/long.mode';
import { Balancer } from '../../support/programs/balancer';
import { RestartLoad } from '../../support/scenes/restart.load';
import { setSendScene } from '../../support/scenes/send.scene';

const RESTARTS = triesOf(3, 30);
/** Ten times as long as the balancer takes to ask again. */
const scene = setSendScene({ servers: 3, environment: { STOP_NOTICE_MS: '500' } });
let balancer: Balancer;

beforeAll(async () => {
  balancer = await Balancer.start();
  for (const { url } of scene.servers) await balancer.add(url);
});

afterAll(() => balancer?.stop());

/** Stops the process that has served longest, then starts another in its place, as a service manager does. */
async function restartOne(): Promise<void> {
  const [oldest] = scene.servers;
  if (!oldest) throw new Error('no process');
  expect(await oldest.stop()).toBe(0);
  balancer.remove(oldest.url);
  scene.servers.shift();
  const { url } = await scene.addServer();
  await balancer.add(url);
}

it(`${RESTARTS} restarts of three processes, one after the other under load, fail no call and lose no event`, async () => {
  const { account, database, provider } = scene;
  provider.latencyMs = 20;
  const load = await RestartLoad.start(balancer.url, account);
  for (let restart = 0; restart < RESTARTS; restart++) {
    load.sendList();
    await restartOne();
    await load.untilMoved(10);
  }
  await load.expectWhole(database.pool, provider);
}, 900_000);
