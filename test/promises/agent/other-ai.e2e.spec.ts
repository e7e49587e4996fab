import type { Message } from '@app/contracts/message.words';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';

const scene = setReplyScene();

interface Shown {
  thread_id: string;
  conducted_elsewhere: boolean;
  message_handler: string;
  waiting: boolean;
  waiting_reason: string | null;
  attention: { reason: string } | null;
}

async function shown(id: string): Promise<Shown> {
  const { body } = await scene.api.getThreads({});
  const found = (body.data.threads as Shown[]).find(({ thread_id }) => thread_id === `thread_${id}`);
  if (!found) throw new Error(`get-threads has no ${id}`);
  return found;
}

async function messagesOf(id: string): Promise<string[]> {
  const { body } = await scene.api.getMessages({ thread_id: `thread_${id}` });
  return (body.data.messages as Message[]).map(({ role, text }) => `${role} ${text}`).toReversed();
}

/** Once a later message of somebody else is answered, one that is not answered would have been by now. */
async function somebodyElseIsAnswered(): Promise<void> {
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1);
}

async function isTakenOver(id: string): Promise<boolean> {
  const { rows } = await scene.database.pool.query(
    'SELECT 1 FROM threads WHERE id = $1 AND takeover_until IS NOT NULL',
    [id],
  );
  return rows.length > 0;
}

/** A dialog that another AI conducts. */
async function elsewhere() {
  const customer = newCustomer();
  await scene.tell(scene.number.standbyMessage(customer, 'Есть доставка?', { at: secondsAgo(5) }));
  return { customer, id: (await scene.dialog(`+${customer.phone}`)).id };
}

describe('a conversation that another AI on the number conducts', () => {
  it('is followed, shown, and left alone by the agent', async () => {
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    try {
      await board.open(scene.account.assistantId);
      const { customer, id } = await elsewhere();
      await board.hears(
        ({ thread_id, card }) =>
          thread_id === `thread_${id}` && (card as Shown | undefined)?.conducted_elsewhere === true,
      );
      expect(await shown(id)).toMatchObject({
        conducted_elsewhere: true,
        message_handler: 'AI',
        ...{ waiting: true, waiting_reason: 'takeover' },
      });
      const echo = scene.number.standbyEcho(customer, 'Да, бесплатно.');
      await scene.tell(echo);
      await scene.tell(echo);
      await somebodyElseIsAnswered();
      expect(await messagesOf(id)).toEqual(['USER Есть доставка?', 'SYSTEM Да, бесплатно.']);
      expect(await shown(id)).toMatchObject({
        conducted_elsewhere: true,
        message_handler: 'AI',
        waiting: false,
      });
      expect(await scene.replies(id)).toEqual([]);
      expect(scene.said(customer)).toEqual([]);
    } finally {
      board.close();
    }
  });

  it('that comes to us by an ordinary message soon after stays there, a day later it is ours', async () => {
    const { customer, id } = await elsewhere();
    await scene.write(customer, 'И завтра?');
    await somebodyElseIsAnswered();
    expect(await shown(id)).toMatchObject({
      conducted_elsewhere: true,
      waiting: true,
      attention: { reason: 'nobody_answered' },
    });
    expect(await scene.told(id)).toEqual(['attention nobody_answered']);
    expect(scene.said(customer)).toEqual([]);
    await scene.kept.setFacts(
      `thread_${id}`,
      `control_reported_at = clock_timestamp() - interval '25 hours'`,
    );
    await scene.write(customer, 'Ау?');
    await scene.untilSaid(customer, 1);
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: false });
  });

  it('asks for a person once where a message comes to us, until somebody answers', async () => {
    const { customer, id } = await elsewhere();
    await scene.tell(scene.number.message(customer, 'Ещё до неё', { at: secondsAgo(9) }));
    expect((await shown(id)).attention).toBeNull();
    await scene.write(customer, 'И завтра?');
    await scene.write(customer, 'Ау?');
    await scene.tell(scene.number.handover(customer, 'control_passed'));
    await scene.tell(scene.number.handover(customer, 'control_taken'));
    expect(await scene.told(id)).toEqual(['attention nobody_answered']);
    await scene.tell(scene.number.standbyEcho(customer, 'Да.'));
    expect(await shown(id)).toMatchObject({ waiting: false, attention: null });
    await scene.api.setAi(`thread_${id}`, false);
    await scene.write(customer, 'А послезавтра?');
    expect(await shown(id)).toMatchObject({ waiting: true, attention: null });
  });

  it('asks for nobody when a takeover ends meanwhile', async () => {
    const { id } = await elsewhere();
    await scene.kept.setFacts(`thread_${id}`, `takeover_until = clock_timestamp()`);
    await eventually(async () => !(await isTakenOver(id)), 5_000, 'the takeover does not end');
    expect(await shown(id)).toMatchObject({ waiting: true, attention: null });
  });

  it('answers what a person was asked for, but a missed call', async () => {
    const { customer, id } = await elsewhere();
    await scene.kept.setFacts(
      `thread_${id}`,
      `attention = 'missed_call', attention_since = clock_timestamp()`,
    );
    await scene.tell(scene.number.standbyEcho(customer, 'Да.'));
    expect(await shown(id)).toMatchObject({ waiting: false, attention: { reason: 'missed_call' } });
  });

  it('opts its customer out as ever', async () => {
    const { customer } = await elsewhere();
    await scene.tell(scene.number.standbyMessage(customer, 'СТОП'));
    expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({ opted_out: true, ai_enabled: false });
  });
});

