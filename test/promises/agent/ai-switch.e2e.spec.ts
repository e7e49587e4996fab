import type { BoardSnapshot } from '@app/contracts/board-events';
import type { Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import type { GivenThread } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

const ON: GivenThread = {};
const OFF: GivenThread = { aiEnabled: false };
const TAKEN_OVER: GivenThread = { takeoverSeconds: 600 };
const EXPIRED: GivenThread = { takeoverSeconds: -5 };
const OFF_AND_TAKEN_OVER: GivenThread = { aiEnabled: false, takeoverSeconds: 600 };
const OFF_AND_EXPIRED: GivenThread = { aiEnabled: false, takeoverSeconds: -5 };
const OPTED_OUT: GivenThread = { optedOut: true };
const HERE = 0;
const THERE = 1;
const MUTE = 2;

describe('The switch of the agent', () => {
  // Its servers only take calls: whatever returns by itself is a worker's to return.
  const scene = setScene({ stages: [{}, {}, { aiEnabled: false }], agentCouldAnswer: true });
  const handlerOf = async (threadId: string): Promise<string> =>
    (await scene.api.getLead(threadId)).body.data.message_handler as string;

  describe('set-ai', () => {
    it.each([
      ['false', 'on', ON, true],
      ['false', 'off', OFF, false],
      ['false', 'on in a takeover', TAKEN_OVER, true],
      ['false', 'on after a takeover', EXPIRED, true],
      ['false', 'off in a takeover', OFF_AND_TAKEN_OVER, false],
      ['false', 'off after a takeover', OFF_AND_EXPIRED, false],
      ['false', 'opted out', OPTED_OUT, false],
      ['true', 'on', ON, false],
      ['true', 'off', OFF, true],
      ['true', 'on in a takeover', TAKEN_OVER, true],
      ['true', 'on after a takeover', EXPIRED, false],
      ['true', 'off in a takeover', OFF_AND_TAKEN_OVER, true],
      ['true', 'off after a takeover', OFF_AND_EXPIRED, true],
    ])(
      '%s where the agent is %s: a change raises the epoch, and else nothing at all changes',
      async (wanted, _state, given, changed) => {
        const threadId = await scene.account.addThread({ ...given, ...(!changed && { waitingMinutes: 5 }) });
        const before = await scene.kept.everything(threadId);
        const { ai_epoch: epoch } = await scene.kept.thread(threadId);
        const message_handler = wanted === 'true' ? 'AI' : 'OPERATOR';
        const { status, body } = await scene.api.setAi(threadId, wanted === 'true');
        expect(status).toBe(200);
        expect(body).toEqual({
          ok: true,
          data: {
            thread_id: threadId,
            ai_enabled: wanted === 'true',
            message_handler,
            changed,
            answered_pending_message: false,
          },
        });
        if (!changed) expect(await scene.kept.everything(threadId)).toEqual(before);
        expect(await handlerOf(threadId)).toBe(message_handler);
        const kept = await scene.kept.thread(threadId);
        expect(kept).toMatchObject({ ai_enabled: wanted === 'true', ai_epoch: epoch + Number(changed) });
      },
    );

    it('cannot switch the agent on for a customer who opted out', async () => {
      const threadId = await scene.account.addThread({ ...OPTED_OUT, waitingMinutes: 5 });
      const before = await scene.kept.everything(threadId);
      const { status, body } = await scene.api.setAi(threadId, true);
      expect({ status, code: body.error.code }).toEqual({ status: 422, code: 'THREAD_OPTED_OUT' });
      expect(await scene.kept.everything(threadId)).toEqual(before);
    });

    it('refuses a text for the switch, and changes nothing', async () => {
      const threadId = await scene.account.addThread();
      const before = await scene.kept.everything(threadId);
      const { status, body } = await scene.api.setAi(threadId, 'false');
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(body.error.details?.map(({ path }) => path)).toEqual(['ai_enabled']);
      expect(await scene.kept.everything(threadId)).toEqual(before);
    });

    it('hands a dialog on a mute stage to the agent all the same', async () => {
      const threadId = await scene.account.addThread({ ...OFF, statusId: scene.stage(MUTE) });
      const { body } = await scene.api.setAi(threadId, true);
      expect(body.data).toMatchObject({ changed: true, message_handler: 'AI' });
    });
  });

  describe('off', () => {
    const moveOf = (threadId: string, stage: number | null): Promise<Answer> =>
      scene.api.setStatus({
        thread_id: threadId,
        status_id: stage === null ? null : scene.stage(stage),
        answer_pending_message: true,
      });

    it.each([
      ['a stage that lets the agent answer', HERE, THERE],
      ['out of a stage that mutes', MUTE, HERE],
      ['no stage', HERE, null],
    ])('stays off over a move to %s', async (_where, from, to) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(from) });
      await scene.api.setAi(threadId, false);
      expect((await moveOf(threadId, to)).body.data.changed).toBe(true);
      expect(await handlerOf(threadId)).toBe('OPERATOR');
    });

    it('stays off when a takeover that ran at the same time ends', async () => {
      const threadId = await scene.account.addThread(TAKEN_OVER);
      await scene.api.setAi(threadId, false);
      await scene.kept.setFacts(threadId, `takeover_until = clock_timestamp() - interval '1 s'`);
      expect(await handlerOf(threadId)).toBe('OPERATOR');
      await moveOf(threadId, THERE);
      expect(await handlerOf(threadId)).toBe('OPERATOR');
    });
  });

  it('leaves the handler to the agent at a stage that mutes', async () => {
    const threadId = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(MUTE) });
    expect(await handlerOf(threadId)).toBe('AI');
  });

  it('shows the same handler in the lead and on the board, and returns it by itself after a takeover', async () => {
    const given = { ON, OFF, TAKEN_OVER, EXPIRED, OFF_AND_EXPIRED, OPTED_OUT };
    const threads: Record<string, string> = {};
    for (const [state, how] of Object.entries(given)) threads[state] = await scene.account.addThread(how);
    const board = await BoardClient.connect(scene.api.url, { api_key: scene.account.key });
    const cards = cardsOf(await board.open(scene.account.assistantId));
    board.close();
    for (const [state, threadId] of Object.entries(threads)) {
      const handler = state === 'ON' || state === 'EXPIRED' ? 'AI' : 'OPERATOR';
      expect([state, await handlerOf(threadId)]).toEqual([state, handler]);
      expect([state, cards.get(threadId)]).toEqual([state, handler]);
    }
  });

  describe('the epoch, which shows that an unfinished reply is stale,', () => {
    const moveTo = (stage: number | null) => (threadId: string) =>
      scene.api.setStatus({
        thread_id: threadId,
        status_id: stage === null ? null : scene.stage(stage),
      });

    it.each([
      ['rises on entering a stage that mutes', moveTo(MUTE), 1],
      ['stays over a move to a stage that lets the agent answer', moveTo(THERE), 0],
      ['stays when the stage is cleared', moveTo(null), 0],
    ])('%s', async (_what, act, rise) => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(HERE) });
      const before = await scene.kept.thread(threadId);
      expect((await act(threadId)).status).toBe(200);
      expect((await scene.kept.thread(threadId)).ai_epoch - before.ai_epoch).toBe(rise);
    });

    it('stays when a stage that mutes is entered again or left', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(MUTE) });
      await moveTo(MUTE)(threadId);
      expect((await scene.kept.thread(threadId)).ai_epoch).toBe(0);
      await moveTo(THERE)(threadId);
      expect((await scene.kept.thread(threadId)).ai_epoch).toBe(0);
    });
  });
});

function cardsOf({ columns }: BoardSnapshot): Map<string, string> {
  const cards = columns.flatMap((column) => column.cards);
  return new Map(cards.map((card) => [card.thread_id, card.message_handler]));
}
