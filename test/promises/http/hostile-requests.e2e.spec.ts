import { ERROR_CODES } from '@app/contracts/error-codes';
import fc from 'fast-check';
import { request, type Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { hostileRequest, type Known } from '../../support/clients/hostile.requests';
import { setScene } from '../../support/scenes/base.scene';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { triesOf } from '../../support/long.mode';
import { requestLiterally } from '../../support/clients/raw.request';
import { inTime } from '../../support/eventually';

/** FUZZ_SEED repeats a run, FUZZ_RUNS makes it longer. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = Number(process.env.FUZZ_RUNS ?? triesOf(40, 100));
/** After each run all that is kept is compared. */
const REQUESTS_A_RUN = 25;

/** At the root stands the page, for whoever asks. */
const isPage = (path: string): boolean => /^\/(?:[?#]|$)/.test(path);

/** Such a name once held up all callers for 7 s or more; a process that is merely busy stays below. */
const OTHERS_WAIT_AT_MOST_MS = 5_000;

describe('requests of any kind', () => {
  const scene = setScene({ stages: [{ name: 'A' }, { name: 'B' }, { name: 'b' }] });
  let operations: Operation[];
  let adminKey: string;
  let known: Known;

  beforeAll(async () => {
    adminKey = await addAdminKey(scene.database.pool);
    const foreign = await AccountFixture.create(scene.database.pool);
    const threads = [
      await scene.account.addThread({ statusId: scene.account.stages[0], waitingMinutes: 3 }),
      await scene.account.addThread({ optedOut: true }),
      await scene.account.addThread({ takeoverSeconds: 600 }),
      await foreign.addThread({ statusId: foreign.stages[0] }),
    ];
    const stages = [...scene.account.stages, null, ...foreign.stages];
    known = {
      thread_id: threads,
      status_id: stages,
      expected_status_id: stages,
      status_name: ['A', 'B', 'nobody'],
      assistant_id: [scene.account.assistantId, foreign.assistantId],
      assistant_ids: [[scene.account.assistantId], [foreign.assistantId], []],
      bot_ids: [[scene.account.botId], [foreign.botId], []],
      account_id: [scene.account.id, foreign.id],
      id: [scene.account.id, foreign.id],
      scopes: [['leads'], ['messages', 'leads'], ['admin'], []],
      name: ['Somebody', 'ё', '😀'],
      monthly_message_quota: [null, 0, 100],
      expires_at: ['2199-01-01T00:00:00Z'],
      cursor: ['bjE', 'x'],
      bot_id: [scene.account.botId, foreign.botId],
      channel: ['waba_coexistence', 'waba'],
      template_id: ['order_ready', 'nobody'],
      phone: ['+77010000001', '+77010000002', '77010000001', '+7'],
      params: [[], ['a'], [''], [1]],
      named_params: [{}, { first_name: 'a' }, { 'A b': 'a' }, { first_name: 1 }],
      header: [{ type: 'text', text: 'a' }, { type: 'image', link: 'x' }, { type: 'location' }, {}],
      buttons: [[], [{ type: 'url', index: 0, text: 'a' }], [{ index: -1 }], [null]],
    };
    operations = operationsOf((await request(`${scene.server.url}/openapi.json`)).body);
  });

  /** Not an error of ours, in the envelope unless it is the page, and with a request id. */
  function expectManners({ status, headers, body, text }: Answer, path: string, method: string): void {
    expect(status).toBeLessThan(500);
    expect(headers.get('x-request-id')).toMatch(/^\S+$/);
    if (method === 'HEAD') return expect(text).toBe('');
    if (status === 200 && method === 'GET' && isPage(path)) return expect(text).toMatch(/^<!doctype html>/);
    if (status < 300) return expect([body.ok, Object.keys(body)]).toEqual([true, ['ok', 'data']]);
    expect([body.ok, Object.keys(body), body.error.status]).toEqual([false, ['ok', 'error'], status]);
    expect(ERROR_CODES).toContain(body.error.code);
    expect(body.error.request_id).toBe(headers.get('x-request-id'));
  }

  it('that are costly delay no other caller: a name of very many marks in the wrong order', async () => {
    const status_name = 'a' + '\u0300'.repeat(110_000) + '\u0316'.repeat(110_000);
    let over = false;
    const costly = scene.api
      .setStatus({ thread_id: await scene.account.addThread(), status_name })
      .finally(() => (over = true));
    let longest = 0;
    while (!over) {
      const begun = performance.now();
      expect((await request(`${scene.server.url}/health/ready`)).status).toBe(200);
      longest = Math.max(longest, performance.now() - begun);
    }
    expect((await costly).body.error.code).toBe('STATUS_NOT_FOUND');
    expect(longest).toBeLessThan(inTime(OTHERS_WAIT_AT_MOST_MS));
  });

  it(`are answered with manners, change nothing when refused and end nothing (seed ${SEED})`, async () => {
    let before = await dumpOf(scene.database.pool);
    const seen = new Set<number | 'done'>();
    const anyRequest = fc
      .constantFrom(...operations)
      .chain((operation) =>
        hostileRequest(
          operation,
          operation.path.includes('/admin/') ? [adminKey, scene.account.key] : [scene.account.key, adminKey],
          known,
        ),
      );
    const property = fc.asyncProperty(
      fc.array(anyRequest, { minLength: REQUESTS_A_RUN, maxLength: REQUESTS_A_RUN }),
      async (requests) => {
        for (const literal of requests) {
          const answer = await requestLiterally(scene.server.url, literal);
          try {
            expectManners(answer, literal.path, literal.method ?? '');
          } catch (error) {
            const { method, path, headers } = literal;
            const sent = JSON.stringify({ method, path, headers });
            throw new Error(`${sent} was answered ${answer.status} ${answer.text}`, { cause: error });
          }
          seen.add(answer.status < 300 ? 'done' : answer.status);
          if (answer.status < 300) before = await dumpOf(scene.database.pool);
        }
        expect(await dumpOf(scene.database.pool)).toEqual(before);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    // Every kind of answer was reached, so that the run meant something.
    expect([...seen]).toEqual(expect.arrayContaining(['done', 401, 403, 404, 405, 422]));
    expect((await request(`${scene.server.url}/health/ready`)).status).toBe(200);
    expect(scene.server.output()).not.toContain('our own fault');
  });
});