describe('a conversation comes back', () => {
  it('by a message of a person, from which an older report takes it no more', async () => {
    const { customer, id } = await elsewhere();
    await scene.api.sendText(`thread_${id}`, 'Это человек.');
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: false, message_handler: 'OPERATOR' });
    await scene.tell(scene.number.standbyMessage(customer, 'Раньше', { at: secondsAgo(30) }));
    await scene.tell(scene.number.handover(customer, 'control_taken', secondsAgo(30)));
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: false });
    await scene.tell(scene.number.handover(customer, 'control_taken'));
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: true, message_handler: 'OPERATOR' });
  });

  it('by a message in the phone’s own app', async () => {
    const { customer, id } = await elsewhere();
    await scene.tell(scene.number.echo(customer, 'Это человек.'));
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: false, message_handler: 'OPERATOR' });
  });

  it('by set-ai true, which takes the waiting message up; false changes nothing of it', async () => {
    const { customer, id } = await elsewhere();
    const { body: off } = await scene.api.setAi(`thread_${id}`, false);
    expect(off.data).toMatchObject({ changed: true, message_handler: 'OPERATOR' });
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: true });
    const { body } = await scene.api.setAi(`thread_${id}`, true);
    expect(body.data).toMatchObject({ changed: true, message_handler: 'AI', answered_pending_message: true });
    await scene.untilSaid(customer, 1);
    expect(await shown(id)).toMatchObject({ conducted_elsewhere: false });
    await scene.tell(scene.number.handover(customer, 'control_taken'));
    const { body: again } = await scene.api.setAi(`thread_${id}`, true);
    expect(again.data).toMatchObject({ changed: true });
    const { body: same } = await scene.api.setAi(`thread_${id}`, true);
    expect(same.data).toMatchObject({ changed: false });
    const { body: history } = await scene.api.getHistory({ thread_id: `thread_${id}` });
    const types = (history.data.entries as { type: string }[]).map(({ type }) => type);
    expect(types).not.toContain('handler');
  });

  it('when it is passed to us: a person is asked for where the customer waits, once', async () => {
    const { customer, id } = await elsewhere();
    const passed = scene.number.handover(customer, 'control_passed');
    await scene.tell(passed);
    await scene.tell(passed);
    expect(await shown(id)).toMatchObject({
      conducted_elsewhere: false,
      attention: { reason: 'nobody_answered' },
    });
    await somebodyElseIsAnswered();
    expect(await scene.told(id)).toEqual(['attention nobody_answered']);
    expect(scene.said(customer)).toEqual([]);
    await scene.write(customer, 'Человек?');
    await scene.untilSaid(customer, 1);
  });

  it('when it is passed to us: the agent answers where the account says so', async () => {
    const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
    const set = (takeover_end: string) =>
      admin.admin('PATCH', `accounts/${scene.account.id}`, { takeover_end });
    expect((await set('answer')).status).toBe(200);
    try {
      const { customer, id } = await elsewhere();
      await scene.tell(scene.number.handover(customer, 'control_passed'));
      await scene.untilSaid(customer, 1);
      expect((await shown(id)).attention).toBeNull();
    } finally {
      await set('ask');
    }
  });

  it('and a handover of a customer without a dialog opens none; one that nobody understands is a reject', async () => {
    const stranger = newCustomer();
    await scene.tell(scene.number.handover(stranger, 'control_taken'));
    const { value } = scene.number.handover(stranger, 'control_passed');
    await scene.tell({ field: 'messaging_handovers', value: { ...value, type: 'control_lost' } });
    const contacts = (await scene.dialogs()).map(({ contact }) => contact);
    expect(contacts).not.toContain(`+${stranger.phone}`);
    await eventually(
      async () => {
        const { rows } = await scene.database.pool.query<{ reason: string }>(
          'SELECT reason FROM webhook_rejects',
        );
        return rows.some(({ reason }) => reason.includes('neither control_passed nor control_taken'));
      },
      5_000,
      'it was not kept as a reject',
    );
  });
});
