import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, setSendScene } from '../../support/scenes/send.scene';
import { cloudBody, CloudNumber, postCloud, type Change } from '../../support/stand-ins/cloud.webhooks';
import { untilTaken } from '../../support/faults/held.webhooks';

const scene = setSendScene();
const DAY_MS = 86_400_000;

const ask = (body: object = {}): Promise<Answer> =>
  scene.api.call('messages/get-template-figures', {
    bot_id: scene.account.botId,
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
    ...body,
  });

async function tell(...changes: Change[]): Promise<void> {
  expect((await postCloud(scene.server, cloudBody(changes))).status).toBe(200);
  await untilTaken(scene.database.pool);
}

const now = (): string => String(Math.floor(Date.now() / 1_000));

describe('get-template-figures', () => {
  it('follows a template from its sending to what its provider reports', async () => {
    const number = new CloudNumber(scene.sender);
    const phones = [newPhone(), newPhone(), newPhone()];
    const sent = await Promise.all(phones.map((phone) => scene.send({ phone })));
    const ids = sent.map(({ body }) => String(body.data.message_id));
    const figures = async () => (await ask()).body.data.templates as object[];
    const base = {
      template_id: 'order_ready',
      name: 'order_ready',
      channel: 'waba_coexistence',
      category: null,
    };
    const counts = {
      messages: 3,
      queued: 0,
      sent: 3,
      delivered: 0,
      read: 0,
      replied: 0,
      unknown: 0,
      failed: 0,
    };
    expect(await figures()).toEqual([{ ...base, language: 'ru', ...counts, failed_by_code: [] }]);

    await tell(number.status(ids[0] ?? '', 'delivered', { timestamp: now() }));
    await tell(number.status(ids[1] ?? '', 'read', { timestamp: now() }));
    expect(await figures()).toMatchObject([{ sent: 3, delivered: 2, read: 1 }]);

    await tell(number.message({ phone: (phones[1] ?? '').slice(1) }, 'Спасибо'));
    expect(await figures()).toMatchObject([{ sent: 3, replied: 1 }]);

    const errors = [{ code: 131_026, title: 'Undeliverable', message: 'Undeliverable' }];
    await tell(number.status(ids[2] ?? '', 'failed', { timestamp: now(), errors }));
    expect(await figures()).toMatchObject([
      {
        ...{ messages: 3, sent: 2, delivered: 2, read: 1, replied: 1, failed: 1 },
        failed_by_code: [{ code: 'PROVIDER_ERROR', provider_code: 131_026, messages: 1 }],
      },
    ]);
  });

  it('has no template of another bot or time', async () => {
    const other = await scene.account.addBot();
    const key = await scene.account.addKey({ botIds: [other] });
    const span = { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' };
    expect((await ask(span)).body.data.templates).toEqual([]);
    const { body } = await scene
      .apiAt(0, key)
      .call('messages/get-template-figures', { ...span, bot_id: other });
    expect(body.data).toMatchObject({ bot_id: other, templates: [], complete: true });
  });

  it('refuses a bot that is not there or not the caller’s, and a span that is none', async () => {
    const asked = async (body: object): Promise<[number, string?]> => {
      const { status, body: answer } = await ask(body);
      return [status, answer.error?.details?.[0]?.path ?? answer.error?.code];
    };
    const foreign = await AccountFixture.create(scene.database.pool);
    expect(await asked({ bot_id: randomUUIDv7() })).toEqual([404, 'BOT_NOT_FOUND']);
    for (const bot_id of [foreign.botId, await scene.account.addBot()])
      expect(await asked({ bot_id })).toEqual([403, 'FORBIDDEN']);
    expect(await asked({ bot_id: 'no id' })).toEqual([422, 'bot_id']);
    expect(await asked({ to: '2020-01-01T00:00:00Z' })).toEqual([422, 'to']);
    expect(await asked({ from: '2020-01-01T00:00:00Z' })).toEqual([422, 'to']);
  });
});
