import { randomUUIDv7 } from 'node:crypto';
import type { BoardAck } from '@app/contracts/board.events';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { setLeadScene } from '../../support/scenes/lead.scene';

/** Of one account on one process. */
const FILTERS = 200;
const BOARDS_OF_A_CONNECTION = 50;

const scene = setLeadScene();
let board: BoardClient;

beforeEach(async () => {
  board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
});

afterEach(() => board?.close());

const ask = (event: string, further: object): Promise<BoardAck<unknown>> =>
  board.request(event, { assistant_id: scene.account.assistantId, ...further });

describe('a filter', () => {
  it.each([
    ['null', null],
    ['a text', 'waiting'],
    ['a list', [{ waiting: true }]],
    ['a number', 7],
  ])('that is %s is refused as VALIDATION_ERROR', async (_, filter) => {
    for (const [event, further] of [
      ['board:open', { filter }],
      ['board:more', { filter, status_id: null, cursor: randomUUIDv7() }],
    ] as const)
      expect(await ask(event, further)).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^filter: /) },
      });
  });

  it.each([
    ['waiting', 'yes'],
    ['unread', 1],
    ['opted_out', null],
    ['attention', 'nonsense'],
    ['message_handler', 'ai'],
    ['channel', 'telegram'],
    ['bot_id', 'x'],
    ['assignee_id', ''],
    ['status_id', 5],
    ['status_ids', 'x'],
    ['status_ids', Array.from({ length: 101 }, () => null)],
    ['status_kind', 'won'],
    ['scenario_id', {}],
    ['run_state', 'finished'],
    ['search', ''],
    ['search', 'x'.repeat(101)],
    ['created_after', '2026-02-30T10:00:00Z'],
    ['active_after', 'now()'],
  ])('whose %s is %j is refused with the field’s path, as get-threads refuses it', async (field, value) => {
    const answer = await ask('board:open', { filter: { [field]: value } });
    const { body } = await scene.api.getThreads({ [field]: value });
    const [{ path = '', message = '' } = {}] = body.error.details ?? [];
    expect(answer).toEqual({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: `filter.${path}: ${message}` },
    });
  });

  it('that names a thing of another account is refused as one that does not exist', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const theirs: [string, string, string][] = [
      ['status_id', other.stages[0] ?? '', 'STATUS_NOT_FOUND'],
      ['scenario_id', await other.addScenario(other.stages[0] ?? ''), 'SCENARIO_NOT_FOUND'],
      ['assignee_id', await other.addUser(), 'USER_NOT_FOUND'],
      ['bot_id', randomUUIDv7(), 'BOT_NOT_FOUND'],
    ];
    for (const [field, id, code] of theirs) {
      const answers = [];
      for (const value of [id, randomUUIDv7()])
        answers.push(await ask('board:open', { filter: { [field]: value } }));
      expect([field, answers[0]]).toEqual([
        field,
        { ok: false, error: { code, message: expect.any(String) } },
      ]);
      expect(answers[0]).toEqual(answers[1]);
    }
    const [stage = ''] = other.stages;
    expect(await ask('board:open', { filter: { status_ids: [null, stage] } })).toMatchObject({
      error: { code: 'STATUS_NOT_FOUND' },
    });
    expect(await ask('board:open', { filter: { bot_id: other.botId } })).toMatchObject({
      error: { code: 'FORBIDDEN' },
    });
  });

  it('that is refused leaves the board as it was', async () => {
    const thread = await scene.account.addThread();
    await board.open(scene.account.assistantId, { filter: { waiting: false } });
    expect(await ask('board:open', { filter: { status_id: randomUUIDv7() } })).toMatchObject({ ok: false });
    await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
    expect(await board.hears(({ thread_id }) => thread_id === thread)).toMatchObject({ in_filter: true });
  });

  it.each([
    { search: `'; DROP TABLE threads; --` },
    { search: '\0' },
    { search: '\ud800' },
    { search: '%_\\:*&|!()' },
    { search: '👍'.repeat(50) },
    { status_ids: [] },
    { unknown_field: 1, waiting: true },
    { created_after: '9999-12-31T23:59:59.999Z' },
  ])('such as %j breaks nothing', async (filter) => {
    const answer = await ask('board:open', { filter });
    expect(answer.ok ? 'ok' : answer.error.code).toMatch(/^(ok|VALIDATION_ERROR)$/);
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
    if (answer.ok)
      expect(typeof (await board.hears(({ thread_id }) => thread_id === thread)).in_filter).toBe('boolean');
  });
});

describe('an account', () => {
  it('may have 200 filters open on a process, and another one as soon as one is closed', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const agents: string[] = [];
    while (agents.length < BOARDS_OF_A_CONNECTION) agents.push(await account.addAssistant());
    const api_key = await account.addKey({ assistantIds: agents });
    const connections = await Promise.all(
      Array.from({ length: FILTERS / BOARDS_OF_A_CONNECTION + 1 }, () =>
        BoardClient.connect(scene.server.url, { api_key }),
      ),
    );
    /** Asks again in the next second where it asked too often in this one. */
    const open = (from: BoardClient, agent: string | undefined, n: number): Promise<BoardAck<unknown>> =>
      eventually(
        async () => {
          const filter = { search: `words ${n}` };
          const answer = await from.request('board:open', { assistant_id: agent, filter });
          return !answer.ok && /requests in 1 s/.test(answer.error.message) ? null : answer;
        },
        20_000,
        'the connection was not served',
      );
    const extra = connections.pop()!;
    try {
      const opened = await Promise.all(
        connections.map(async (each, n) => {
          const answers = [];
          for (const agent of agents) answers.push((await open(each, agent, n)).ok);
          return answers;
        }),
      );
      expect(opened.flat()).toEqual(Array.from({ length: FILTERS }, () => true));
      expect(await open(extra, agents[0], 999)).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED' } });
      // One that is open already, and a board without a filter, cost nothing more.
      expect(await open(extra, agents[0], 0)).toMatchObject({ ok: true });
      expect(await extra.request('board:open', { assistant_id: agents[1] })).toMatchObject({ ok: true });
      connections[0]?.close();
      const again = () => open(extra, agents[2], 999).then(({ ok }) => ok);
      await eventually(again, 10_000, 'the place was not free again');
      // Another account is not concerned.
      expect(await ask('board:open', { filter: { search: 'words' } })).toMatchObject({ ok: true });
    } finally {
      for (const each of [...connections, extra]) each.close();
    }
  });
});
