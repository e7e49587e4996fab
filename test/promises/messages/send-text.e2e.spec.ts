import { CREDENTIAL } from '../../support/database/fixture';
import { CloudNumber } from '../../support/stand-ins/cloud.webhooks';
import { holdBack, letGo } from '../../support/faults/held.webhooks';
import { refuse } from '../../support/stand-ins/scripted.provider';
import { newPhone, setSendScene } from '../../support/scenes/send.scene';
import { uuidOf } from '../../support/database/thread.uuid';

const scene = setSendScene();

const openDialog = async (phone = newPhone()): Promise<{ phone: string; threadId: string }> => ({
  phone,
  threadId: await scene.account.addThread({ phone, waitingMinutes: 1 }),
});

it('goes to the customer of the dialog as it is', async () => {
  const { phone, threadId } = await openDialog();
  const { status, body } = await scene.api.sendText(threadId, 'Ваш заказ готов');
  expect([status, body.data]).toMatchObject([200, { thread_id: threadId, phone, status: 'sent' }]);
  const [received] = scene.provider.sendsTo(phone);
  expect(received?.body).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: phone,
    type: 'text',
    text: { preview_url: false, body: 'Ваш заказ готов' },
    biz_opaque_callback_data: body.data.id,
  });
  expect(received?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
});

it('is an operator’s message and starts a takeover, with any key', async () => {
  const { threadId } = await openDialog();
  const { body } = await scene.api.sendText(threadId, 'I am here');
  expect((await scene.api.getMessage(body.data.id)).body.data).toMatchObject({
    role: 'OPERATOR',
    type: 'text',
  });
  const lead = await scene.api.getLead(threadId);
  expect(lead.body.data.message_handler).toBe('OPERATOR');
  const history = await scene.api.getHistory({ thread_id: threadId });
  expect(history.body.data.entries[0]).toMatchObject({ type: 'handler', from: 'AI', to: 'OPERATOR' });
  expect((await scene.api.setAi(threadId, true)).body.data).toMatchObject({
    changed: true,
    message_handler: 'AI',
  });
});

it('leaves a permanent switch-off as it is', async () => {
  const { threadId } = await openDialog();
  await scene.api.setAi(threadId, false);
  await scene.api.sendText(threadId, 'I am here');
  const { rows } = await scene.database.pool.query(
    'SELECT ai_enabled, takeover_until FROM threads WHERE id = $1',
    [uuidOf(threadId)],
  );
  expect(rows).toEqual([{ ai_enabled: false, takeover_until: null }]);
});

describe('a customer’s message that is taken in after it', () => {
  const waits = async (threadId: string): Promise<unknown> => {
    const { rows } = await scene.database.pool.query<{ waits: boolean; text: string }>(
      'SELECT waiting_message_id IS NOT NULL AND answer_count = 0 AS waits, last_message_text AS text FROM threads WHERE id = $1',
      [uuidOf(threadId)],
    );
    return rows[0];
  };

  const question = (phone: string): Promise<void> =>
    holdBack(scene.database.pool, [
      new CloudNumber(scene.sender).message({ phone: phone.slice(1) }, 'вопрос'),
    ]);

  it('does not wait where it arrived before', async () => {
    const { phone, threadId } = await openDialog();
    await question(phone);
    await scene.api.sendText(threadId, 'Ваш заказ готов');
    await letGo(scene.database.pool);
    expect(await waits(threadId)).toEqual({ waits: false, text: 'Ваш заказ готов' });
  });

  it('waits where it arrived after', async () => {
    const { phone, threadId } = await openDialog();
    await scene.api.sendText(threadId, 'Ваш заказ готов');
    await question(phone);
    await letGo(scene.database.pool);
    expect(await waits(threadId)).toEqual({ waits: true, text: 'вопрос' });
  });

  it('waits where what was stored after it was not sent', async () => {
    const { phone, threadId } = await openDialog();
    await question(phone);
    scene.provider.on(phone, refuse(400, 131047));
    const { status, body } = await scene.api.sendText(threadId, 'Ваш заказ готов');
    // As outside the 24 hours.
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect(body.provider_response).toMatchObject({ error: { code: 131047 } });
    await letGo(scene.database.pool);
    expect(await waits(threadId)).toEqual({ waits: true, text: 'Ваш заказ готов' });
  });
});

it('is not counted against the quota of recipients', async () => {
  await scene.account.setQuota(0);
  const { threadId } = await openDialog();
  expect((await scene.api.sendText(threadId, 'Free')).status).toBe(200);
  await scene.account.setQuota(null);
});

it('is not sent where it is longer than WhatsApp takes', async () => {
  const { phone, threadId } = await openDialog();
  const { status, body } = await scene.api.sendText(threadId, 'x'.repeat(4_097));
  expect([status, body.error.details?.[0]?.path]).toEqual([422, 'text']);
  expect(scene.provider.sendsTo(phone)).toHaveLength(0);
});

it('that is refused because the customer has stopped the provider marks the dialog', async () => {
  const { phone, threadId } = await openDialog();
  scene.provider.on(phone, refuse(400, 131050));
  const { status, body } = await scene.api.sendText(threadId, 'x');
  expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
  const { rows } = await scene.database.pool.query(
    'SELECT opted_out, ai_enabled FROM threads WHERE id = $1',
    [uuidOf(threadId)],
  );
  expect(rows).toEqual([{ opted_out: true, ai_enabled: false }]);
});

it('says where the dialog’s number is not connected', async () => {
  const threadId = await scene.account.addThread({ channel: 'waba' });
  const { status, body } = await scene.api.sendText(threadId, 'x');
  expect([status, body.error.details?.[0]?.path]).toEqual([422, 'thread_id']);
});
