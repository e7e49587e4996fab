import type { HttpStep, StepDefinition } from '@app/contracts/scenario.words';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { Webhook } from 'standardwebhooks';
import { uuidOf } from '../../support/database/thread.uuid';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { ApiClient } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { CallGate } from '../../support/faults/call.gate';
import { SECRETS } from '../../support/programs/server.process';
import { setScenarioScene, type KeptRunRow } from '../../support/scenes/scenario.scene';
import { HOSTILE_URLS } from '../../support/stand-ins/hostile.addresses';
import { StandInProvider, UNUSABLE, type SeenRequest } from '../../support/stand-ins/provider.stand-in';

const scene = setScenarioScene({
  stages: Array.from({ length: 30 }, () => ({})),
  environment: { ...injected('held-call'), ...SHORT_TIMES },
});

/** How long a loaded machine may take from an answer to the look at its step. */
const SLACK_SECONDS = 20;
const LOOK_MS = 15_000;
/** So long after its beginning another process may take a call to be over. */
const CALL_OVER_SECONDS = 16;

let receiver: StandInProvider;
let lastStage = -1;

/** Answers as the path says: `/answer/503`, `/broken/a reset`. */
const asAddressed: StandInProvider['behave'] = (response, { url }) => {
  const [, word, what = ''] = decodeURIComponent(url).split(/[/?]/);
  if (word === 'broken')
    return UNUSABLE[what]?.(response, { method: '', url, headers: {}, body: '', begunAt: 0 });
  const headers = { location: `${receiver.url}/elsewhere`, ...(word === 'after' && { 'retry-after': what }) };
  const status = word === 'answer' ? Number(what) : word === 'after' ? 429 : 200;
  response.writeHead(status, headers).end('x'.repeat(20_000));
};

/** Who answers in another way, by the beginning of the address. */
const others = new Map<string, StandInProvider['behave']>();

beforeAll(async () => {
  receiver = await StandInProvider.open();
  receiver.behave = (response, request) => {
    const url = decodeURIComponent(request.url);
    const [, behave = asAddressed] = [...others].find(([path]) => url.startsWith(path)) ?? [];
    behave(response, request);
  };
});
afterAll(() => receiver.close());

const seen = (path: string): SeenRequest[] =>
  receiver.ledger.filter(({ url }) => decodeURIComponent(url).startsWith(path));

const step = (path: string, more: Partial<HttpStep> = {}): HttpStep => ({
  kind: 'http',
  method: 'POST',
  url: path.startsWith('http') ? path : receiver.url + encodeURI(path),
  ...more,
});

/** Moves a new dialog into a new stage whose scenario has these steps. */
async function begin(
  ...steps: StepDefinition[]
): Promise<{ threadId: string; scenarioId: string; stage: number }> {
  const stage = (lastStage += 1);
  const scenarioId = await scene.scenario(stage, steps);
  const { threadId } = await scene.dialog();
  await scene.move(threadId, stage);
  return { threadId, scenarioId, stage };
}

