import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { DemoLife } from './demo-life';
import { SCENES } from './life-cast';
import type { LifeAct } from './life-plan';

const WITHIN_MS = 10_000;

/** What the service answers next: a status, or null for a broken connection. The last is repeated. */
let answers: (number | null)[];
let asked: string[];
let server: Server;
let life: DemoLife | null;
let wrote: string[];

beforeEach(async () => {
  [answers, asked, wrote, life] = [[200], [], [], null];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const status = (answers.length > 1 ? answers.shift() : answers[0]) ?? null;
    if (status === null) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { ok: false, error: { code: 'UNAVAILABLE' } };
    response.end(
      status === 502
        ? '<html>'
        : JSON.stringify(status === 200 ? { ok: true, data: { threads: [] } } : error),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  await life?.stop();
  server.closeAllConnections();
  server.close();
});

const WRITE: LifeAct = {
  kind: 'write',
  intent: 'ask',
  act: { sender: '1', phone: '+77015553001', text: 'Вы открыты?' },
};

function live(act: LifeAct | null, write = (text: string): void => void wrote.push(text)): DemoLife {
  life = new DemoLife({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyOf: (name) => name,
    write: ({ text = '' }) => write(text),
    plan: { pause: () => 5, scene: () => SCENES[0], next: () => act },
    retry: { firstMs: 5, longestMs: 20 },
  });
  life.start();
  return life;
}

it('reads the dialogs as any client does, and writes as a customer', async () => {
  live(WRITE);
  await eventually(async () => wrote.length >= 2, WITHIN_MS, 'nobody wrote');
  expect(wrote[0]).toBe('Вы открыты?');
  expect(new Set(asked)).toEqual(new Set(['/api/v1/messages/get-threads']));
});

it.each<[string, (number | null)[]]>([
  ['429', [429, 429, 200]],
  ['503', [503, 503, 503, 200]],
  ['what is no JSON', [502, 200]],
  ['broken connections', [null, null, 200]],
])('goes on after %s, and says nothing', async (_, given) => {
  const said = [jest.spyOn(console, 'error'), jest.spyOn(console, 'log'), jest.spyOn(console, 'warn')];
  answers = given;
  live(WRITE);
  await eventually(async () => wrote.length >= 1, WITHIN_MS, 'nobody wrote any more');
  for (const one of said) {
    expect(one).not.toHaveBeenCalled();
    one.mockRestore();
  }
});

it('goes on when a phone refuses what is written', async () => {
  let tries = 0;
  live(WRITE, () => {
    tries += 1;
    throw new Error('no number of a business');
  });
  await eventually(async () => tries >= 3, WITHIN_MS, 'it gave up');
});

it('waits longer each time that the service is away', async () => {
  answers = [503];
  const paused = jest.spyOn(global, 'setTimeout');
  live(WRITE);
  await eventually(async () => asked.length >= 5, WITHIN_MS, 'it gave up');
  const waits = paused.mock.calls.map(([, ms]) => ms).filter((ms) => [10, 20].includes(ms ?? 0));
  paused.mockRestore();
  expect(waits).toEqual(expect.arrayContaining([10, 20]));
});

it.each<[string, LifeAct, string]>([
  ['pay', { kind: 'pay', threadId: 't', from: 'a', to: 'b' }, '/api/v1/leads/set-status'],
  ['read', { kind: 'read', threadId: 't', upTo: 'm' }, '/api/v1/messages/mark-read'],
])('calls the public operation: %s', async (_, act, path) => {
  live(act);
  await eventually(async () => asked.includes(path), WITHIN_MS, 'it was not called');
});

it('writes nothing after it was stopped', async () => {
  const stopping = live(WRITE);
  await eventually(async () => wrote.length >= 1, WITHIN_MS, 'nobody wrote');
  await stopping.stop();
  const before = [wrote.length, asked.length];
  live(null);
  await eventually(async () => asked.length > (before[1] ?? 0) + 5, WITHIN_MS, 'the other one does not live');
  expect(wrote).toHaveLength(before[0] ?? 0);
});

it('is stopped at once while it waits for an answer, and does not write then', async () => {
  server.removeAllListeners('request');
  server.on('request', ({ url = '' }) => void asked.push(url));
  const stopping = live(WRITE);
  await eventually(async () => asked.length === 1, WITHIN_MS, 'it asked nothing');
  // Without an end of the request it would wait for 20 s, longer than this test may take.
  await stopping.stop();
  expect(wrote).toEqual([]);
});
