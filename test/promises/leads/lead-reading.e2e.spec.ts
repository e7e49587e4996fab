import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

const stagesOf = ({ data }: Answer['body']) => data.statuses as { id: string; kind: string }[];

// Things out of reach: access/whose-thing.e2e.spec.ts. Wrong fields: apps/server/src/http/dto/dto-pipe.spec.ts.
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

    it('leaves out a stage that was archived, and knows an agent without stages', async () => {
      const account = await AccountFixture.create(scene.database.pool);
      await scene.database.pool.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [
        account.stages[1],
      ]);
      const { body } = await scene.apiAt(0, account.key).getStatuses();
      expect(stagesOf(body).map(({ id }) => id)).toEqual([account.stages[0], account.stages[2]]);
      const bare = await account.addAssistant();
      const key = await account.addKey({ assistantIds: [bare] });
      const empty = await scene.apiAt(0, key).getStatuses();
      expect(empty.body).toEqual({ ok: true, data: { assistant_id: bare, statuses: [] } });
    });

    it('answers for the agent named, and for no other, and needs it where several are attached', async () => {
      const second = await scene.account.addAssistant();
      const [stage] = await scene.account.addStages(second, [{ name: 'Only here' }]);
      const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, second] });
      const { body } = await scene.apiAt(0, key).getStatuses({ assistant_id: second });
      expect(body.data.assistant_id).toBe(second);
      expect(stagesOf(body).map(({ id }) => id)).toEqual([stage]);
      const { status, body: refused } = await scene.apiAt(0, key).getStatuses();
      expect([status, refused.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(refused.error.details?.[0]?.path).toBe('assistant_id');
    });

    it('finds no agent for a key that has none', async () => {
      const key = await scene.account.addKey({ assistantIds: [] });
      const { status, body } = await scene.apiAt(0, key).getStatuses();
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'ASSISTANT_NOT_FOUND' });
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
      const manyTimes = Array.from({ length: 4 }, () => calls).flat();
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
  });
});
