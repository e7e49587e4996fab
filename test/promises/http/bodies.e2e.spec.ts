import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { request, type Answer } from '../../support/clients/api.client';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { requestLiterally } from '../../support/clients/raw.request';
import type { SessionClient } from '../../support/clients/session.client';
import { dumpOf } from '../../support/database/database.dump';
import { setScene } from '../../support/scenes/base.scene';

// What is JSON is in strict-json-parser.spec.ts and json-body.spec.ts, what a body may say in dto-pipe.spec.ts. Webhooks take
// bytes (webhook-intake.e2e.spec.ts), uploads forms (uploaded-media.e2e.spec.ts).

const MIB = 1024 * 1024;
const MISSING = '00000000-0000-7000-8000-000000000000';
const DEADLINE_MS = 20_000;
const JSON_TYPE = 'application/json';

const scene = setScene();
let person: SessionClient;
/** Those with a body, as the document has them. */
let operations: Operation[];
let thread: string;
let before: Record<string, string>;

beforeAll(async () => {
  person = await scene.join({ role: 'admin' });
  const { body } = await request(`${scene.server.url}/openapi.json`);
  operations = operationsOf(body).filter((operation) => operation.body !== null);
  thread = await scene.account.addThread({ statusId: scene.stage(0) });
});

beforeEach(async () => {
  // Sessions are marked as seen once a minute; not during these calls.
  await scene.database.pool.query('UPDATE user_sessions SET last_seen_at = clock_timestamp()');
  before = await dumpOf(scene.database.pool);
});

const expectNothingChanged = async (): Promise<void> =>
  expect(await dumpOf(scene.database.pool)).toEqual(before);

describe('the body of every operation', () => {
  function call({ ways, path, method }: Operation, type?: string, body?: string): Promise<Answer> {
    const [way = {}] = ways;
    const { 'Content-Type': _, ...session } = person.headers;
    const ofKey = 'AdminKey' in way ? scene.adminKey : 'ApiKey' in way ? scene.account.key : null;
    return request(scene.server.url + path.replaceAll(/\{\w+\}/g, MISSING), {
      method,
      headers: { ...(ofKey ? { 'X-API-Key': ofKey } : session), ...(type && { 'Content-Type': type }) },
      body,
    });
  }
  const outcome = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.details];
  const refusedAt = (path: string, message: string): unknown[] => [
    ...[422, 'VALIDATION_ERROR', [{ path, message: expect.stringContaining(message) }]],
  ];

  it('is refused before anything is changed where a key repeats, or where it is no object or no JSON', async () => {
    expect(operations.length).toBeGreaterThan(60);
    for (const operation of operations) {
      const { method, path } = operation;
      const refusals = [
        outcome(await call(operation, JSON_TYPE, '{"x":[{"a":1,"a":2}]}')),
        outcome(await call(operation, JSON_TYPE, '[{}]')),
        outcome(await call(operation, JSON_TYPE, '{}x')),
      ];
      expect([method, path, ...refusals]).toEqual([
        ...[method, path, refusedAt('x[0].a', 'occurs twice'), refusedAt('', 'must be a JSON object')],
        refusedAt('', 'Malformed JSON'),
      ]);
    }
    await expectNothingChanged();
  });
});

