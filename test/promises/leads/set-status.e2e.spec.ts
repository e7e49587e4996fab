import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { refusalOf } from '../../support/clients/refusal.expectation';

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

    it.each([
      ['as it is written', 'Оплачено', PAID],
      ['in capitals of another alphabet', 'ОПЛАЧЕНО', PAID],
      ['with its accent apart', 'CAFE\u0301', MUTE],
      ['with ß written as SS', 'STRASSE', STREET],
      ['with a capital ß', 'STRAẞE', STREET],
      ['with the syllables of the longest name apart', LONGEST_NAME.normalize('NFD'), LONG],
    ])('finds a stage by its name %s', async (_how, status_name, stage) => {
      const threadId = await scene.account.addThread();
      const { body } = await move(threadId, { status_name });
      expect(body.data.status.id).toBe(scene.stage(stage));
    });

    it.each([' Оплачено', 'Оплачено ', 'Оплач', 'Cafe', 'Elsewhere', '%', 'x'.repeat(5000)])(
      'finds no stage by a name that is not exactly one: %j',
      async (status_name) => {
        const threadId = await scene.account.addThread();
        const answer = await refusesToMove(threadId, { status_name });
        expect(codeOf(answer)).toEqual({ status: 404, code: 'STATUS_NOT_FOUND' });
      },
    );

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

    it("does not tell another funnel's stage, another account's, an unknown and a malformed one apart", async () => {
      const [foreign] = await scene.account.addStages(await scene.account.addAssistant(), [{}]);
      const threadId = await scene.account.addThread();
      const refusals = [];
      for (const status_id of [foreign, other.stages[0], UNKNOWN, 'nonsense', 'a'.repeat(5000)]) {
        refusals.push(refusalOf(await refusesToMove(threadId, { status_id })));
      }
      expect(refusals[0]).toMatchObject({ status: 404 });
      expect(refusals[0]?.text).toContain('STATUS_NOT_FOUND');
      expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    });

    it.each([{ status_id: UNKNOWN }, { status_name: 'no such stage' }, { status_name: 'twin' }])(
      'misses the dialog before the stage: %j',
      async (target) => {
        const answer = await move(`thread_${UNKNOWN}`, target);
        expect(codeOf(answer)).toEqual({ status: 404, code: 'THREAD_NOT_FOUND' });
      },
    );
  });

  describe('the body', () => {
    it.each([
      ['neither', {}],
      ['both', { status_id: UNKNOWN, status_name: 'New' }],
      ['a name beside an explicit null', { status_id: null, status_name: 'New' }],
    ])('must say where to exactly once, not %s', async (_what, target) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      const answer = await refusesToMove(threadId, target);
      expect(codeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
      expect(pathsOf(answer)).toEqual(['status_id']);
    });

    it.each([
      ['thread_id', undefined],
      ['thread_id', null],
      ['thread_id', ''],
      ['thread_id', 5],
      ['status_id', ''],
      ['status_id', 5],
      ['status_id', false],
      ['status_id', []],
      ['answer_pending_message', null],
      ['answer_pending_message', 'true'],
      ['answer_pending_message', 1],
      ['expected_status_id', ''],
      ['expected_status_id', 5],
      ['expected_status_id', {}],
    ])('is refused with %s %j', async (field, value) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      const answer = await refusesToMove(threadId, { status_id: scene.stage(NEW), [field]: value });
      expect(codeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
      expect(pathsOf(answer)).toEqual([field]);
    });

    it.each([null, '', 5, ['New']])('is refused with status_name %j', async (status_name) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      const answer = await refusesToMove(threadId, { status_name });
      expect(codeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
      expect(pathsOf(answer)).toEqual(['status_name']);
    });
  });

  describe('an explicit null', () => {
    it('clears the stage, its time and its author', async () => {
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
    });

    it('is remembered with its time until there is a stage again', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(PAID) });
      await move(threadId, { status_id: null });
      const [cleared] = await scene.kept.events(threadId);
      expect((await scene.kept.thread(threadId)).status_cleared_at).toBe(cleared?.at);
      await move(threadId, { status_id: scene.stage(PAID) });
      expect((await scene.kept.thread(threadId)).status_cleared_at).toBeNull();
    });

    it('changes nothing where there is no stage', async () => {
      const threadId = await scene.account.addThread();
      const { body } = await move(threadId, { status_id: null });
      expect(body.data).toMatchObject({ changed: false, status: null });
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
