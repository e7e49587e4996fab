import type { Message } from '@app/contracts/message.words';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { wamid } from '../../support/stand-ins/cloud.webhooks';

const scene = setReplyScene();

async function shown(id: string): Promise<Message[]> {
  const { body } = await scene.api.getMessages({ thread_id: `thread_${id}` });
  return (body.data.messages as Message[]).toReversed();
}

interface Card {
  thread_id: string;
  attention: object | null;
  waiting: boolean;
  waiting_reason: string | null;
}

async function cardOf(id: string): Promise<Card> {
  const { body } = await scene.api.getThreads({});
  const found = (body.data.threads as Card[]).find(({ thread_id }) => thread_id === `thread_${id}`);
  if (!found) throw new Error(`get-threads has no ${id}`);
  return found;
}

/** Once a later message of somebody else is answered, one that is not answered would have been by now. */
async function somebodyElseIsAnswered(): Promise<void> {
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1);
}

describe('a missed call', () => {
  it('is a message that asks for a person, once, and is not answered by the agent', async () => {
    const customer = newCustomer();
    const call = scene.number.missedCall(customer);
    await scene.tell(call);
    await scene.tell(call, scene.number.change('calls', { calls: [] }));
    const { id, ...dialog } = await scene.dialog(`+${customer.phone}`);
    expect(dialog).toMatchObject({ unread_count: 1, last_message_text: 'Missed call' });
    expect(await shown(id)).toMatchObject([
      { role: 'USER', type: 'call', text: '', content: { type: 'call', outcome: 'missed' } },
    ]);
    expect(await cardOf(id)).toMatchObject({
      attention: { reason: 'missed_call', note: null },
      ...{ waiting: false, waiting_since: null, waiting_reason: null, window_until: expect.any(String) },
      last_message: { lines: { en: 'Missed call', ru: 'Пропущенный звонок' } },
    });
    expect(await scene.told(id)).toEqual(['attention missed_call']);
    await somebodyElseIsAnswered();
    expect(await scene.replies(id)).toEqual([]);
    expect(scene.said(customer)).toEqual([]);
  });

  it('is taken up by nothing that takes up a waiting message', async () => {
    const customer = newCustomer();
    await scene.tell(scene.number.missedCall(customer));
    const { id } = await scene.dialog(`+${customer.phone}`);
    const threadId = `thread_${id}`;
    const flagged = { thread_id: threadId, status_id: null, answer_pending_message: true };
    await scene.api.setAi(threadId, false);
    for (const { body } of [await scene.api.setAi(threadId, true), await scene.api.setStatus(flagged)])
      expect(body.data.answered_pending_message).toBe(false);
    await somebodyElseIsAnswered();
    expect(await scene.replies(id)).toEqual([]);
    expect((await cardOf(id)).attention).toMatchObject({ reason: 'missed_call' });
  });

  it('leaves the reply to a message before it as it is, and goes on asking for a person', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'До девяти.', hold: 'middle', when: customer.phone });
    const id = await scene.write(customer, `До скольких вы? ${customer.phone}`);
    await scene.model.held(customer.phone);
    const before = await scene.dialog(`+${customer.phone}`);
    await scene.tell(scene.number.missedCall(customer));
    expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({
      ...{ waiting_message_id: before.waiting_message_id, ai_epoch: before.ai_epoch, unread_count: 2 },
    });
    await scene.model.release();
    expect(await scene.untilSaid(customer, 1)).toEqual(['До девяти.']);
    await scene.untilQuiet(id);
    expect(await scene.told(id)).toEqual(['attention missed_call']);
    expect((await cardOf(id)).attention).toMatchObject({ reason: 'missed_call' });
    await scene.api.sendText(`thread_${id}`, 'Перезвонили.');
    expect((await cardOf(id)).attention).toBeNull();
  });

  it('by which a customer who hides the number calls opens a dialog of the user id', async () => {
    const userId = `KZ.${wamid().replaceAll('.', '')}`;
    await scene.tell(scene.number.missedCall({ userId }));
    const dialogs = (await scene.dialogs()).filter(({ user_id }) => user_id === userId);
    expect(dialogs).toMatchObject([{ phone: null, unread_count: 1 }]);
  });
});
