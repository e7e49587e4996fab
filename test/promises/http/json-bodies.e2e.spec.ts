import { gzipSync } from 'node:zlib';
import type { Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { setLeadScene } from '../../support/scenes/lead.scene';
import { requestLiterally } from '../../support/clients/raw.request';

const MIB = 1024 * 1024;

describe('a body', () => {
  const scene = setLeadScene();
  let threadId: string;
  let before: Record<string, string>;

  beforeAll(async () => {
    threadId = await scene.account.addThread({ statusId: scene.account.stages[0], waitingMinutes: 5 });
  });

  beforeEach(async () => {
    before = await dumpOf(scene.database.pool);
  });

  interface Sending {
    contentType?: string | string[] | null;
    encoding?: string;
    chunked?: boolean;
    operation?: string;
  }

  const send = (body: string | Uint8Array | undefined, sending: Sending = {}): Promise<Answer> => {
    const { contentType = 'application/json', encoding, chunked, operation = 'set-status' } = sending;
    return requestLiterally(scene.server.url, {
      path: `/api/v1/leads/${operation}`,
      headers: {
        'X-API-Key': scene.account.key,
        ...(contentType !== null && { 'Content-Type': contentType }),
        ...(encoding && { 'Content-Encoding': encoding }),
      },
      body,
      chunked,
    });
  };

  /** A body that would clear the stage if the service took it, with what makes it unfit. */
  const clearing = (rest = ''): string => `{"thread_id":"${threadId}","status_id":null${rest}}`;

  /** The service refuses with 422 and a named path, and nothing of the database has changed. */
  const expectRefused = async (answer: Answer, path: unknown = expect.any(String)): Promise<void> => {
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toContainEqual({ path, message: expect.stringMatching(/\S/) });
    expect(await dumpOf(scene.database.pool)).toEqual(before);
  };

  it.each([
    ['nothing at all', () => ''],
    ['blanks', () => ' \n'],
    ['a cut end', () => clearing().slice(0, -1)],
    ['something after its end', () => `${clearing()}x`],
    ['two documents', () => clearing() + clearing()],
    ['a trailing comma', () => clearing(',')],
    ['single quotes', () => clearing().replaceAll('"', "'")],
    ['a comment', () => `/* */${clearing()}`],
    ['NaN', () => clearing(',"x":NaN')],
    ['a raw line break in a string', () => clearing(',"x":"a\nb"')],
    ['a byte order mark', () => `\ufeff${clearing()}`],
    ['a form', () => `thread_id=${threadId}&status_id=`],
  ])('with %s is refused', async (_, body) => {
    await expectRefused(await send(body()), '');
  });

  it.each(['[]', 'null', 'true', '7', '"text"'])('that is %s and not an object is refused', async (text) => {
    await expectRefused(await send(text), '');
    await expectRefused(await send(`[${clearing()}]`), '');
  });

  it.each([
    ['at the top', ',"status_id":null', 'status_id'],
    ['with the same value', ',"status_id":null', 'status_id'],
    ['written with an escape', ',"status\\u005fid":"x"', 'status_id'],
    ['inside an unknown field', ',"x":{"a":1,"a":1}', 'x.a'],
    ['inside an array', ',"x":[{"b":[{"a":1,"a":2}]}]', 'x[0].b[0].a'],
    ['and is __proto__', ',"__proto__":1,"__proto__":1', '__proto__'],
  ])('in which a key repeats %s is refused', async (_, rest, path) => {
    await expectRefused(await send(clearing(rest)), path);
  });

  it('in which a key of an item repeats is refused before anything is changed', async () => {
    const items = `{"items":[${clearing()},${clearing(',"status_id":null')}]}`;
    await expectRefused(await send(items, { operation: 'set-status-bulk' }), 'items[1].status_id');
  });

  it.each([
    ['a number too large for a double', ',"x":1e999', 'x'],
    ['NUL', ',"x":"a\\u0000b"', 'x'],
    ['raw NUL', ',"x":"a\0b"', 'x'],
    ['a lone high surrogate', ',"x":"\\ud800"', 'x'],
    ['a lone low surrogate', ',"x":"\\udc00 "', 'x'],
    ['surrogates the wrong way round', ',"x":"\\udc00\\ud800"', 'x'],
    ['a lone surrogate in a key', ',"\\ud800":1', ''],
    ['NUL in a key', ',"\\u0000":1', ''],
  ])('with %s is refused', async (_, rest, path) => {
    await expectRefused(await send(clearing(rest)), path);
  });

  it.each([[[0xff]], [[0xc3]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xf5, 0x80, 0x80, 0x80]]])(
    'that is not UTF-8 (%j) is refused',
    async (bytes) => {
      const [head, tail] = clearing(',"x":"@"').split('@');
      const body = Buffer.concat([Buffer.from(head ?? ''), Buffer.from(bytes), Buffer.from(tail ?? '')]);
      await expectRefused(await send(body), '');
    },
  );

  it('nested to level 32 is taken, to level 33 refused', async () => {
    const nesting = (levels: number): string => '['.repeat(levels - 1) + ']'.repeat(levels - 1);
    await expectRefused(await send(clearing(`,"x":${nesting(33)}`)), expect.stringMatching(/^x(\[0\])+$/));
    await expectRefused(await send(clearing(`,"x":${nesting(200_000)}`)), expect.any(String));
    const taken = `{"thread_id":"${threadId}","x":${nesting(32)}}`;
    expect((await send(taken, { operation: 'get-lead' })).status).toBe(200);
  });

  it.each([
    ['no Content-Type', null],
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['JSON of another kind', 'application/vnd.api+json'],
    ['a prefix of JSON', 'application/jsonp'],
    ['another charset', 'application/json; charset=latin1'],
    ['UTF-16', 'application/json; charset=utf-16'],
    ['a list', 'application/json, text/plain'],
    ['nonsense', ';;;'],
  ])('sent as %s is refused', async (_, contentType) => {
    await expectRefused(await send(clearing(), { contentType }), '');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('sent as %s is taken', async (contentType) => {
    const body = JSON.stringify({ thread_id: threadId });
    expect((await send(body, { contentType, operation: 'get-lead' })).status).toBe(200);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip'])('compressed by %s is refused', async (encoding) => {
    await expectRefused(await send(gzipSync(clearing()), { encoding }), '');
    await expectRefused(await send(clearing(), { encoding }), '');
  });

  it.each([
    ['with its length announced', false],
    ['in chunks of unknown length', true],
  ])('over 1 MiB %s is 413 and changes nothing', async (_, chunked) => {
    const frame = clearing(',"x":""').length;
    const tooLarge = clearing(`,"x":"${'a'.repeat(MIB - frame + 1)}"`);
    const { status, body } = await send(tooLarge, { chunked });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await dumpOf(scene.database.pool)).toEqual(before);
  });

  it.each([false, true])('of exactly 1 MiB is taken (in chunks: %s)', async (chunked) => {
    const frame = `{"thread_id":"${threadId}","x":""}`.length;
    const body = `{"thread_id":"${threadId}","x":"${'a'.repeat(MIB - frame)}"}`;
    expect((await send(body, { chunked, operation: 'get-lead' })).status).toBe(200);
  });

  const WRONG_TEXTS = [null, '', 0, 5, true, [], {}, ['x'], { id: 'x' }];

  it.each(WRONG_TEXTS)('with the identifier %j is refused, in every operation', async (wrong) => {
    for (const operation of ['get-lead', 'get-history', 'set-ai', 'set-status']) {
      const body = { thread_id: wrong, status_id: null, ai_enabled: false };
      await expectRefused(await scene.api.call(`leads/${operation}`, body), 'thread_id');
    }
    await expectRefused(await scene.api.getStatuses({ assistant_id: wrong }), 'assistant_id');
  });

  it.each([
    ['status_id', WRONG_TEXTS.slice(1)],
    ['expected_status_id', WRONG_TEXTS.slice(1)],
    ['status_name', WRONG_TEXTS],
    ['answer_pending_message', [null, 'false', 'true', '', 0, 1, [true], {}]],
  ])('of set-status with a wrong %s is refused: nothing is coerced', async (field, wrongs) => {
    const target = field === 'status_name' ? {} : { status_id: null };
    for (const wrong of wrongs) {
      await expectRefused(
        await scene.api.setStatus({ thread_id: threadId, ...target, [field]: wrong }),
        field,
      );
    }
  });

  it.each([undefined, null, 'false', 'true', '', 0, 1, [false], {}])(
    'of set-ai with ai_enabled %j is refused',
    async (wrong) => {
      await expectRefused(await scene.api.setAi(threadId, wrong), 'ai_enabled');
    },
  );

  it.each([
    ['limit', [null, '5', 0, -1, 201, 1.5, true, [5], 1e300]],
    ['cursor', [null, '', 5, 'x', 'bjA', 'bi0x', [], {}]],
  ])('of a list with a wrong %s is refused', async (field, wrongs) => {
    for (const wrong of wrongs) {
      await expectRefused(await scene.api.getHistory({ thread_id: threadId, [field]: wrong }), field);
    }
  });

  it.each([
    ['items', [undefined, null, [], {}, 'x', 7]],
    ['dry_run', [null, 'false', 0, []]],
    ['start_scenarios', [null, 'true', 1, {}]],
  ])('of set-status-bulk with a wrong %s is refused', async (field, wrongs) => {
    const items = [{ thread_id: threadId, status_id: null }];
    for (const wrong of wrongs) {
      await expectRefused(await scene.api.setStatusBulk({ items, [field]: wrong }), field);
    }
    await expectRefused(await scene.api.setStatusBulk({ items: Array(501).fill(items[0]) }), 'items');
  });

  it('of set-status with a wrong skip_scenarios is refused', async () => {
    for (const wrong of [null, 'true', 1, {}])
      await expectRefused(
        await scene.api.setStatus({ thread_id: threadId, status_id: null, skip_scenarios: wrong }),
        'skip_scenarios',
      );
  });

  it('of set-status with neither or both of status_id and status_name is refused, and clears nothing', async () => {
    await expectRefused(await scene.api.setStatus({ thread_id: threadId }), 'status_id');
    await expectRefused(
      await scene.api.setStatus({ thread_id: threadId, status_id: null, status_name: 'Stage 2' }),
      'status_id',
    );
  });

  it.each(['null', '1', '{}', '{"status_id":null}', '{"prototype":{}}', '{"name":"Object"}'])(
    'with inherited names as unknown fields (%s) is held to the same rules',
    async (value) => {
      for (const name of ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'then']) {
        await expectRefused(await send(`{"thread_id":"${threadId}","${name}":${value}}`), 'status_id');
        const item = `{"items":[{"thread_id":"${threadId}","${name}":${value}}]}`;
        await expectRefused(await send(item, { operation: 'set-status-bulk' }), 'items[0].status_id');
        const good = `{"thread_id":"${threadId}","${name}":${value},"unknown":[1]}`;
        const { status, body } = await send(good, { operation: 'get-lead' });
        expect([name, status, body.data?.thread_id]).toEqual([name, 200, threadId]);
      }
    },
  );
});
