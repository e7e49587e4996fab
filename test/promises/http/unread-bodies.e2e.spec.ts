import { eventually } from '../../support/eventually';
import { UnreadCaller } from '../../support/clients/unread.caller';
import { signatureOf } from '../../support/clients/webhook.sender';
import { fieldOf } from '../../support/clients/upload.client';
import { setMediaScene } from '../../support/scenes/media.scene';
import { triesOf } from '../../support/long.mode';

const MIB = 1024 * 1024;
/** What is thrown away with a reset is lost in every round, as the caller reads late: more rounds are for other moments. */
const ROUNDS = triesOf(1, 50);
/** More than any of these bodies may have, and than the server reads before it answers. */
const BODY = Buffer.alloc(4 * MIB, ' ');
/** Of an upload: more than any may have. */
const FAR_TOO_MANY_BYTES = 110 * MIB;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const CLOSE = { Connection: 'close' };
const LEADS = '/api/v1/leads/get-lead';
const TOO_LARGE = '413,PAYLOAD_TOO_LARGE';
const INVALID = '422,VALIDATION_ERROR';
const UPLOADS = '/api/v1/messages/upload-media';
const WEBHOOKS = '/webhooks/whatsapp';
const SIGNED = { ...JSON_TYPE, 'X-Hub-Signature-256': signatureOf('') };
/** Longer than a connection may linger. */
const DEADLINE_MS = 20_000;
/** A stop takes less than the ten seconds for which it waits for calls. */
const STOPPED_WITHIN_MS = 8_000;

const scene = setMediaScene();

type Headers = Record<string, string>;

const headOf = (path: string, headers: Headers): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const lengthOf = (bytes: number): Headers => ({ 'Content-Length': String(bytes) });
const keyed = (key = scene.manyCallsKey): Headers => ({ 'X-API-Key': key });

/** Whether that is one answer, whole, and what it says. */
function read(answer: string): [status: number, code: string] {
  const [head = '', body = '', ...more] = answer.split('\r\n\r\n');
  const [, length] = /^Content-Length: (\d+)\r?$/im.exec(head) ?? [];
  expect([more, answer.match(/HTTP\/1\.1 \d/g)?.length, body.length]).toEqual([[], 1, Number(length)]);
  const { error } = JSON.parse(body) as { error: { status: number; code: string } };
  return [error.status, error.code];
}

/** Sends a request whose body is refused before its end, and reads only when all is written. */
async function answerTo(head: string, body: Buffer): Promise<[status: number, code: string]> {
  const caller = new UnreadCaller(scene.server.url);
  try {
    await caller.write(head);
    await caller.write(body);
    return read(await caller.answer());
  } finally {
    caller.destroy();
  }
}

/** The outcomes of as many tries, each with how often it was seen. */
async function outcomesOf(attempt: () => Promise<unknown>): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const outcome = await attempt().then(String, ({ message, cause }: Error) =>
      [message, (cause as Error | undefined)?.message].join(' '),
    );
    seen[outcome] = (seen[outcome] ?? 0) + 1;
  }
  return seen;
}

const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** A form that is refused when its first field has come. */
const FORM = Buffer.concat([
  Buffer.from('--b\r\n'),
  fieldOf('file', 'words'),
  Buffer.from('--b\r\n'),
  fieldOf('note', BODY.toString()),
]);

