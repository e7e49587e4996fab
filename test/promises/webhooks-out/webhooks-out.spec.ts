import { eventually } from '../../support/eventually';
import { setWebhooksOutScene } from '../../support/scenes/webhooks-out.scene';
import { ANSWERS } from '../../support/stand-ins/endpoint.receiver';

describe('Webhooks out', () => {
  const scene = setWebhooksOutScene();

  it('tell of each change of a dialog in order, signed, with what all events have', async () => {
    const endpoint = await scene.endpoint();
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, 0);
    await scene.api.setAi(threadId, false);
    await scene.write(phone, 'Сколько стоит?');
    await scene.move(threadId, null);
    const events = await endpoint.until(4);
    expect(events.map(({ type }) => type)).toEqual([
      'lead.status_changed',
      'lead.ai_switched',
      'message.received',
      'lead.status_changed',
    ]);
    expect(endpoint.forged).toEqual([]);
    const stage = { id: scene.stage(0), name: expect.any(String), kind: expect.any(String), order: 1 };
    const common = {
      account_id: scene.account.id,
      event_id: expect.any(String),
      seq: expect.any(Number),
      thread_id: threadId,
      assistant_id: scene.account.assistantId,
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      phone,
    };
    const byKey = {
      actor: expect.objectContaining({ type: 'key' }),
      request_id: expect.any(String),
      cause: null,
    };
    expect(events[0]?.data).toEqual({
      ...common,
      ...byKey,
      version: expect.any(Number),
      from: null,
      to: stage,
      by: 'SYSTEM',
    });
    expect(events[1]?.data).toMatchObject({ ...common, ...byKey, from: true, to: false });
    expect(events[2]?.data).toMatchObject({
      ...common,
      actor: null,
      message: { role: 'USER', text: 'Сколько стоит?', thread_id: threadId },
    });
    expect(events[3]?.data).toMatchObject({ ...common, ...byKey, from: stage, to: null });
    const versions = events.map(({ data }) => data.version ?? 0);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    for (const event of events) {
      expect(event.data.event_id).toBe(event.id);
      expect(event.headers['content-type']).toBe('application/json');
    }
  });

  it('tell of a message when it was sent, and of its states', async () => {
    const endpoint = await scene.endpoint({ events: ['message.sent', 'message.status_changed'] });
    const { phone } = await scene.dialog();
    const answer = await scene.send({ phone });
    expect(answer.status).toBe(200);
    const [sent] = await endpoint.until(1);
    expect(sent).toMatchObject({
      type: 'message.sent',
      data: { status: 'sent', message: { type: 'template' }, phone },
    });
  });

  it('are sent again with the same id until one passes, and hold what follows in their dialog, and nothing else', async () => {
    const endpoint = await scene.endpoint({ events: ['lead.status_changed'] });
    const [one, other] = [await scene.dialog(), await scene.dialog()];
    endpoint.next.push(ANSWERS.fail, ANSWERS.reset, ANSWERS.redirect);
    await scene.move(one.threadId, 0);
    await eventually(async () => endpoint.events.length > 0, 5_000, 'nothing came');
    endpoint.next.length = 0;
    endpoint.next.push(ANSWERS.reset);
    await scene.move(one.threadId, 1);
    await scene.move(other.threadId, 1);
    await endpoint.until(3);
    const ofOne = endpoint.of(one.threadId);
    const ids = ofOne.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    // All tries of the first come before the second.
    expect(ids.lastIndexOf(ids[0] ?? '')).toBeLessThan(ids.indexOf(ids.at(-1) ?? ''));
    expect(
      endpoint.accepted.filter(({ data }) => data.thread_id === one.threadId).map(({ id }) => id),
    ).toEqual([ids[0], ids.at(-1)]);
    expect(endpoint.forged).toEqual([]);
  });

  it('are at most ten at a time to one endpoint', async () => {
    const endpoint = await scene.endpoint({ events: ['lead.status_changed'] });
    const held: (() => void)[] = [];
    endpoint.usual = (response) => {
      held.push(() => response.writeHead(200).end());
      return true;
    };
    const dialogs = await Promise.all(Array.from({ length: 14 }, () => scene.dialog()));
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, 0)));
    await eventually(async () => held.length === 10, 5_000, 'ten did not come');
    endpoint.usual = ANSWERS.ok;
    for (const end of held) end();
    await endpoint.until(14);
    expect(endpoint.mostAtOnce).toBe(10);
  });

  it('disable an endpoint that is gone, and tell the others', async () => {
    const other = await scene.endpoint({ events: ['webhook.disabled'] });
    const endpoint = await scene.endpoint({ events: ['lead.status_changed'] });
    endpoint.usual = ANSWERS.gone;
    const { threadId } = await scene.dialog();
    await scene.move(threadId, 0);
    const [told] = await other.until(1);
    expect(told?.data).toMatchObject({ endpoint_id: endpoint.id, reason: 'gone', thread_id: null });
    const { data } = await scene.govern('GET', `webhook-endpoints/${endpoint.id}`);
    expect(data).toMatchObject({ disabled: true, disabled_reason: 'gone' });
    await scene.move(threadId, 1);
    await other.stop();
    expect(endpoint.events).toHaveLength(1);
  });

  it('cut long texts to less than 20 kB, and say so', async () => {
    const endpoint = await scene.endpoint({ events: ['message.received'] });
    const { phone } = await scene.dialog();
    await scene.write(phone, '"ы\u0001'.repeat(6_000));
    const [event] = await endpoint.until(1);
    expect(Buffer.byteLength(event?.body ?? '')).toBeLessThan(20_000);
    expect(Buffer.byteLength(event?.body ?? '')).toBeGreaterThan(19_000);
    expect(event?.data.truncated).toBe(true);
  });

  it('are signed, and as the OpenAPI document describes them', async () => {
    expect(await scene.faults()).toEqual([]);
  });
});
