import { networkInterfaces } from 'node:os';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { requestLiterally } from '../support/clients/raw.request';

const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === 'IPv4')?.address;
const withOutside = OUTSIDE ? it : it.skip;

const dataDir = makeDataDir();
let demo: DemoProcess;

beforeAll(async () => {
  demo = await DemoProcess.start(dataDir, { HOST: '0.0.0.0' });
});

afterAll(async () => {
  await demo?.ended('SIGTERM');
  removeDataDir(dataDir);
});

/** The script that signs /docs in, as someone gets it who comes by that address and names that host. */
async function script(address: string, headers: Record<string, string>): Promise<string> {
  const url = new URL(demo.file().base_url);
  url.hostname = address;
  const answer = await requestLiterally(url.origin, { method: 'GET', path: '/docs/start.js', headers });
  expect(answer.status).toBe(200);
  return answer.text;
}

const hasKeys = (text: string): boolean[] =>
  [demo.file().admin_key, demo.file().api_keys[0]?.key ?? ''].map((key) => text.includes(key));

describe("the demo's keys are on the page /docs", () => {
  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'of a caller on this machine for %s',
    async (host) => {
      expect(hasKeys(await script('127.0.0.1', { Host: host }))).toEqual([true, true]);
    },
  );

  it.each(['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '192.0.2.7:3000'])(
    'not of a browser on this machine that was led here by the name %s',
    async (host) => {
      expect(hasKeys(await script('127.0.0.1', { Host: host }))).toEqual([false, false]);
    },
  );

  it('not of a caller who comes through a proxy on this machine', async () => {
    const headers = { Host: 'localhost:3000', 'X-Forwarded-For': '192.0.2.7' };
    expect(hasKeys(await script('127.0.0.1', headers))).toEqual([false, false]);
  });

  withOutside(
    "not of whoever comes by an address of the network (needs one besides this machine's own)",
    async () => {
      expect(hasKeys(await script(OUTSIDE ?? '', { Host: 'localhost' }))).toEqual([false, false]);
    },
  );
});
