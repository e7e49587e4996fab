import { connect } from 'node:net';
import { addAdminKey } from '../../support/database/fixture';
import { LeadScene } from '../../support/scenes/lead.scene';
import { requestLiterally } from '../../support/clients/raw.request';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let scene: LeadScene;
let adminKey: string;

beforeAll(async () => {
  scene = await LeadScene.open();
  adminKey = await addAdminKey(scene.database.pool);
});

afterAll(() => scene?.close());

const get = (path: string, headers: Record<string, string>) =>
  requestLiterally(scene.server.url, { method: 'GET', path, headers });

describe('a condition in a request', () => {
  it.each(['/health/live', '/health/ready', '/openapi.json', '/docs', '/api/v1/admin/accounts'])(
    'takes nothing from the answer of %s',
    async (path) => {
      for (const value of ['*', '"x"', 'W/"x"']) {
        const { status, text } = await get(path, { 'If-None-Match': value, 'X-API-Key': adminKey });
        expect([value, status, text === '']).toEqual([value, 200, false]);
      }
    },
  );

  it.each([
    ['Range', 'bytes=99999999-'],
    ['Range', 'bytes=0-3'],
    ['If-Match', '"x"'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is no fault of ours where a file is asked for: %s: %s', async (name, value) => {
    const { status, text } = await get('/docs/swagger-ui.css', { [name]: value });
    expect([status, text.length > 10_000]).toEqual([200, true]);
    expect(scene.server.output()).not.toContain('our own fault');
  });
});

it('the documentation is made of the files it needs, and takes GET alone', async () => {
  const { text } = await get('/docs', {});
  const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => String(path));
  expect(files.length).toBeGreaterThan(3);
  for (const path of files) {
    expect([path, (await get(path, {})).status]).toEqual([path, 200]);
    const { status, headers } = await requestLiterally(scene.server.url, { path });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
  expect((await get('/docs/index.html', {})).status).toBe(404);
});

it.each(['/socket.io/?EIO=4&transport=polling', '/socket.io/', '/socket.io/?EIO=4&transport=polling&sid=x'])(
  'an answer of the sockets, to %s, names the request',
  async (path) => {
    expect((await get(path, {})).headers.get('x-request-id')).toMatch(UUID_7);
    expect((await get(path, { 'X-Request-Id': 'mine' })).headers.get('x-request-id')).toBe('mine');
  },
);

it('a request without Host is answered like any other', async () => {
  const { hostname, port } = new URL(scene.server.url);
  const said = await new Promise<string>((resolve, reject) => {
    let text = '';
    const caller = connect(Number(port), hostname, () =>
      caller.write('GET /unknown HTTP/1.1\r\nConnection: close\r\n\r\n'),
    );
    caller.on('data', (chunk) => (text += chunk.toString()));
    caller.once('end', () => resolve(text));
    caller.once('error', reject);
  });
  expect(said).toMatch(/^HTTP\/1\.1 404 [\s\S]*X-Request-Id: [\s\S]*"NOT_FOUND"/);
});
