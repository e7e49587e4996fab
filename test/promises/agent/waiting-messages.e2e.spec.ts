import type { Answer } from '../../support/clients/api.client';
import type { GivenThread } from '../../support/database/fixture';
import { injected } from '../../support/faults/injected.faults';
import { setScene } from '../../support/scenes/base.scene';
import { uuidOf } from '../../support/database/thread.uuid';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;
/** A customer's message that has waited five minutes. */
const WAITS: GivenThread = { waitingMinutes: 5 };
const OFF: GivenThread = { ...WAITS, aiEnabled: false };
const ANSWERS = 0;
const MUTES = 1;

/** A time zone whose clocks went forward by an hour twelve hours ago, as PostgreSQL writes it. */
const clocksWentForward = (): string => {
  const then = new Date(Date.now() - 12 * 3_600_000);
  const day = Math.floor((then.getTime() - Date.UTC(then.getUTCFullYear(), 0, 1)) / 86_400_000);
  return `WINTER0SUMMER-1,${day}/${then.getUTCHours()},${(day + 180) % 365}/0`;
};

describe('A waiting message', () => {
  const scene = setScene({
    servers: 2,
    stages: [{}, { aiEnabled: false }],
    agentCouldAnswer: true,
  });

  const took = ({ status, body }: Answer): boolean => {
    expect(status).toBe(200);
    return body.data.answered_pending_message as boolean;
  };
  const flagged = (thread_id: string, rest: object = {}): object => ({
    thread_id,
    status_id: scene.stage(ANSWERS),
    answer_pending_message: true,
    ...rest,
  });
  const move = (thread_id: string, rest?: object): Promise<Answer> =>
    scene.api.setStatus(flagged(thread_id, rest));
  const switchOn = (threadId: string): Promise<Answer> => scene.api.setAi(threadId, true);

  describe('is taken up by set-status with the flag', () => {
    it('when all conditions hold, with one durable reply for that very message', async () => {
      const threadId = await scene.account.addThread({ ...WAITS, statusId: scene.stage(MUTES) });
      expect(took(await move(threadId))).toBe(true);
      const { rows } = await scene.database.pool.query<{ waiting_message_id: string }>(
        'SELECT waiting_message_id FROM threads WHERE id = $1',
        [uuidOf(threadId)],
      );
      expect(await scene.kept.replies(threadId)).toEqual([
        { message_id: rows[0]?.waiting_message_id, epoch: 0, state: 'due', part_sent: false },
      ]);
    });

    it('when the lead is in that stage already', async () => {
      const threadId = await scene.account.addThread({ ...WAITS, statusId: scene.stage(ANSWERS) });
      const answer = await move(threadId);
      expect(answer.body.data.changed).toBe(false);
      expect(took(answer)).toBe(true);
    });

    it('when the stage was found by its name', async () => {
      const threadId = await scene.account.addThread(WAITS);
      expect(took(await move(threadId, { status_id: undefined, status_name: 'STAGE 1' }))).toBe(true);
    });

    it.each([
      ['the flag is absent', WAITS, { answer_pending_message: undefined }],
      ['the flag is false', WAITS, { answer_pending_message: false }],
      ['the new stage mutes the agent', WAITS, () => ({ status_id: scene.stage(MUTES) })],
      ['the stage is cleared', WAITS, { status_id: null }],
      ['the last message is not the customer’s', {}, {}],
      ['the message is older than a day', { waitingMinutes: DAY_MINUTES }, {}],
      ['the agent is switched off', OFF, {}],
      ['a takeover runs', { ...WAITS, takeoverSeconds: 600 }, {}],
      ['the customer opted out', { ...WAITS, optedOut: true }, {}],
    ])(
      'but not when %s, which a dry run foresees; the move happens and the switch stays as it was',
      async (_what, given, rest) => {
        const cleared = typeof rest === 'object' && 'status_id' in rest;
        const threadId = await scene.account.addThread({
          ...given,
          statusId: cleared ? scene.stage(ANSWERS) : null,
        });
        const { message_handler } = (await scene.api.getLead(threadId)).body.data as Record<string, string>;
        const changes = typeof rest === 'function' ? rest() : rest;
        const items = [flagged(threadId, changes)];
        const { body: foreseen } = await scene.api.setStatusBulk({ items, dry_run: true });
        expect(foreseen.data.results[0].data.answered_pending_message).toBe(false);
        const answer = await move(threadId, changes);
        expect(answer.body.data.changed).toBe(true);
        expect(took(answer)).toBe(false);
        expect(await scene.kept.replies(threadId)).toEqual([]);
        expect((await scene.api.getLead(threadId)).body.data.message_handler).toBe(message_handler);
      },
    );

    it('but not when the move is refused', async () => {
      const threadId = await scene.account.addThread({ ...WAITS, statusId: scene.stage(MUTES) });
      expect((await move(threadId, { expected_status_id: null })).status).toBe(409);
      expect(await scene.kept.replies(threadId)).toEqual([]);
    });

    it('even when a takeover has run out', async () => {
      const threadId = await scene.account.addThread({ ...WAITS, takeoverSeconds: -1 });
      expect(took(await move(threadId))).toBe(true);
    });
  });

  describe('is taken up by set-ai true', () => {
    it.each([
      ['the agent was off', OFF, null],
      ['the agent was off at a stage that lets it answer', OFF, ANSWERS],
      ['it ends a takeover', { ...WAITS, takeoverSeconds: 600 }, ANSWERS],
    ])('when %s', async (_what, given, stage) => {
      const statusId = stage === null ? null : scene.stage(stage);
      const threadId = await scene.account.addThread({ ...given, statusId });
      const answer = await switchOn(threadId);
      expect(answer.body.data.changed).toBe(true);
      expect(took(answer)).toBe(true);
      const { ai_epoch: epoch } = await scene.kept.thread(threadId);
      expect(await scene.kept.replies(threadId)).toMatchObject([{ epoch, state: 'due' }]);
    });

    it.each([
      ['the stage mutes the agent', OFF, MUTES],
      ['the last message is not the customer’s', { aiEnabled: false }, ANSWERS],
      ['the message is older than a day', { ...OFF, waitingMinutes: DAY_MINUTES }, ANSWERS],
      ['the agent was on already', WAITS, ANSWERS],
    ])('but not when %s', async (_what, given, stage) => {
      const threadId = await scene.account.addThread({ ...given, statusId: scene.stage(stage) });
      const answer = await switchOn(threadId);
      expect(answer.body.data.message_handler).toBe('AI');
      expect(took(answer)).toBe(false);
      expect(await scene.kept.replies(threadId)).toEqual([]);
    });

    it('but never by set-ai false', async () => {
      const threadId = await scene.account.addThread(WAITS);
      expect(took(await scene.api.setAi(threadId, false))).toBe(false);
      expect(await scene.kept.replies(threadId)).toEqual([]);
    });
  });

  describe('is taken up once:', () => {
    it('a second call with the flag takes nothing up', async () => {
      const threadId = await scene.account.addThread(WAITS);
      expect([took(await move(threadId)), took(await move(threadId))]).toEqual([true, false]);
      expect(await scene.kept.replies(threadId)).toHaveLength(1);
    });

    it('nor does a move with the flag to another stage that lets the agent answer', async () => {
      const [further] = await scene.account.addStages(scene.account.assistantId, [{ name: 'Further' }]);
      const threadId = await scene.account.addThread(WAITS);
      expect(took(await move(threadId))).toBe(true);
      expect(took(await move(threadId, { status_id: further }))).toBe(false);
    });

    it.each([
      ['set-status with the flag', WAITS, (at: number, thread_id: string) => moveAt(at, thread_id)],
      ['set-ai true', OFF, (at: number, threadId: string) => scene.apiAt(at).setAi(threadId, true)],
    ])('20 calls of %s at once on two processes take it up once', async (_what, given, call) => {
      const threadId = await scene.account.addThread(given);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => call(index, threadId)));
      expect(answers.map(took).filter(Boolean)).toHaveLength(1);
      expect(await scene.kept.replies(threadId)).toHaveLength(1);
    });

    const moveAt = (server: number, thread_id: string): Promise<Answer> =>
      scene.apiAt(server).setStatus(flagged(thread_id));
  });

  describe('whose reply was dropped before any of it was sent', () => {
    it('is taken up again after off and on, by the same reply', async () => {
      const threadId = await scene.account.addThread(WAITS);
      expect(took(await move(threadId))).toBe(true);
      await scene.api.setAi(threadId, false);
      expect(took(await switchOn(threadId))).toBe(true);
      const { ai_epoch: epoch } = await scene.kept.thread(threadId);
      expect(await scene.kept.replies(threadId)).toMatchObject([{ epoch, state: 'due' }]);
      expect(took(await move(threadId))).toBe(false);
    });

    it('is taken up again after a stage that mutes', async () => {
      const threadId = await scene.account.addThread(WAITS);
      expect(took(await move(threadId))).toBe(true);
      expect(took(await move(threadId, { status_id: scene.stage(MUTES) }))).toBe(false);
      expect(took(await move(threadId))).toBe(true);
      expect(await scene.kept.replies(threadId)).toHaveLength(1);
    });
  });

  it('is never taken up again once a part of its reply was sent', async () => {
    const threadId = await scene.account.addThread(WAITS);
    expect(took(await move(threadId))).toBe(true);
    await scene.kept.sendPart(threadId);
    const replies = await scene.kept.replies(threadId);
    await scene.api.setAi(threadId, false);
    expect(took(await switchOn(threadId))).toBe(false);
    expect(took(await move(threadId))).toBe(false);
    expect(await scene.kept.replies(threadId)).toEqual(replies);
  });

  it('gives way to the customer’s next message, which is taken up instead', async () => {
    const threadId = await scene.account.addThread(WAITS);
    expect(took(await move(threadId))).toBe(true);
    await scene.kept.sendPart(threadId);
    await scene.kept.setFacts(
      threadId,
      'waiting_message_id = gen_random_uuid(), waiting_at = clock_timestamp()',
    );
    expect(took(await move(threadId))).toBe(true);
    expect(await scene.kept.replies(threadId)).toHaveLength(2);
  });

  describe('has the age that the database’s clock gives it:', () => {
    const NEARLY_A_DAY = { waitingMinutes: DAY_MINUTES - 0.5 };
    const A_DAY = { waitingMinutes: DAY_MINUTES };
    let ahead: number;

    beforeAll(async () => {
      // For its connections the clocks of the database went forward meanwhile: a day is 24 hours all the same.
      const zone = new URLSearchParams({ options: `-c TimeZone=${clocksWentForward()}` });
      const fault = injected('wrong-clock', { byMs: 2 * DAY_MS });
      await scene.addServer(fault, `${scene.database.url}?${zone.toString()}`);
      ahead = scene.servers.length - 1;
    });

    it.each([
      ['half a minute under a day still counts', NEARLY_A_DAY, true],
      ['a day does not', A_DAY, false],
    ])('%s, whatever the clock of the process, and its time zone', async (_what, given, taken) => {
      for (const server of [0, ahead]) {
        const api = scene.apiAt(server);
        const moved = await scene.account.addThread(given);
        expect([server, took(await api.setStatus(flagged(moved)))]).toEqual([server, taken]);
        const switched = await scene.account.addThread({ ...given, aiEnabled: false });
        expect([server, took(await api.setAi(switched, true))]).toEqual([server, taken]);
      }
    });
  });
});
