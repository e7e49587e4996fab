import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { uuidOf } from '../../support/database/thread.uuid';

const stagesOf = ({ data }: Answer['body']) => data.statuses as { id: string; kind: string }[];
const UNKNOWN = '0197e6a0-0000-7000-8000-000000000000';

describe('Reading funnels and leads', () => {
  const scene = setScene({
    stages: [
      { name: 'New' },
      { name: 'Qualified', kind: 'qualified', aiEnabled: false },
      { name: 'Invoice', kind: 'awaiting_payment', locked: true },
      { name: 'Оплачено', kind: 'success' },
      { name: 'Lost', kind: 'failure' },
    ],
  });
  let other: AccountFixture;

  beforeAll(async () => {
    other = await AccountFixture.create(scene.database.pool);
  });

  describe('get-statuses', () => {
    it('answers every stage of the only agent with every field, by order', async () => {
      const { pool } = scene.database;
      const account = await AccountFixture.create(pool, [
        { name: 'Last', kind: 'failure', aiEnabled: false },
        { name: 'First', kind: 'qualified', locked: true },
      ]);
      const [last, first] = account.stages;
      await pool.query(`UPDATE statuses SET "order" = 7, description = 'gave up' WHERE id = $1`, [last]);
      const { status, body } = await scene.apiAt(0, account.key).getStatuses();
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        data: {
          assistant_id: account.assistantId,
          statuses: [
            {
              id: first,
              name: 'First',
              kind: 'qualified',
              order: 2,
              description: null,
              ai_enabled: true,
              ai_transition_locked: true,
            },
            {
              id: last,
              name: 'Last',
              kind: 'failure',
              order: 7,
              description: 'gave up',
              ai_enabled: false,
              ai_transition_locked: false,
            },
          ],
        },
      });
    });

    it('knows the five kinds', async () => {
      const { body } = await scene.api.getStatuses();
      expect(stagesOf(body).map(({ kind }) => kind)).toEqual([
        'active',
        'qualified',
        'awaiting_payment',
        'success',
        'failure',
      ]);
    });

    it('leaves out a stage that was archived', async () => {
      const account = await AccountFixture.create(scene.database.pool);
      await scene.database.pool.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [
        account.stages[1],
      ]);
      const { body } = await scene.apiAt(0, account.key).getStatuses();
      expect(stagesOf(body).map(({ id }) => id)).toEqual([account.stages[0], account.stages[2]]);
    });

    it('answers an empty funnel for an agent without stages', async () => {
      const account = await AccountFixture.create(scene.database.pool, []);
      const { body } = await scene.apiAt(0, account.key).getStatuses();
      expect(body).toEqual({ ok: true, data: { assistant_id: account.assistantId, statuses: [] } });
    });

    it('takes the only agent by its name too', async () => {
      const { body } = await scene.api.getStatuses({ assistant_id: scene.account.assistantId });
      expect(body.data.assistant_id).toBe(scene.account.assistantId);
    });

    it('needs assistant_id when several agents are attached', async () => {
      const second = await scene.account.addAssistant();
      const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, second] });
      const { status, body } = await scene.apiAt(0, key).getStatuses();
      expect(status).toBe(422);
      expect(body.error.code).toBe('VALIDATION_ERROR');
      expect(body.error.details?.[0]?.path).toBe('assistant_id');
    });

    it('answers for the agent named, and for no other', async () => {
      const second = await scene.account.addAssistant();
      const [stage] = await scene.account.addStages(second, [{ name: 'Only here' }]);
      const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, second] });
      const { body } = await scene.apiAt(0, key).getStatuses({ assistant_id: second });
      expect(body.data.assistant_id).toBe(second);
      expect(stagesOf(body).map(({ id }) => id)).toEqual([stage]);
    });

    it('finds no agent for a key that has none', async () => {
      const key = await scene.account.addKey({ assistantIds: [] });
      const { status, body } = await scene.apiAt(0, key).getStatuses();
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'ASSISTANT_NOT_FOUND' });
    });

    it("does not tell another account's agent, an unattached, an unknown and a malformed one apart", async () => {
      const unattached = await scene.account.addAssistant();
      const refusals = [];
      for (const assistant_id of [other.assistantId, unattached, UNKNOWN, 'nonsense', 'a'.repeat(5000)]) {
        refusals.push(refusalOf(await scene.api.getStatuses({ assistant_id })));
      }
      expect(refusals[0]).toMatchObject({ status: 404 });
      expect(refusals[0]?.text).toContain('ASSISTANT_NOT_FOUND');
      expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    });

    it.each([null, '', 5, true, ['x'], {}])('refuses %j as assistant_id', async (assistant_id) => {
      const { status, body } = await scene.api.getStatuses({ assistant_id });
      expect(status).toBe(422);
      expect(body.error.details).toEqual([{ path: 'assistant_id', message: expect.any(String) }]);
    });
  });

  describe('get-lead', () => {
    it('answers exactly the fields of a lead', async () => {
      const threadId = await scene.account.addThread({ phone: '+77010000001' });
      const moved = await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(3) });
      expect(moved.status).toBe(200);
      const { status, body } = await scene.api.getLead(threadId);
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        data: {
          thread_id: threadId,
          assistant_id: scene.account.assistantId,
          channel: 'WABA_COEXISTENCE',
          phone: '+77010000001',
          message_handler: 'AI',
          status: { id: scene.stage(3), name: 'Оплачено', kind: 'success', order: 4 },
          status_set_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          status_set_by: 'SYSTEM',
        },
      });
    });

    it('answers null for stage, time and author when there is no stage, and for a phone that is not there', async () => {
      const threadId = await scene.account.addThread({ phone: null, channel: 'waba' });
      expect((await scene.api.getLead(threadId)).body.data).toEqual({
        thread_id: threadId,
        assistant_id: scene.account.assistantId,
        channel: 'WABA',
        phone: null,
        message_handler: 'AI',
        status: null,
        status_set_at: null,
        status_set_by: null,
      });
    });

    it('answers each of many callers at once what that caller alone may see', async () => {
      const second = await scene.account.addAssistant();
      const keys = {
        both: await scene.account.addKey({ assistantIds: [second, scene.account.assistantId] }),
        second: await scene.account.addKey({ assistantIds: [second] }),
        none: await scene.account.addKey({ assistantIds: [] }),
        foreign: other.key,
        // Its row came to name an agent of another account.
        misled: await other.addKey({ assistantIds: [scene.account.assistantId, second] }),
      };
      const threads = {
        first: await scene.account.addThread({ statusId: scene.stage(0) }),
        second: await scene.account.addThread({}, second),
        foreign: await other.addThread({ statusId: other.stages[1] }),
      };
      const seen: Record<keyof typeof keys, (keyof typeof threads)[]> = {
        both: ['first', 'second'],
        second: ['second'],
        none: [],
        foreign: ['foreign'],
        misled: [],
      };
      const calls = Object.entries(seen).flatMap(([key, visible]) =>
        Object.entries(threads).map(([thread, id]) => ({
          key: keys[key as keyof typeof keys],
          id,
          expected: (visible as string[]).includes(thread) ? id : 'THREAD_NOT_FOUND',
        })),
      );
      const manyTimes = Array.from({ length: 20 }, () => calls).flat();
      const answers = await Promise.all(manyTimes.map(({ key, id }) => scene.apiAt(0, key).getLead(id)));
      const found = answers.map(({ body }) => (body.ok ? (body.data.thread_id as string) : body.error.code));
      expect(found).toEqual(manyTimes.map(({ expected }) => expected));
      const [first] = answers;
      expect(first?.body.data).toMatchObject({
        assistant_id: scene.account.assistantId,
        channel: 'WABA_COEXISTENCE',
        status: { id: scene.stage(0), name: 'New', kind: 'active', order: 1 },
        status_set_by: 'AI',
      });
    });

    it.each([[undefined], [null], [''], [5], [false], [['thread_x']], [{}]])(
      'refuses %j as thread_id',
      async (thread_id) => {
        const { status, body } = await scene.api.call('leads/get-lead', { thread_id });
        expect(status).toBe(422);
        expect(body.error.details).toEqual([{ path: 'thread_id', message: expect.any(String) }]);
      },
    );
  });

  describe.each([
    ['get-lead', {}],
    ['set-status', { status_id: null }],
    ['set-status', { status_name: 'New' }],
    ['set-ai', { ai_enabled: false }],
    ['get-history', {}],
  ])('%s with %j', (operation, rest) => {
    it("does not tell another account's dialog, an unattached agent's, an unknown and a malformed one apart", async () => {
      const unattached = await scene.account.addThread({}, await scene.account.addAssistant());
      const own = await scene.account.addThread();
      const refusals = [];
      const unseen = [await other.addThread(), unattached, `thread_${UNKNOWN}`, uuidOf(own)];
      for (const thread_id of [...unseen, 'thread_', 'nonsense', 'a'.repeat(5000)]) {
        refusals.push(refusalOf(await scene.api.call(`leads/${operation}`, { thread_id, ...rest })));
      }
      expect(refusals[0]).toMatchObject({ status: 404 });
      expect(refusals[0]?.text).toContain('THREAD_NOT_FOUND');
      expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    });
  });
});
