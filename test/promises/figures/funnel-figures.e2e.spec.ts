import { ApiClient, type Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { AdminScene } from '../../support/scenes/admin.scene';

const STAGES = [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }] as const;
const SPAN = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z', timezone: 'Asia/Almaty' };

let scene: AdminScene;
let account: AccountFixture;

beforeAll(async () => {
  scene = await AdminScene.open();
});
afterAll(() => scene.close());
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

describe('get-funnel-figures', () => {
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
    expect((await scene.admin.admin('DELETE', `statuses/${account.stages[1]}`)).status).toBe(200);
    const path = `statuses/${account.stages[0]}?move_to=${account.stages[2]}`;
    expect((await scene.admin.admin('DELETE', path)).status).toBe(200);
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
    await scene.admin.admin('PATCH', `statuses/${account.stages[1]}`, { kind: 'success' });
    expect(await figuresOf('Новая')).toMatchObject({ converted: 1, conversion: 1 });
    await scene.admin.admin('PATCH', `statuses/${account.stages[1]}`, { kind: 'failure' });
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
