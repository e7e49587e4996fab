import type { Card } from '@app/contracts/board.events';
import { AgentTalks, type Talk } from '../../support/scenes/agent.talks';
import { BoardClient } from '../../support/clients/board.client';
import type { GivenReply } from '../../support/stand-ins/model.script';
import { setReplyScene } from '../../support/scenes/reply.scene';
import { accept } from '../../support/stand-ins/scripted.provider';

const MUTES = 1;

const scene = setReplyScene({ stages: [{}, { aiEnabled: false }] });
const talks = new AgentTalks(scene);

const handOver: GivenReply = {
  tool_calls: [{ name: 'hand_over', arguments: { reason: 'Wants a person.' } }],
};

/** The dialog's card as a board shows it. */
async function cardOf({ thread }: Talk): Promise<Card | undefined> {
  const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  try {
    const { columns } = await board.open(scene.account.assistantId);
    return columns.flatMap(({ cards }) => cards).find(({ thread_id }) => thread_id === `thread_${thread}`);
  } finally {
    board.close();
  }
}

describe('hand_over', () => {
  it('says one message, hands over for as long as the agent stays away, and asks for an operator', async () => {
    const talked = await talks.through([handOver]);
    const card = await cardOf(talked);
    const attention = { reason: 'hand_over', note: 'Wants a person.', since: expect.any(String) };
    expect(card).toMatchObject({ message_handler: 'OPERATOR', ai_enabled: true, attention });
    const { takeover_seconds: seconds } = await scene.dialog(`+${talked.customer.phone}`);
    expect(seconds).toBeGreaterThan(29 * 60);
    expect(seconds).toBeLessThanOrEqual(30 * 60);
    const { body } = await scene.api.getHistory({ thread_id: `thread_${talked.thread}` });
    const entries = body.data.entries as { at: string }[];
    expect(entries.slice(0, 2)).toMatchObject([
      { type: 'attention', by: 'AI', to: 'hand_over', note: 'Wants a person.' },
      { type: 'handler', by: 'AI', from: 'AI', to: 'OPERATOR' },
    ]);
    expect(card?.attention?.since).toBe(entries[0]?.at);
    const { body: list } = await scene.api.getThreads({ attention: 'hand_over' });
    const listed = (list.data.threads as Card[]).find(({ thread_id }) => thread_id === card?.thread_id);
    expect(listed?.attention).toEqual(card?.attention);
  });

  it('says the agent’s own words for it where there are some, as one message', async () => {
    const words = `${'Одну минуту, зову коллегу, оставайтесь на связи, пожалуйста, это быстро.'}\n\nСпасибо, что ждёте.`;
    await scene.database.pool.query('UPDATE assistants SET handover_text = $2 WHERE id = $1', [
      scene.account.assistantId,
      words,
    ]);
    const talked = await talks.begin([handOver, { text: 'Слова модели.' }]);
    await scene.untilSaid(talked.customer, 1);
    await scene.untilQuiet(talked.thread);
    await scene.database.pool.query('UPDATE assistants SET handover_text = NULL');
    expect(scene.textsTo(talked.customer)).toEqual([words]);
    expect(await cardOf(talked)).toMatchObject({ message_handler: 'OPERATOR' });
  });

  it.each<[string, GivenReply]>([
    ['has nothing to say', { text: ' ' }],
    ['fails', { status: 401 }],
  ])('says the agent’s own words also where the model then %s', async (_, then) => {
    const words = 'Минуту, зову коллегу.';
    await scene.database.pool.query('UPDATE assistants SET handover_text = $2 WHERE id = $1', [
      scene.account.assistantId,
      words,
    ]);
    const talked = await talks.begin([handOver, then]);
    await scene.untilQuiet(talked.thread);
    await scene.database.pool.query('UPDATE assistants SET handover_text = NULL');
    expect(scene.textsTo(talked.customer)).toEqual([words]);
    expect(await cardOf(talked)).toMatchObject({
      message_handler: 'OPERATOR',
      attention: { reason: 'hand_over' },
    });
  });

  it('says one message also where the model writes several', async () => {
    const parts = ['Передаю ваш вопрос коллеге, он напишет вам в ближайшее время, подождите.', 'Спасибо!'];
    const talked = await talks.begin([handOver, { text: parts.join('\n\n') }]);
    await scene.untilSaid(talked.customer, 1);
    await scene.untilQuiet(talked.thread);
    expect(scene.textsTo(talked.customer)).toEqual([parts.join('\n\n')]);
  });

  it('takes any reason, however odd, and none', async () => {
    const reasons = [`х\0${'х'.repeat(498)}😀 и ещё`, undefined];
    const notes = [];
    for (const reason of reasons) {
      const talked = await talks.through([{ tool_calls: [{ name: 'hand_over', arguments: { reason } }] }]);
      const { body } = await scene.api.getHistory({ thread_id: `thread_${talked.thread}`, limit: 1 });
      const { attention } = (await cardOf(talked)) ?? {};
      notes.push([(body.data.entries as { note?: string }[])[0]?.note, attention?.note]);
    }
    const odd = `${'х'.repeat(499)}\ufffd`;
    expect(notes).toEqual([
      [odd, odd],
      [undefined, null],
    ]);
  });

  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    ['switched off', (id) => scene.api.setAi(id, false)],
    ['taken over', (id) => scene.api.sendText(id, 'Это человек.')],
  ])('does nothing in a dialog that was %s while the message was on its way', async (_, silence) => {
    const taken = Promise.withResolvers<void>();
    const talked = await talks.begin([{ ...handOver, hold: 'start' }, { text: 'Сейчас.' }]);
    const { phone } = talked.customer;
    scene.provider.on(`+${phone}`, async (response, received, n) => {
      if (n === 1) await taken.promise;
      return accept(response, received, n);
    });
    await scene.model.release((await scene.model.held(phone)).n);
    await scene.untilSaid(talked.customer, 1);
    const { status } = await silence(`thread_${talked.thread}`);
    expect(status).toBe(200);
    taken.resolve();
    await scene.untilQuiet(talked.thread);
    expect(await scene.told(talked.thread)).toEqual([]);
    expect(await cardOf(talked)).toMatchObject({ message_handler: 'OPERATOR', attention: null });
  });

  it('with a move to a stage that mutes does both', async () => {
    const talked = await talks.through([
      {
        tool_calls: [
          { name: 'move_lead', arguments: { status_id: scene.stage(MUTES) } },
          { name: 'hand_over', arguments: { reason: 'Wants a person.' } },
        ],
      },
    ]);
    expect(await talks.stageOf(talked.thread)).toBe(scene.stage(MUTES));
    expect(await cardOf(talked)).toMatchObject({
      message_handler: 'OPERATOR',
      attention: { reason: 'hand_over' },
    });
  });
});
