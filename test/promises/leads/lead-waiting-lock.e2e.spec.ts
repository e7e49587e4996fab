import type { Answer } from '../../support/clients/api.client';
import { setScene } from '../../support/scenes/base.scene';
import { RowLock } from '../../support/faults/row.lock';
import { CLUSTERS } from '../../support/database/test.database';

describe.each(CLUSTERS)(
  'A call that waits for a dialog which somebody holds, PostgreSQL $name',
  ({ name }) => {
    const scene = setScene({ version: name, agentCouldAnswer: true });

    /** A call made while the row is held, which is let go once the facts were changed under it. */
    async function behindLock(
      threadId: string,
      call: () => Promise<Answer>,
      facts?: string,
    ): Promise<{ answer: Answer; heldUntil: string }> {
      const lock = await RowLock.take(scene.database, threadId);
      const answer = call();
      await lock.waiters(1);
      if (facts) await lock.setFacts(facts);
      const heldUntil = await lock.release();
      return { answer: await answer, heldUntil };
    }

    const move = (thread_id: string) => () =>
      scene.api.setStatus({ thread_id, status_id: scene.stage(1), answer_pending_message: true });
    const switchTo = (threadId: string, wanted: boolean) => () => scene.api.setAi(threadId, wanted);

    it.each([
      ['a move', move],
      ['a switch', (threadId: string) => switchTo(threadId, false)],
    ])('is dated after it got the row: %s', async (_what, call) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(0) });
      const { heldUntil } = await behindLock(threadId, call(threadId));
      const [entry] = await scene.kept.events(threadId);
      expect(entry && entry.at > heldUntil).toBe(true);
    });

    it('takes up the message that came meanwhile', async () => {
      const threadId = await scene.account.addThread();
      const facts = 'waiting_message_id = gen_random_uuid(), waiting_at = clock_timestamp()';
      const { answer } = await behindLock(threadId, move(threadId), facts);
      expect(answer.body.data.answered_pending_message).toBe(true);
    });

    it.each([
      ['was answered', 'waiting_message_id = NULL, waiting_at = NULL'],
      ['may not be answered any more, the agent being off,', 'ai_enabled = false'],
      ['may not be answered any more, the customer being opted out,', 'ai_enabled = false, opted_out = true'],
      ['is a person’s to answer', `takeover_until = clock_timestamp() + interval '1 hour'`],
      // A statement that took its time before the lock would find the message a little under a day old.
      ['became a day old', `waiting_at = clock_timestamp() - interval '24 hours'`],
    ])('moves, and leaves the message that %s meanwhile', async (_what, facts) => {
      const threadId = await scene.account.addThread({ waitingMinutes: 5 });
      const { answer } = await behindLock(threadId, move(threadId), facts);
      expect(answer.body.data).toMatchObject({ changed: true, answered_pending_message: false });
      expect(await scene.kept.replies(threadId)).toEqual([]);
    });

    it('compares with the lead’s stage at that moment', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(0) });
      const body = {
        thread_id: threadId,
        status_id: scene.stage(1),
        expected_status_id: scene.stage(0),
      };
      const elsewhere = `status_id = '${scene.stage(2)}'`;
      const { answer } = await behindLock(threadId, () => scene.api.setStatus(body), elsewhere);
      expect(answer.status).toBe(409);
    });

    it('does not switch the agent on for a customer who sent STOP meanwhile', async () => {
      const threadId = await scene.account.addThread({ aiEnabled: false, waitingMinutes: 5 });
      const { answer } = await behindLock(threadId, switchTo(threadId, true), 'opted_out = true');
      expect(answer.body.error.code).toBe('THREAD_OPTED_OUT');
      expect(await scene.kept.replies(threadId)).toEqual([]);
    });

    it('does not wake the agent at a stage that came to mute it meanwhile', async () => {
      const [mute] = await scene.account.addStages(scene.account.assistantId, [{ aiEnabled: false }]);
      const threadId = await scene.account.addThread({
        statusId: scene.stage(0),
        aiEnabled: false,
        waitingMinutes: 5,
      });
      const { answer } = await behindLock(threadId, switchTo(threadId, true), `status_id = '${mute}'`);
      expect(answer.body.data).toMatchObject({ changed: true, answered_pending_message: false });
    });
  },
);
