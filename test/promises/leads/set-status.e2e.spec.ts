import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

const UNKNOWN = '0197e6a0-0000-7000-8000-000000000000';
const NEW = 0;
const MUTE = 1;
const PAID = 2;
const TWIN = 3;
const STREET = 5;
const LONG = 6;
const LONGEST_NAME = '한'.repeat(255);

const codeOf = ({ status, body }: Answer) => ({ status, code: body.error.code });
const pathsOf = ({ body }: Answer) => body.error.details?.map(({ path }) => path);

describe('set-status', () => {
  const scene = setScene({
    agentCouldAnswer: true,
    stages: [
      { name: 'New', locked: true },
      { name: 'Café', kind: 'qualified', aiEnabled: false },
      { name: 'Оплачено', kind: 'success' },
      { name: 'Twin' },
      { name: 'TWIN', kind: 'failure' },
      { name: 'Straße' },
      { name: LONGEST_NAME },
    ],
  });
  let other: AccountFixture;
  let move: (thread_id: string, rest: object) => Promise<Answer>;

  beforeAll(async () => {
    other = await AccountFixture.create(scene.database.pool, [{ name: 'Elsewhere' }]);
    move = (thread_id, rest) => scene.api.setStatus({ thread_id, ...rest });
  });

  /** Asserts that a call refuses and leaves everything of the dialog as it was. */
  async function refusesToMove(threadId: string, rest: object): Promise<Answer> {
    const before = await scene.kept.everything(threadId);
    const answer = await move(threadId, rest);
    expect(answer.body.ok).toBe(false);
    expect(await scene.kept.everything(threadId)).toEqual(before);
    return answer;
  }

  describe('where to', () => {
    it('moves a lead to a stage by its id and answers the stage', async () => {
      const threadId = await scene.account.addThread();
      const { status, body } = await move(threadId, { status_id: scene.stage(MUTE) });
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        data: {
          thread_id: threadId,
          changed: true,
          answered_pending_message: false,
          status: { id: scene.stage(MUTE), name: 'Café', kind: 'qualified', order: 2, ai_enabled: false },
        },
      });
      expect(await scene.kept.thread(threadId)).toMatchObject({
        status_id: scene.stage(MUTE),
        status_set_by: 'SYSTEM',
      });
    });

    // What counts as one name: libs/domain/src/leads/status-name-folding.spec.ts.
    it('finds a stage by its name, in any case and however its letters are composed', async () => {
      const threadId = await scene.account.addThread();
      for (const [status_name, stage] of [
        ['Оплачено', PAID],
        ['CAFE\u0301', MUTE],
        ['ОПЛАЧЕНО', PAID],
        ['STRASSE', STREET],
        ['STRAẞE', STREET],
        [LONGEST_NAME.normalize('NFD'), LONG],
      ] as const) {
        const { body } = await move(threadId, { status_name });
        expect([status_name, body.data?.status.id]).toEqual([status_name, scene.stage(stage)]);
      }
    });

    it('finds no stage by a name that is not exactly one', async () => {
      const threadId = await scene.account.addThread();
      for (const status_name of [
        ' Оплачено',
        'Оплачено ',
        'Оплач',
        'Cafe',
        'Elsewhere',
        '%',
        'x'.repeat(5000),
      ]) {
        const answer = await refusesToMove(threadId, { status_name });
        expect([status_name, codeOf(answer)]).toEqual([
          ...[status_name, { status: 404, code: 'STATUS_NOT_FOUND' }],
        ]);
      }
    });

    it('refuses a name that several stages share but for case', async () => {
      const threadId = await scene.account.addThread();
      const answer = await refusesToMove(threadId, { status_name: 'twin' });
      expect(codeOf(answer)).toEqual({ status: 422, code: 'STATUS_AMBIGUOUS' });
    });

    it('reaches a stage of a shared name by its id', async () => {
      const threadId = await scene.account.addThread();
      expect((await move(threadId, { status_id: scene.stage(TWIN) })).body.data.changed).toBe(true);
    });

    it('finds no archived stage, neither by id nor among those that share its name', async () => {
      const { db, assistantId } = scene.account;
      const [living, archived] = await scene.account.addStages(assistantId, [
        { name: 'Relic' },
        { name: 'relic' },
      ]);
      await db.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [archived]);
      const threadId = await scene.account.addThread();
      const answer = await refusesToMove(threadId, { status_id: archived });
      expect(codeOf(answer)).toEqual({ status: 404, code: 'STATUS_NOT_FOUND' });
      expect((await move(threadId, { status_name: 'RELIC' })).body.data.status.id).toBe(living);
    });

    it('knows no stage of another funnel, though the key sees it', async () => {
      const second = await scene.account.addAssistant();
      const [foreign] = await scene.account.addStages(second, [{}]);
      const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, second] });
      const threadId = await scene.account.addThread();
      const before = await scene.kept.everything(threadId);
      for (const status_id of [foreign, other.stages[0]]) {
        const answer = await scene.apiAt(0, key).setStatus({ thread_id: threadId, status_id });
        expect(codeOf(answer)).toEqual({ status: 404, code: 'STATUS_NOT_FOUND' });
      }
      expect(await scene.kept.everything(threadId)).toEqual(before);
    });

    it('misses the dialog before the stage, by an id and by a name, whosever it is', async () => {
      const hidden = await scene.account.addThread({}, await scene.account.addAssistant());
      const refusals: string[] = [];
      for (const threadId of [`thread_${UNKNOWN}`, await other.addThread(), hidden])
        for (const target of [
          { status_id: UNKNOWN },
          { status_name: 'no such stage' },
          { status_name: 'twin' },
          { status_name: 'New' },
        ]) {
          const answer = await move(threadId, target);
          expect(codeOf(answer)).toEqual({ status: 404, code: 'THREAD_NOT_FOUND' });
          refusals.push(JSON.stringify(refusalOf(answer)));
        }
      expect(new Set(refusals).size).toBe(1);
    });
  });

  // Each of its fields: apps/server/src/http/dto/dto-pipe.spec.ts.
  it('refuses a body that does not say where to exactly once, and what is wrong with it', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
    for (const [path, rest] of [
      ['status_id', {}],
      ['status_id', { status_id: null, status_name: 'New' }],
      ['expected_status_id', { status_id: scene.stage(NEW), expected_status_id: 5 }],
    ] as const) {
      const answer = await refusesToMove(threadId, rest);
      expect(codeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
      expect(pathsOf(answer)).toEqual([path]);
    }
  });

  describe('an explicit null', () => {
    it('clears the stage, its time and its author, which is remembered until there is a stage again', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      const { body } = await move(threadId, { status_id: null });
      expect(body.data).toEqual({
        thread_id: threadId,
        changed: true,
        answered_pending_message: false,
        status: null,
      });
      expect((await scene.api.getLead(threadId)).body.data).toMatchObject({
        status: null,
        status_set_at: null,
        status_set_by: null,
      });
      const again = await move(threadId, { status_id: null });
      expect(again.body.data).toMatchObject({ changed: false, status: null });
      const [cleared] = await scene.kept.events(threadId);
      expect((await scene.kept.thread(threadId)).status_cleared_at).toBe(cleared?.at);
      await move(threadId, { status_id: scene.stage(PAID) });
      expect((await scene.kept.thread(threadId)).status_cleared_at).toBeNull();
    });
  });

  describe('repeated', () => {
    it('answers that nothing changed, and keeps everything as it was', async () => {
      await scene.account.addScenario(scene.stage(STREET));
      const threadId = await scene.account.addThread();
      await move(threadId, { status_id: scene.stage(STREET) });
      const before = await scene.kept.everything(threadId);
      const { status, body } = await move(threadId, { status_id: scene.stage(STREET) });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ changed: false, status: { id: scene.stage(STREET) } });
      expect(await scene.kept.everything(threadId)).toEqual(before);
    });

    it('moves a lead out of any stage, one that the agent may not leave included', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(NEW) });
      expect((await move(threadId, { status_id: scene.stage(TWIN) })).body.data.changed).toBe(true);
      expect((await move(threadId, { status_id: scene.stage(NEW) })).body.data.changed).toBe(true);
    });
  });

  describe('expected_status_id', () => {
    it.each([
      ['the stage', NEW],
      ['no stage', null],
    ])('moves the lead when it is at %s as expected', async (_what, at) => {
      const here = at === null ? null : scene.stage(at);
      const threadId = await scene.account.addThread({ statusId: here });
      const { body } = await move(threadId, { status_id: scene.stage(PAID), expected_status_id: here });
      expect(body.data.changed).toBe(true);
    });

    it.each([
      ['another stage', NEW, () => scene.stage(MUTE)],
      ['no stage', NEW, () => null],
      ['a stage where there is none', null, () => scene.stage(MUTE)],
      ['what no stage has', NEW, () => 'nonsense'],
    ])('is a conflict that changes nothing when it names %s', async (_what, at, expected) => {
      const threadId = await scene.account.addThread({ statusId: at === null ? null : scene.stage(at) });
      const answer = await refusesToMove(threadId, {
        status_id: scene.stage(PAID),
        expected_status_id: expected(),
      });
      expect(codeOf(answer)).toEqual({ status: 409, code: 'STATUS_CONFLICT' });
    });

    it.each([
      ['another stage', () => scene.stage(MUTE)],
      ['no stage', () => null],
      ['the target', () => scene.stage(PAID)],
    ])('is not asked for when the lead is at the target already: %s', async (_what, expected) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      const answer = await move(threadId, {
        status_id: scene.stage(PAID),
        expected_status_id: expected(),
      });
      expect(answer.status).toBe(200);
      expect(answer.body.data.changed).toBe(false);
    });

    it('guards the clearing of a stage too', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(NEW) });
      const wrong = await move(threadId, { status_id: null, expected_status_id: scene.stage(PAID) });
      expect(codeOf(wrong)).toEqual({ status: 409, code: 'STATUS_CONFLICT' });
      const right = await move(threadId, { status_id: null, expected_status_id: scene.stage(NEW) });
      expect(right.body.data.changed).toBe(true);
    });
  });

  it('starts each enabled scenario of the stage entered, and no other', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const [left = '', entered = '', further = ''] = account.stages;
    await account.addScenario(left);
    await account.addScenario(further);
    await account.addScenario(entered, false);
    const due = [await account.addScenario(entered), await account.addScenario(entered)];
    const threadId = await account.addThread({ statusId: left });
    await scene.apiAt(0, account.key).setStatus({ thread_id: threadId, status_id: entered });
    const { version } = await scene.kept.thread(threadId);
    const runs = await scene.kept.runs(threadId);
    expect(runs.map(({ scenario_id }) => scenario_id).sort()).toEqual(due.sort());
    expect(runs.every((run) => run.status_id === entered && run.version === version)).toBe(true);
  });
});
