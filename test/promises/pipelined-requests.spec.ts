import { connect } from 'node:net';
import { LeadScene } from '../support/lead.scene';
import { RowLock } from '../support/row.lock';

const ROUNDS = 20;

let scene: LeadScene;

beforeAll(async () => {
  scene = await LeadScene.open();
});

afterAll(() => scene?.close());

/** Sends requests behind one another without waiting, and gives the answers as they came. */
function pipeline(bodies: readonly object[]): Promise<string> {
  const { hostname, port } = new URL(scene.server.url);
  const head = `POST /api/v1/leads/set-status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${scene.account.key}\r\nContent-Type: application/json\r\n`;
  const requests = bodies.map((body, index) => {
    const text = JSON.stringify(body);
    const end = index === bodies.length - 1 ? 'Connection: close\r\n' : '';
    return `${head}${end}X-Request-Id: request-${index}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const caller = connect(Number(port), hostname, () => caller.write(requests.join('')));
    caller.on('data', (chunk) => (said += chunk.toString()));
    caller.once('end', () => resolve(said));
    caller.once('error', reject);
  });
}

it('moves that are sent behind one another on a connection are made in their order', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const thread_id = await scene.account.addThread();
    const stages = [0, 1, 2].map((stage) => scene.stage(stage));
    const said = await pipeline(stages.map((status_id) => ({ thread_id, status_id })));
    expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
    ]);
    const { body } = await scene.api.getHistory({ thread_id });
    const entered = (body.data.entries as { to: { id: string } }[]).map(({ to }) => to.id);
    expect(entered).toEqual(stages.toReversed());
  }
});

it('what is logged of a request behind another bears its own id', async () => {
  const [free, held] = [await scene.account.addThread(), await scene.account.addThread()];
  const lock = await RowLock.take(scene.database, held);
  try {
    const said = await pipeline([free, held].map((thread_id) => ({ thread_id, status_id: scene.stage(0) })));
    expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '503']);
  } finally {
    await lock.release();
  }
  const logged = scene.server
    .output()
    .split('\n')
    .filter((line) => line.includes('"ErrorFilter"'));
  expect(logged.map((line) => (JSON.parse(line) as { request_id: string }).request_id)).toEqual([
    'request-1',
  ]);
});

it('a request behind one that is refused, or whose path there is not, is answered all the same', async () => {
  const thread_id = await scene.account.addThread();
  const said = await pipeline([{}, { thread_id }, { thread_id, status_id: scene.stage(0) }]);
  expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['422', '422', '200']);
});
