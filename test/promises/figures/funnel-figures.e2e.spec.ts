import { randomUUIDv7 } from 'node:crypto';
import { setSendScene, newPhone } from '../../support/scenes/send.scene';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { addAdminKey, AccountFixture } from '../../support/database/fixture';
import { cloudBody, CloudNumber, postCloud, type Change } from '../../support/stand-ins/cloud.webhooks';
import { untilTaken } from '../../support/faults/held.webhooks';

const scene = setSendScene();
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

describe('get-funnel-figures', () => {
  const STAGES = [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }] as const;
  const SPAN = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z', timezone: 'Asia/Almaty' };
  let account: AccountFixture;

  beforeEach(async () => {
    account = await AccountFixture.create(scene.database.pool, [...STAGES]);
  });

  const api = () => new ApiClient(scene.server.url, account.key);

  const ask = (body: object = {}): Promise<Answer> =>
    api().call('leads/get-funnel-figures', { assistant_id: account.assistantId, ...around(), ...body });

  /** From a day before now to a day after it. */
  const around = (): { from: string; to: string; timezone: string } => ({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 86_400_000).toISOString(),
    timezone: 'Asia/Kathmandu',
  });

  interface Stage {
    name: string | null;
    [figure: string]: unknown;
  }

  const figuresOf = async (name: string | null): Promise<Stage | undefined> => {
    const { body } = await ask();
    expect(body.data.complete).toBe(true);
    return (body.data.stages as Stage[]).find((stage) => stage.name === name);
  };

  async function move(thread_id: string, ...stages: (number | null)[]): Promise<void> {
    for (const stage of stages) {
      const status_id = stage === null ? null : account.stages[stage];
      const { body } = await api().setStatus({ thread_id, status_id });
      expect(body.data).toMatchObject({ changed: true });
    }
  }

  it('has a move the moment it is answered', async () => {
    const thread = await account.addThread();
    await move(thread, 0);
    expect(await figuresOf('Новая')).toEqual({
      ...{ status_id: account.stages[0], name: 'Новая', kind: 'active', order: 1, archived: false },
      ...{ now: 1, entered: 1, left: 0, leads: 1, converted: 0, conversion: 0 },
      ...{ median_seconds: null, p90_seconds: null },
    });
    await move(thread, 1);
    expect(await figuresOf('Новая')).toMatchObject({ now: 0, entered: 1, left: 1, leads: 1 });
  });

  it('counts entries and leads apart where a lead enters twice, and the lead that reached success once', async () => {
    const [one, other] = [await account.addThread(), await account.addThread()];
    await move(one, 0, 1, 0, 2, 0);
    await move(other, 0);
    expect(await figuresOf('Новая')).toMatchObject({
      ...{ now: 2, entered: 4, left: 2, leads: 2, converted: 1, conversion: 0.5 },
    });
    expect(await figuresOf('В работе')).toMatchObject({ entered: 1, left: 1, conversion: 1 });
    expect(await figuresOf('Оплачено')).toMatchObject({ entered: 1, converted: 0, conversion: null });
  });

  it('has a row for leads without a stage, into which clearing is an entry', async () => {
    const thread = await account.addThread();
    await move(thread, 0, null);
    expect(await figuresOf(null)).toMatchObject({
      ...{ status_id: null, kind: null, order: null, archived: false, now: 1, entered: 1, left: 1, leads: 1 },
    });
  });

  it('tells of an archived stage by its name, as long as there is something to tell', async () => {
    await move(await account.addThread(), 0);
    expect((await admin.admin('DELETE', `statuses/${account.stages[1]}`)).status).toBe(200);
    const path = `statuses/${account.stages[0]}?move_to=${account.stages[2]}`;
    expect((await admin.admin('DELETE', path)).status).toBe(200);
    expect(await figuresOf('Новая')).toMatchObject({
      archived: true,
      now: 0,
      entered: 1,
      left: 1,
      converted: 1,
    });
    expect(await figuresOf('В работе')).toBeUndefined();
  });

  it('follows the kind of a stage', async () => {
    await move(await account.addThread(), 0, 1);
    expect(await figuresOf('Новая')).toMatchObject({ converted: 0 });
    await admin.admin('PATCH', `statuses/${account.stages[1]}`, { kind: 'success' });
    expect(await figuresOf('Новая')).toMatchObject({ converted: 1, conversion: 1 });
    await admin.admin('PATCH', `statuses/${account.stages[1]}`, { kind: 'failure' });
    expect(await figuresOf('Новая')).toMatchObject({ converted: 0, conversion: 0 });
  });

  it('has every day of the span, with what happened on it', async () => {
    await move(await account.addThread(), 0);
    const { body } = await ask();
    const days = body.data.days as { date: string; from: string; to: string; stages: object[] }[];
    expect([days[0]?.from, days.at(-1)?.to]).toEqual([body.data.from, body.data.to]);
    expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
    expect(days.slice(1).every(({ from }) => from.endsWith('T18:15:00.000Z'))).toBe(true);
    expect(days.flatMap(({ stages }) => stages)).toContainEqual({
      ...{ status_id: account.stages[0], entered: 1, left: 0 },
    });
  });

  it('has days of 23 and of 25 hours where clocks change', async () => {
    const hours = async (timezone: string, from: string, to: string): Promise<number[]> => {
      const { body } = await ask({ timezone, from, to });
      return (body.data.days as { from: string; to: string }[]).map(
        (day) => (Date.parse(day.to) - Date.parse(day.from)) / 3_600_000,
      );
    };
    expect(await hours('Europe/Berlin', '2026-03-28T00:00:00+01:00', '2026-03-31T00:00:00+02:00')).toEqual([
      24, 23, 24,
    ]);
    expect(await hours('Europe/Berlin', '2026-10-24T00:00:00+02:00', '2026-10-27T00:00:00+01:00')).toEqual([
      24, 25, 24,
    ]);
    expect(
      await hours('Australia/Lord_Howe', '2026-04-04T00:00:00+11:00', '2026-04-06T00:00:00+10:30'),
    ).toEqual([24, 24.5]);
  });

  it('answers for 400 days, and refuses what is longer, empty, unknown or no time', async () => {
    const wordsOfZone = async (timezone: unknown): Promise<string> =>
      (await ask({ ...SPAN, timezone })).body.error?.details?.[0]?.message ?? '';
    const asked = async (body: object): Promise<[number, string?]> => {
      const { status, body: answer } = await ask({ ...SPAN, ...body });
      return [status, answer.error?.details?.[0]?.path ?? answer.error?.code];
    };
    expect(await asked({ from: '2025-01-01T00:00:00Z', to: '2026-02-05T00:00:00Z' })).toEqual([
      200,
      undefined,
    ]);
    expect(await asked({ from: '2025-01-01T00:00:00Z', to: '2026-02-05T00:00:00.001Z' })).toEqual([
      422,
      'to',
    ]);
    expect(await asked({ to: SPAN.from })).toEqual([422, 'to']);
    expect(await asked({ from: SPAN.to, to: SPAN.from })).toEqual([422, 'to']);
    expect(await asked({ from: 'yesterday' })).toEqual([422, 'from']);
    expect(await asked({ from: null })).toEqual([422, 'from']);
    for (const timezone of ['x'.repeat(65), 'Asia/Nowhere', '+05:00', '', 5, null, 'UTC\0', undefined])
      expect(await asked({ timezone })).toEqual([422, 'timezone']);
    for (const timezone of [null, 5]) expect(await wordsOfZone(timezone)).toContain('name of a time zone');
    expect(await asked({ assistant_id: '' })).toEqual([422, 'assistant_id']);
    expect(await asked({ assistant_id: 'nobody' })).toEqual([404, 'ASSISTANT_NOT_FOUND']);
    expect(await asked({ assistant_id: scene.account.assistantId })).toEqual([404, 'ASSISTANT_NOT_FOUND']);
  });
});

describe('get-template-figures', () => {
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