describe('a caller who is still sending when the answer comes gets all of it', () => {
  const whole = (): Headers => lengthOf(BODY.length);
  const oneCallOnly = async (): Promise<Headers> => {
    const key = await scene.account.addKey({ limitLeads: 1 });
    await scene.apiAt(0, key).getStatuses();
    return keyed(key);
  };

  it.each<[string, string, () => Headers | Promise<Headers>, Buffer, string]>([
    ['JSON that is too large', LEADS, () => ({ ...keyed(), ...JSON_TYPE, ...whole() }), BODY, TOO_LARGE],
    [
      'JSON that becomes too large',
      LEADS,
      () => ({ ...keyed(), ...JSON_TYPE, ...CHUNKED }),
      chunkOf(BODY),
      TOO_LARGE,
    ],
    [
      'JSON of a stranger',
      '/api/v1/auth/sign-in',
      () => ({ Origin: 'http://x', ...JSON_TYPE, ...whole() }),
      BODY,
      TOO_LARGE,
    ],
    ['a webhook', WEBHOOKS, () => ({ ...SIGNED, ...whole() }), BODY, TOO_LARGE],
    [
      'an upload that is too large',
      UPLOADS,
      () => ({ ...keyed(), ...FORM_TYPE, ...lengthOf(FAR_TOO_MANY_BYTES) }),
      BODY,
      TOO_LARGE,
    ],
    [
      'a form that is wrong from its first field',
      UPLOADS,
      () => ({ ...keyed(), ...FORM_TYPE, ...lengthOf(FORM.length) }),
      FORM,
      INVALID,
    ],
    [
      'a body that is none from its second chunk on',
      LEADS,
      () => ({ ...keyed(), ...JSON_TYPE, ...CHUNKED }),
      Buffer.concat([Buffer.from('2\r\n{}\r\nzz\r\n'), BODY]),
      INVALID,
    ],
    [
      'a call without a key that closes',
      LEADS,
      () => ({ ...JSON_TYPE, ...CLOSE, ...whole() }),
      BODY,
      '401,UNAUTHORIZED',
    ],
    [
      'a call too many that closes',
      LEADS,
      async () => ({ ...(await oneCallOnly()), ...JSON_TYPE, ...CLOSE, ...whole() }),
      BODY,
      '429,RATE_LIMITED',
    ],
    ['a path that does not exist and closes', '/x', () => ({ ...CLOSE, ...whole() }), BODY, '404,NOT_FOUND'],
  ])('for %s', async (_, path, headers, body, expected) => {
    const head = headOf(path, await headers());
    expect(await outcomesOf(() => answerTo(head, body))).toEqual({ [expected]: ROUNDS });
  });

  it.each<[string, string, () => Headers, string]>([
    ['JSON', LEADS, () => ({ ...keyed(), ...JSON_TYPE }), TOO_LARGE],
    ['a webhook', WEBHOOKS, () => SIGNED, TOO_LARGE],
    ['a form', UPLOADS, () => ({ ...keyed(), ...FORM_TYPE, 'Content-Encoding': 'gzip' }), INVALID],
  ])('for %s by fetch', async (_, path, headers, expected) => {
    const call = async () => {
      const answer = await fetch(scene.server.url + path, { method: 'POST', headers: headers(), body: BODY });
      const { error } = (await answer.json()) as { error: { code: string } };
      return [answer.status, error.code];
    };
    expect(await outcomesOf(call)).toEqual({ [expected]: ROUNDS });
  });
});

describe('what is sent behind a refusal', () => {
  it.each<[string, (body: Buffer, requests: Buffer) => [Headers, Buffer]]>([
    [
      'in the body and behind it',
      (body, requests) => [lengthOf(body.length), Buffer.concat([body, requests])],
    ],
    [
      'in a chunk and behind the last one',
      (body, requests) => [CHUNKED, Buffer.concat([chunkOf(body), Buffer.from('0\r\n\r\n'), requests])],
    ],
    [
      'behind a malformed chunk',
      (_body, requests) => [CHUNKED, Buffer.concat([Buffer.from('2\r\n{}\r\nzz\r\n'), requests])],
    ],
  ])('is no request, although it looks like one, %s', async (_, send) => {
    const thread = await scene.account.addThread({ statusId: scene.stage(0) });
    const move = JSON.stringify({ thread_id: thread, status_id: scene.stage(1) });
    const key = await scene.account.addKey({ limitLeads: 1_000 });
    const type = { ...keyed(key), ...JSON_TYPE };
    const request = `${headOf('/api/v1/leads/set-status', { ...type, ...lengthOf(move.length) })}${move}`;
    const before = await scene.kept.everything(thread);
    const requests = Buffer.from(request.repeat(200));
    const [headers, body] = send(Buffer.concat([BODY, requests]), requests);
    const caller = new UnreadCaller(scene.server.url);
    await caller.write(headOf(LEADS, { ...type, ...headers }));
    await caller.write(body);
    read(await caller.answer());
    // The refused call is counted, and this one.
    const { headers: counted } = await scene.apiAt(0, key).getStatuses();
    expect(counted.get('ratelimit-remaining')).toBe('998');
    await caller.end();
    expect(await scene.kept.everything(thread)).toEqual(before);
    // Alone the same bytes are a request.
    const alone = new UnreadCaller(scene.server.url);
    await alone.write(`${request}GET /x HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(await alone.answer()).toContain('"changed":true');
    await alone.end();
  });
});

// How long it is read, how much of it and how many at once: lingering-close.e2e.spec.ts. The last test, as it stops the server.
it('a connection that is read on behind its answer is not waited for by a process that stops', async () => {
  const caller = new UnreadCaller(scene.server.url);
  try {
    await caller.write(headOf(LEADS, { ...keyed(), ...JSON_TYPE, ...lengthOf(FAR_TOO_MANY_BYTES) }));
    read(await caller.answer());
    caller.drip();
    let code: number | null | undefined;
    void scene.server.stop().then((ended) => (code = ended));
    await eventually(async () => code !== undefined, STOPPED_WITHIN_MS, 'it has not stopped');
    expect(code).toBe(0);
    await eventually(async () => caller.isClosed, DEADLINE_MS, 'the connection is kept');
  } finally {
    caller.destroy();
  }
});