describe('a body', () => {
  interface Sending {
    type?: string;
    encoding?: string;
    chunked?: boolean;
  }
  const send = (
    operation: string,
    body: string | Uint8Array,
    { type = JSON_TYPE, encoding, chunked }: Sending = {},
  ): Promise<Answer> =>
    requestLiterally(scene.server.url, {
      path: `/api/v1/leads/${operation}`,
      headers: {
        ...{ 'X-API-Key': scene.account.key, 'Content-Type': type },
        ...(encoding && { 'Content-Encoding': encoding }),
      },
      body,
      chunked,
    });
  /** One that would clear the stage if the service took it, with what makes it unfit. */
  const clearing = (rest = ''): string => `{"thread_id":"${thread}","status_id":null${rest}}`;
  const nesting = (levels: number): string => '['.repeat(levels - 1) + ']'.repeat(levels - 1);

  it('is refused with 422, and nothing changes, where it is unfit', async () => {
    const unfit: [what: string, body: string | Uint8Array, sending: Sending][] = [
      ['an empty one', '', {}],
      ['a cut one', clearing().slice(0, -1), {}],
      ['one whose stage is cleared by the second of two keys', clearing(',"status\\u005fid":"x"'), {}],
      ['one that is no UTF-8', Buffer.concat([Buffer.from([0xff]), Buffer.from(clearing())]), {}],
      ['one with NUL', clearing(',"x":"a\\u0000b"'), {}],
      ['one with half of a letter', clearing(',"x":"\\ud800"'), {}],
      ['one with a number beyond a double', clearing(',"x":1e999'), {}],
      ['one of 33 levels', clearing(`,"x":${nesting(33)}`), {}],
      ['one of 200,000 levels', clearing(`,"x":${nesting(200_000)}`), {}],
      ['a form', `thread_id=${thread}&status_id=`, { type: 'application/x-www-form-urlencoded' }],
      ['text', clearing(), { type: 'text/plain' }],
      ['a compressed one', gzipSync(clearing()), { encoding: 'gzip' }],
      ['one that says it is compressed', clearing(), { encoding: 'br' }],
    ];
    for (const [what, body, sending] of unfit) {
      const { status, body: answer } = await send('set-status', body, sending);
      expect([what, status, answer.error?.code, answer.error?.details?.length]).toEqual([
        ...[what, 422, 'VALIDATION_ERROR', 1],
      ]);
    }
    await expectNothingChanged();
  });

  it('of 32 levels is taken', async () => {
    expect((await send('get-lead', `{"thread_id":"${thread}","x":${nesting(32)}}`)).status).toBe(200);
  });

  it.each([false, true])('of 1 MiB is taken, and a larger one is 413 (in chunks: %s)', async (chunked) => {
    const padded = (body: (text: string) => string, bytes: number): string =>
      body('a'.repeat(bytes - body('').length));
    const whole = padded((x) => `{"thread_id":"${thread}","x":"${x}"}`, MIB);
    expect((await send('get-lead', whole, { chunked })).status).toBe(200);
    const { status, body } = await send(
      'set-status',
      padded((x) => clearing(`,"x":"${x}"`), MIB + 1),
      { chunked },
    );
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await expectNothingChanged();
  });

  it('with a wrong item is refused as a whole, and each violation is named with its path', async () => {
    const good = { thread_id: thread, status_id: null };
    const { status, body } = await scene.api.setStatusBulk({ items: [good, { ...good, thread_id: '' }, 7] });
    expect([status, body.error.details]).toEqual([
      422,
      [
        { path: 'items[1].thread_id', message: expect.any(String) },
        { path: 'items[2]', message: 'must be an object' },
      ],
    ]);
    await expectNothingChanged();
  });
});

describe('a body that cannot be read to its end', () => {
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

  it.each<[string, () => string, boolean, string, string]>([
    [
      'that is cut off',
      () => withKey('get-lead', 'Content-Length: 100') + '{"thread_id"',
      true,
      '422 Unprocessable Entity',
      'VALIDATION_ERROR',
    ],
    [
      'with a malformed chunk',
      () => withKey('get-lead', 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n',
      false,
      '422 Unprocessable Entity',
      'VALIDATION_ERROR',
    ],
    [
      'with a malformed chunk later on',
      () => withKey('get-lead', 'Transfer-Encoding: chunked') + '2\r\n{}\r\nzz\r\n',
      false,
      '422 Unprocessable Entity',
      'VALIDATION_ERROR',
    ],
    [
      'of nobody, with a malformed chunk: the key comes first',
      () => head('get-lead', 'Transfer-Encoding: chunked') + 'zz\r\n',
      false,
      '401 Unauthorized',
      'UNAUTHORIZED',
    ],
    [
      'of nobody, that is cut off',
      () => head('get-lead', 'Content-Length: 50') + '{',
      true,
      '401 Unauthorized',
      'UNAUTHORIZED',
    ],
  ])('%s has one answer, in the envelope', async (_, bytes, hangUp, status, code) => {
    const answer = await said(bytes(), hangUp);
    const [headers = '', body = ''] = answer.split('\r\n\r\n');
    const [statusLine] = headers.split('\r\n');
    expect(statusLine).toBe(`HTTP/1.1 ${status}`);
    const [, id] = /^X-Request-Id: (\S+)\r?$/im.exec(headers) ?? [];
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code, request_id: id } });
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it.each<[string, string, boolean]>([
    ['what follows a whole request, and is none', 'no request\r\n\r\n', false],
    ['a caller that closes its side behind a whole request', '', true],
  ])('%s takes nothing from its answer', async (_, behind, hangUp) => {
    const thread_id = await scene.account.addThread();
    const body = JSON.stringify({ thread_id, status_id: scene.stage(1) });
    const bytes = `${withKey('set-status', `Content-Length: ${body.length}`)}${body}${behind}`;
    const answer = await said(bytes, hangUp);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('"changed":true');
  });
});