/** Waits until the first step has been tried so often and is not under way. */
async function untilTried(threadId: string, attempts: number, milliseconds = LOOK_MS): Promise<KeptRunRow> {
  let last: unknown;
  return eventually(
    async () => {
      const [run] = await scene.runs(threadId);
      const [first] = run?.progress ?? [];
      last = first;
      return first?.attempts === attempts && first.state !== 'running' && run;
    },
    milliseconds,
    `a step was not tried ${attempts} times`,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`);
  });
}

/** Seconds until the first step is tried again, by the database's clock. */
async function retryInSeconds(run: KeptRunRow): Promise<number> {
  const { rows } = await scene.database.pool.query<{ s: number }>(
    'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS s',
    [run.progress[0]?.retry_at],
  );
  return rows[0]?.s ?? Number.NaN;
}

function expectSeconds(actual: number, expected: number): void {
  expect(actual).toBeLessThanOrEqual(expected);
  expect(actual).toBeGreaterThan(expected - SLACK_SECONDS);
}

it.concurrent('an answer passes, fails the step, or is followed by another try, by its status alone', async () => {
  // Each status, and each wait, is shown beside its rule (`call.rules.spec.ts`).
  const expected: [string, string, string?][] = [
    ['/answer/204', 'done'],
    ['/answer/302', 'failed', 'HTTP_FAILED'],
    ['/answer/404', 'failed', 'HTTP_FAILED'],
    ['/answer/503', 'waiting', 'HTTP_FAILED'],
    ['/after/120', 'waiting', 'HTTP_FAILED'],
    ['/broken/an end without a word', 'waiting', 'HTTP_NO_ANSWER'],
    ['/broken/no HTTP at all', 'waiting', 'HTTP_NO_ANSWER'],
    // Its body may break off, and is not waited for.
    ['/broken/a head without its body', 'done'],
    ['/broken/100 MB', 'done'],
  ];
  const begun = await Promise.all(expected.map(([path]) => begin(step(`${path}?once`))));
  // All at once: those looked at later would have been tried again by then.
  const runs = await Promise.all(begun.map(({ threadId }) => untilTried(threadId, 1)));
  for (const [index, [path, state, code]] of expected.entries()) {
    const [first] = runs[index]?.progress ?? [];
    expect([path, first?.state, seen(`${path}?once`).length]).toEqual([path, state, 1]);
    expect([path, first?.error?.code]).toEqual([path, code]);
    if (path === '/after/120') expectSeconds(await retryInSeconds(runs[index]!), 120);
  }
  expect(seen('/elsewhere')).toEqual([]);
});

it.concurrent('a call is tried five times over an hour, and is unknown where none of them is answered', async () => {
  const path = '/broken/a reset?five';
  const { threadId } = await begin(step(path), { kind: 'notify', text: 'not reached' });
  const waits: number[] = [];
  const code = 'HTTP_NO_ANSWER';
  for (let tries = 1; tries < 5; tries += 1) {
    const run = await untilTried(threadId, tries);
    expect(run.progress[0]).toMatchObject({ state: 'waiting', error: { code } });
    const seconds = await retryInSeconds(run);
    waits.push(seconds);
    await scene.later(threadId, seconds);
  }
  for (const [index, expected] of [5, 60, 600, 2_935].entries()) expectSeconds(waits[index]!, expected);
  const run = await untilTried(threadId, 5);
  expect(run).toMatchObject({ state: 'failed', reason: 'step_failed' });
  expect(run.progress).toMatchObject([{ state: 'unknown', attempts: 5, error: { code } }]);
  const calls = seen(path);
  expect(calls).toHaveLength(5);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

describe('a request', () => {
  const cipher = new AesChannelCipher(SECRETS.ENCRYPTION_KEY);

  async function secretOf(scenarioId: string): Promise<string> {
    const { rows } = await scene.database.pool.query<{ key_id: string; sealed: Buffer }>(
      'SELECT key_id, sealed FROM scenario_secrets WHERE scenario_id = $1',
      [scenarioId],
    );
    const [{ key_id: keyId, sealed }] = rows as [{ key_id: string; sealed: Buffer }];
    const text = cipher.open(keyId, sealed, `${scene.account.id}/scenario/${scenarioId}/secret`);
    return (JSON.parse(text) as { current: string }).current;
  }

  it.concurrent('carries its body, whatever it is, by each method, and is signed', async () => {
    const sent: [HttpStep['method'], unknown, string, string][] = [
      [
        'POST',
        { n: 1, deep: [{ a: null }], name: '{{lead.name|клиент}}' },
        '',
        '{"n":1,"deep":[{"a":null}],"name":"клиент"}',
      ],
      ['PUT', ['a', 1], '', '["a",1]'],
      ['PATCH', 'текст', '', '"текст"'],
      ['POST', null, '', 'null'],
      ['POST', undefined, '', ''],
      ['GET', undefined, '?shop=7', ''],
      ['DELETE', { id: 1 }, '', '{"id":1}'],
    ];
    const paths = sent.map(([, , query], index) => `/signed/${index}/${query}`);
    const { threadId, scenarioId } = await begin(
      ...sent.map(([method, body], index) =>
        step(paths[index] ?? '', { method, ...(body !== undefined && { body }) }),
      ),
    );
    const run = await scene.untilRun(threadId, 'done', LOOK_MS);
    const reference = new Webhook(await secretOf(scenarioId));
    const { type, id, name } = run.cause;
    for (const [index, [method, , , body]] of sent.entries()) {
      const [call, ...more] = seen(`/signed/${index}/`);
      expect(more).toEqual([]);
      expect(call).toMatchObject({ method, url: paths[index], body });
      const headers = call?.headers as Record<string, string>;
      expect([index, headers['content-type']]).toEqual([index, body === '' ? undefined : 'application/json']);
      expect(headers['webhook-id']).toBe(`${run.id}_${index}`);
      expect(headers['idempotency-key']).toBe(headers['webhook-id']);
      expect(reference.verify(body, headers)).toEqual(body === '' ? undefined : JSON.parse(body));
      expect(JSON.parse(headers['leadline-cause'] ?? '')).toEqual({
        ...{ type, id, name },
        ...{ scenario_id: scenarioId, run_id: run.id, thread_id: threadId, depth: 1 },
      });
    }
  });

  it.concurrent('carries the headers of its step, which no log and no run shows', async () => {
    const secret = 'sk_live_4f1c9be27d60a8352e9b7c14';
    const stage = (lastStage += 1);
    const headers = { Authorization: `Bearer ${secret}` };
    const scenarioId = await scene.scenario(stage, [
      step('/own/1', { headers }),
      step('/own/2', { headers }),
    ]);
    // As if the key that sealed the second step's headers had been taken from the settings.
    await scene.database.pool.query(
      `UPDATE scenario_revisions SET steps = jsonb_set(steps, '{1,sealed_headers,key_id}', '"another"')
        WHERE scenario_id = $1`,
      [scenarioId],
    );
    const { threadId } = await scene.dialog();
    await scene.move(threadId, stage);
    const run = await scene.untilRun(threadId, 'failed');
    expect(seen('/own/1')[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(seen('/own/2')).toEqual([]);
    expect(run.progress[1]).toMatchObject({ state: 'failed', error: { code: 'SECRETS_SEALED' } });
    const shown = scene.server.output() + JSON.stringify(run);
    for (const hidden of [secret, await secretOf(scenarioId)]) expect(shown).not.toContain(hidden);
  });
});

it.concurrent('calls no address inside, in whatever form it is written', async () => {
  // This machine itself and http are allowed here, as in the demo.
  const isAllowed = ({ protocol, hostname }: URL): boolean =>
    protocol === 'http:' || /^127\.|^\[::1\]$|^\[::ffff:7f/.test(hostname);
  const refused = HOSTILE_URLS.filter((text) => {
    const url = URL.parse(text);
    return !url || !isAllowed(url);
  });
  // Each of them is refused by the class that calls (`guarded-tool-caller.e2e.spec.ts`).
  const hostile = IS_LONG ? refused : refused.filter((_, place) => place % 16 === 0);
  expect(hostile.length).toBeGreaterThan(6);
  // Many of these addresses are refused when they are saved. A name may lead inside later, so a run checks all the same.
  const stage = (lastStage += 1);
  await scene.account.addScenario(
    scene.stage(stage),
    true,
    hostile.map((url) => step('/', { url, on_failure: 'continue' })),
  );
  const { threadId } = await scene.dialog();
  await scene.move(threadId, stage);
  const run = await scene.untilRun(threadId, 'done', 30_000);
  const others = run.progress.filter(
    ({ state, error }) => state !== 'failed' || error?.code !== 'ADDRESS_REFUSED',
  );
  expect(others.map(({ index }) => hostile[index])).toEqual([]);
  expect(run.progress).toHaveLength(hostile.length);
});

it.concurrent('is signed by the secret that making a scenario shows, and by the former one as long as is said', async () => {
  const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  const stage = (lastStage += 1);
  const path = '/rotated';
  const headers = { Authorization: 'Bearer of-the-shop' };
  const made = await admin.admin('POST', 'scenarios', {
    ...{ status_id: scene.stage(stage), name: 'Paid', steps: [step(path, { headers })] },
  });
  expect(made.status).toBe(201);
  const { id, signing_secret: first } = made.body.data as { id: string; signing_secret: string };
  /** Which of the secrets verify the next call. */
  const signedBy = async (...secrets: string[]): Promise<boolean[]> => {
    const { threadId } = await scene.dialog();
    await scene.move(threadId, stage);
    await scene.untilRun(threadId, 'done');
    const call = seen(path).at(-1)?.headers as Record<string, string>;
    expect(call.authorization).toBe(headers.Authorization);
    return secrets.map((secret) => {
      try {
        new Webhook(secret).verify('', call);
        return true;
      } catch {
        return false;
      }
    });
  };
  const rotate = async (body: object): Promise<string> => {
    const answer = await admin.admin('POST', `scenarios/${id}/rotate-secret`, body);
    expect(answer.status).toBe(200);
    return answer.body.data.signing_secret as string;
  };
  expect(await signedBy(first)).toEqual([true]);
  const second = await rotate({});
  expect(await signedBy(first, second)).toEqual([true, true]);
  const third = await rotate({ overlap_hours: 0 });
  expect(await signedBy(first, second, third)).toEqual([false, false, true]);
  const shown = await admin.admin('GET', `scenarios/${id}`);
  expect(shown.text).not.toContain('whsec_');
  const refused = await admin.admin('POST', `scenarios/${id}/rotate-secret`, { overlap_hours: 169 });
  expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  await admin.admin('DELETE', `scenarios/${id}`);
  expect((await admin.admin('POST', `scenarios/${id}/rotate-secret`, {})).body.error.code).toBe(
    'SCENARIO_NOT_FOUND',
  );
  const logged = scene.server.output();
  for (const secret of [first, second, third]) expect(logged).not.toContain(secret);
});

describe('leaving the stage', () => {
  const told = (word: string): number => scene.server.output().split(`fault ${word}`).length - 1;

  /** Leads enter a stage that calls, and leave it once all their calls are there. */
  async function leave(path: string, query: string, there: string): Promise<{ threadId: string }[]> {
    const stage = (lastStage += 1);
    await scene.scenario(stage, [step(path, { url: `${receiver.url}${path}?${query}` })]);
    const dialogs = await Promise.all(Array.from({ length: 4 }, () => scene.dialog()));
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, stage)));
    await eventually(async () => told(`${there} ${path}`) >= dialogs.length, LOOK_MS, 'not all began');
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, null)));
    return dialogs;
  }

  async function expectSkipped(dialogs: { threadId: string }[], path: string): Promise<void> {
    for (const { threadId } of dialogs) {
      const run = await scene.untilRun(threadId, 'cancelled', LOOK_MS);
      expect(run).toMatchObject({ reason: 'left_stage', progress: [{ state: 'skipped', attempts: 0 }] });
    }
    expect(seen(path)).toEqual([]);
  }

  it.concurrent('while the connection is made lets no request begin', async () => {
    const gate = new CallGate();
    const path = '/left/connecting';
    const dialogs = await leave(path, gate.query, 'connecting');
    gate.open();
    await eventually(async () => told(`connected ${path}`) >= dialogs.length, LOOK_MS, 'not all connected');
    // What comes later is done.
    await untilTried((await begin(step('/answer/200?later'))).threadId, 1);
    await expectSkipped(dialogs, path);
  });

  it.concurrent('between the permit and the write lets no request begin', async () => {
    const path = '/left/writing';
    await expectSkipped(await leave(path, 'write_ms=700', 'writing'), path);
  });

  it.concurrent('is not needed for a call that was too late for its permit: it is made again, and counts once', async () => {
    const path = '/too-late?write_ms=700';
    const { threadId } = await begin(step(path));
    await eventually(
      async () => ((await scene.runs(threadId))[0]?.progress[0]?.withheld ?? 0) >= 2,
      LOOK_MS,
      'the call was not withheld',
    );
    const [run] = await scene.runs(threadId);
    expect(run?.progress[0]?.attempts).toBeLessThanOrEqual(1);
    expect(seen(path)).toEqual([]);
    await scene.database.pool.query(
      `UPDATE scenario_runs SET progress = jsonb_set(progress, '{0,withheld}', '19') WHERE id = $1`,
      [run?.id],
    );
    const failed = await scene.untilRun(threadId, 'failed', LOOK_MS);
    expect(failed.progress[0]).toMatchObject({ state: 'failed', error: { code: 'HTTP_NOT_SENT' } });
  });
});

it.concurrent('a call that is under way when its run is cancelled tells what became of its step', async () => {
  // Another try would follow, and its run is over.
  const url = '/answer/503?cancelled';
  let answers = (): void => undefined;
  const asked = new Promise<void>((isAsked) => {
    others.set(url, (response, request) => {
      answers = () => asAddressed(response, request);
      isAsked();
    });
  });
  const { threadId } = await begin(step(url), { kind: 'notify', text: 'not reached' });
  await asked;
  const { admin } = scene;
  const [{ id }] = (await scene.runs(threadId)) as [KeptRunRow];
  const shown = async (what: string): Promise<{ state: string; steps: unknown[] }> => {
    const run = `scenario-runs/${id}`;
    const { status, body } = await (what ? admin.admin('POST', run + what, {}) : admin.admin('GET', run));
    expect(status).toBe(200);
    return body.data as { state: string; steps: unknown[] };
  };
  expect(await shown('/cancel')).toMatchObject({ state: 'cancelled', steps: [{ state: 'unknown' }, {}] });
  answers();
  const settled = await eventually(
    async () => {
      const run = await shown('');
      const [first] = run.steps as { state: string; error: { code: string; message: string } | null }[];
      return first?.error?.message.includes('was ended') ? null : { ...run, first };
    },
    LOOK_MS,
    'the answer did not come to the step',
  );
  expect(settled).toMatchObject({
    ...{ state: 'cancelled', reason: 'person' },
    first: { state: 'failed', attempts: 1, error: { code: 'HTTP_FAILED' } },
  });
  expect(settled.steps[1]).toMatchObject({ state: 'skipped' });
  await scene.untilAsked(threadId);
  expect(seen(url)).toHaveLength(1);
});

it.concurrent('a call that was not answered, whose lead leaves the stage between two tries, is unknown: it may have arrived', async () => {
  const { threadId } = await begin(step('/broken/a reset?left'));
  await untilTried(threadId, 1);
  await scene.move(threadId, null);
  const run = await scene.untilRun(threadId, 'cancelled', LOOK_MS);
  expect(run).toMatchObject({
    reason: 'left_stage',
    progress: [{ state: 'unknown', attempts: 1, error: { code: 'HTTP_NO_ANSWER' } }],
  });
});

// It kills processes: it comes after those that run side by side.
it('a killed process’s call comes again, with the same webhook-id, and counts as one of the five tries', async () => {
  others.set('/killed', (response, request) =>
    seen(request.url).length === 1 ? undefined : asAddressed(response, request),
  );
  const third = await begin(step('/killed/third'));
  // Nobody holds the dialog for its call any more, and it is due when the call is over at the latest.
  const queue = `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS s FROM scenario_queues
                  WHERE thread_id = $1 AND lease_token IS NULL`;
  const dueInSeconds = async (): Promise<number | undefined> =>
    (await scene.database.pool.query<{ s: number }>(queue, [uuidOf(third.threadId)])).rows[0]?.s;
  await eventually(
    async () => seen('/killed/third').length === 1 && (await dueInSeconds()) !== undefined,
    LOOK_MS,
    'the dialog did not go on',
  );
  expect(await dueInSeconds()).toBeLessThan(CALL_OVER_SECONDS + 1);
  // The dialog of this one is still held when its process is killed.
  const last = await begin(step('/killed/last'));
  await eventually(async () => seen('/killed/last').length === 1, LOOK_MS, 'no call came');
  for (const killed of scene.servers.splice(0)) await killed.kill('SIGKILL');
  for (const [{ threadId }, tries] of [
    [third, 3],
    [last, 5],
  ] as const)
    await scene.database.pool.query(
      `UPDATE scenario_runs SET progress = jsonb_set(progress, '{0,attempts}', to_jsonb($2::int)) WHERE thread_id = $1`,
      [uuidOf(threadId), tries],
    );
  await scene.addServer();
  for (const { threadId } of [third, last]) await scene.later(threadId, CALL_OVER_SECONDS);
  const left = await untilTried(third.threadId, 3);
  expect(left.progress[0]).toMatchObject({ state: 'waiting', error: { code: 'HTTP_NO_ANSWER' } });
  // The time since the beginning of the try counts.
  expectSeconds(await retryInSeconds(left), 600 - CALL_OVER_SECONDS);
  await scene.later(third.threadId, 600);
  const [passed] = (await untilTried(third.threadId, 4)).progress;
  expect(passed?.state).toBe('done');
  expect(passed).not.toHaveProperty('error');
  const [first, again] = seen('/killed/third').map(({ headers }) => headers['webhook-id']);
  expect(again).toBe(first);
  const over = await scene.untilRun(last.threadId, 'failed', LOOK_MS);
  expect(over.progress[0]).toMatchObject({ state: 'unknown', error: { code: 'HTTP_NO_ANSWER' } });
  expect(seen('/killed/last')).toHaveLength(1);
});
