import type { Card } from '@app/contracts/board-events';
import type { REPLY_ENDS } from '@app/domain/agent/reply-end.rules';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

type Shown = Pick<Card, 'thread_id' | 'waiting' | 'waiting_reason'>;

const GIVEN_UP_MS = 30_000;

/** Why replies fail. Of a number that is connected again the agent does not come back to the message by itself. */
type Failure = Extract<(typeof REPLY_ENDS)[keyof typeof REPLY_ENDS], { state: 'failed' }>['attention'];
const AFTER_FAILURE: Record<Failure, { reason: string; waitingMinutes?: number }> = {
  model: { reason: 'model_failed' },
  limit: { reason: 'hourly_limit' },
  too_old: { reason: 'window_closed', waitingMinutes: 25 * 60 },
  channel: { reason: 'takeover' },
  messenger: { reason: 'takeover' },
};

describe('why a dialog waits', () => {
  const scene = setReplyScene({ stages: [{}, { aiEnabled: false }] });
  const query = (sql: string) => scene.database.pool.query(sql);

  async function reasonOf(thread: string): Promise<string | null | undefined> {
    const { body } = await scene.api.getThreads({ limit: 200 });
    const found = (body.data.threads as Shown[]).find(({ thread_id }) => thread_id === thread);
    expect(found?.waiting).toBe(found?.waiting_reason !== null);
    return found?.waiting_reason;
  }

  /** A dialog with a reply to what waits, in a state. */
  async function withReply(facts: string, waitingMinutes = 1): Promise<string> {
    const thread = await scene.account.addThread({ waitingMinutes });
    await query(`INSERT INTO replies (account_id, thread_id, message_id, epoch, due_at)
                 SELECT account_id, id, waiting_message_id, ai_epoch, clock_timestamp() + interval '1 day' FROM threads
                  WHERE id = '${thread.slice(7)}'`);
    await query(`UPDATE replies SET ${facts} WHERE thread_id = '${thread.slice(7)}'`);
    return thread;
  }

  const waits = { waitingMinutes: 1 };

  it('is told of each that waits, and of no other', async () => {
    const { account } = scene;
    const down = await account.addBot();
    const [muted] = account.stages.slice(1);
    const given: [string | null, Promise<string>][] = [
      [null, account.addThread()],
      [null, account.addThread({ aiEnabled: false, takeoverSeconds: 60 })],
      ['number_down', account.addThread({ ...waits, aiEnabled: false }, account.assistantId, down)],
      ['agent_off', account.addThread({ ...waits, aiEnabled: false, statusId: muted })],
      ['agent_off', account.addThread({ ...waits, optedOut: true })],
      ['stage_mutes', account.addThread({ ...waits, statusId: muted, takeoverSeconds: 60 })],
      ['takeover', account.addThread({ waitingMinutes: 25 * 60, takeoverSeconds: 60 })],
      ['window_closed', account.addThread({ waitingMinutes: 25 * 60 })],
      ...Object.entries(AFTER_FAILURE).map(
        ([failure, { reason, waitingMinutes }]): [string, Promise<string>] => [
          reason,
          withReply(`state = 'failed', failure = '${failure}'`, waitingMinutes),
        ],
      ),
      ['agent_due', withReply(`state = 'due'`)],
      // Nothing comes of these without a call.
      ['takeover', account.addThread(waits)],
      ['takeover', withReply(`state = 'discarded'`)],
      ['takeover', withReply(`state = 'due', epoch = epoch - 1`)],
    ];
    const expected = await Promise.all(given.map(async ([reason, thread]) => [await thread, reason]));
    const shown = await Promise.all(expected.map(async ([thread]) => [thread, await reasonOf(thread!)]));
    expect(shown).toEqual(expected);
    const asked = await account.addThread();
    await query(
      `UPDATE threads SET attention = 'scenario', attention_since = clock_timestamp() WHERE id = '${asked.slice(7)}'`,
    );
    const { body } = await scene.api.getThreads({ needs_person: true, counts: true, limit: 200 });
    const needing = expected.flatMap(([thread, reason]) =>
      reason === null || reason === 'agent_due' ? [] : [thread],
    );
    const listed = (body.data.threads as Shown[]).map(({ thread_id }) => thread_id);
    expect(listed.toSorted()).toEqual([asked, ...needing].toSorted());
    const totals = body.data.totals as { total: number }[];
    expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(listed.length);
    const client = await board();
    const cards = await cardsOf(client);
    client.close();
    expect(expected.map(([thread]) => [thread, cards.get(thread!)])).toEqual(expected);
  });

  const board = (): Promise<BoardClient> =>
    BoardClient.connect(scene.server.url, { api_key: scene.account.key });

  async function cardsOf(client: BoardClient): Promise<Map<string, string | null>> {
    const { columns } = await client.open(scene.account.assistantId);
    return new Map(
      columns.flatMap(({ cards }) => cards.map((card) => [card.thread_id, card.waiting_reason] as const)),
    );
  }

  it('changes with what happens, on boards as in lists', async () => {
    const client = await board();
    await client.open(scene.account.assistantId);
    const reasons = (thread: string) => [
      ...new Set(
        client.events.filter(({ thread_id }) => thread_id === thread).map(({ card }) => card.waiting_reason),
      ),
    ];
    /** A board is told how a card is by then: before the next change. */
    const untilTold = (...all: (string | null)[]): Promise<boolean> =>
      eventually(
        async () => reasons(thread).join() === all.join(),
        5_000,
        `the board does not say ${all.join()}`,
      );
    const customer = newCustomer();
    await scene.model.reply({ text: 'Да.', hold: 'end', when: customer.phone });
    const thread = `thread_${await scene.write(customer, `Вопрос ${customer.phone}`)}`;
    const { n } = await scene.model.held(customer.phone);
    expect(await reasonOf(thread)).toBe('agent_due');
    await untilTold('agent_due');
    await scene.model.release(n);
    await scene.untilSaid(customer, 1);
    await eventually(async () => (await reasonOf(thread)) === null, 5_000, 'it goes on waiting');
    await untilTold('agent_due', null);

    await query(`UPDATE assistants SET replies_per_hour = 1 WHERE id = '${scene.account.assistantId}'`);
    await scene.write(customer, `Ещё ${customer.phone}`);
    await eventually(async () => (await reasonOf(thread)) === 'hourly_limit', 10_000, 'it has no limit');
    await query(`UPDATE assistants SET replies_per_hour = 100 WHERE id = '${scene.account.assistantId}'`);
    expect((await scene.api.clearAttention(thread)).status).toBe(200);
    expect(await reasonOf(thread)).toBe('hourly_limit');
    await untilTold('agent_due', null, 'hourly_limit');

    await scene.api.setAi(thread, false);
    expect(await reasonOf(thread)).toBe('agent_off');
    await untilTold('agent_due', null, 'hourly_limit', 'agent_off');
    await scene.model.reply({ status: 400, when: customer.phone, times: null });
    expect((await scene.api.setAi(thread, true)).body.data.answered_pending_message).toBe(true);
    await scene.untilEnded(thread.slice(7), GIVEN_UP_MS);
    expect(await reasonOf(thread)).toBe('model_failed');
    await untilTold('agent_due', null, 'hourly_limit', 'agent_off', 'model_failed');
    client.close();
  });

  it('is told anew on open boards when the number is taken away and when all automation is paused', async () => {
    const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
    const thread = await scene.account.addThread(waits);
    const client = await board();
    await client.open(scene.account.assistantId);
    const path = `accounts/${scene.account.id}`;
    const told = (event: string, further: object) =>
      scene.tell(scene.number.change('account_update', { event, ...further }));
    const changes: [string, () => Promise<unknown>][] = [
      ['held', () => admin.admin('PATCH', path, { automation_paused: true })],
      ['takeover', () => admin.admin('PATCH', path, { automation_paused: false })],
      ['number_down', () => told('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'DISABLE' } })],
      ['takeover', () => told('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'REINSTATE' } })],
      ['number_down', () => told('ACCOUNT_OFFBOARDED', {})],
      ['takeover', () => scene.database.pool.query(STOP_IS_OVER, [scene.account.id])],
      ['number_down', () => admin.admin('DELETE', `bots/${scene.account.botId}/channels/waba_coexistence`)],
    ];
    for (const [place, [reason, change]] of changes.entries()) {
      await change();
      await eventually(
        async () => client.resyncs.length > place,
        5_000,
        `the board does not hear of ${reason}`,
      );
      expect([await reasonOf(thread), (await cardsOf(client)).get(thread)]).toEqual([reason, reason]);
    }
    client.close();
  });
});

/** As where the provider had named an end. */
const STOP_IS_OVER = 'UPDATE bot_channels SET stopped_until = clock_timestamp() WHERE account_id = $1';
