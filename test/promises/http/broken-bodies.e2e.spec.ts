import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { LeadScene } from '../../support/scenes/lead.scene';

const DEADLINE_MS = 20_000;

let scene: LeadScene;
let thread: string;

beforeAll(async () => {
  scene = await LeadScene.open();
  thread = await scene.account.addThread();
});

afterAll(() => scene?.close());

const head = (operation: string, ...headers: string[]): string =>
  [
    `POST /api/v1/leads/${operation} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');
const withKey = (operation: string, ...headers: string[]): string =>
  head(operation, `X-API-Key: ${scene.account.key}`, ...headers);

/** Everything that the service says to these bytes until it ends the connection. */
async function said(bytes: string, hangUp = false): Promise<string> {
  const { hostname, port } = new URL(scene.api.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('the connection was left open')));
  if (hangUp) socket.end(bytes);
  else socket.write(bytes);
  const answer = await text(socket);
  socket.end();
  return answer;
}

const expectRefusal = (answer: string, status: string, code: string): void => {
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine] = headers.split('\r\n');
  expect(statusLine).toBe(`HTTP/1.1 ${status}`);
  const [, id] = /^X-Request-Id: (\S+)\r?$/im.exec(headers) ?? [];
  expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code, request_id: id } });
};

describe('a body that cannot be read to its end', () => {
  it.each([
    ['is cut off', () => withKey('get-lead', 'Content-Length: 100') + '{"thread_id"', true],
    [
      'has a malformed chunk',
      () => withKey('get-lead', 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n',
      false,
    ],
    [
      'has a malformed chunk later on',
      () => withKey('get-lead', 'Transfer-Encoding: chunked') + '2\r\n{}\r\nzz\r\n',
      false,
    ],
  ])('is answered in the envelope when it %s', async (_how, bytes, hangUp) => {
    expectRefusal(await said(bytes(), hangUp), '422 Unprocessable Entity', 'VALIDATION_ERROR');
  });

  it('comes after the key in the order of checks', async () => {
    const bytes = head('get-lead', 'Transfer-Encoding: chunked') + 'zz\r\n';
    expectRefusal(await said(bytes), '401 Unauthorized', 'UNAUTHORIZED');
  });
});

it('what follows a whole request, and is none, takes nothing from its answer', async () => {
  const body = JSON.stringify({ thread_id: thread, status_id: scene.stage(0) });
  const answer = await said(
    `${withKey('set-status', `Content-Length: ${body.length}`)}${body}no request\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"changed":true');
});

it('a caller that closes its side behind a whole request gets the answer', async () => {
  const body = JSON.stringify({ thread_id: thread, status_id: scene.stage(1) });
  const bytes = `${withKey('set-status', `Content-Length: ${body.length}`)}${body}`;
  const answer = await said(bytes, true);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"changed":true');
});

it('a refusal that comes before the body’s end is the only answer', async () => {
  const answer = await said(head('get-lead', 'Content-Length: 50') + '{', true);
  expectRefusal(answer, '401 Unauthorized', 'UNAUTHORIZED');
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
