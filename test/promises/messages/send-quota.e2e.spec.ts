import { createDatabase } from '../../support/database/test.database';
import { holdClock } from '../../support/faults/held.clock';
import { refuse } from '../../support/stand-ins/scripted.provider';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';

const scene = setSendScene({ servers: 2 });
beforeEach(() => scene.database.pool.query('DELETE FROM quota_usage'));

it('no race exceeds it by one: forty of ninety messages at once on two processes, a list among them', async () => {
  await scene.account.setQuota(40);
  const before = scene.provider.ledger.length;
  const singles = Array.from({ length: 75 }, (_, n) =>
    scene.send({ phone: newPhone() }, {}, { server: n % 2 }),
  );
  const list = scene.send(
    newPhones(15).map((phone) => ({ phone })),
    {},
    { server: 1 },
  );
  const answers = await Promise.all([...singles, list]);
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['QUOTA_EXCEEDED']));
  expect(scene.provider.ledger).toHaveLength(before + 40);
  expect(await scene.account.quotaUsed()).toBe(40);
});

it('a list that does not fit whole sends nothing', async () => {
  await scene.account.setQuota(4);
  const before = scene.provider.ledger.length;
  const { status, body } = await scene.send(newPhones(5).map((phone) => ({ phone })));
  expect([status, body.error.code]).toEqual([429, 'QUOTA_EXCEEDED']);
  expect(scene.provider.ledger).toHaveLength(before);
  expect((await scene.send(newPhones(4).map((phone) => ({ phone })))).body.data.sent).toBe(4);
});

it('recipients that were refused are given back once, the others are not', async () => {
  await scene.account.setQuota(100);
  const phones = newPhones(10);
  for (const phone of phones.slice(0, 4)) scene.provider.on(phone, refuse(400, 131026));
  await scene.send(phones.map((phone) => ({ phone })));
  expect(await scene.account.quotaUsed()).toBe(6);
  const phone = newPhone();
  scene.provider.on(phone, refuse(400, 132001));
  await scene.send({ phone });
  expect(await scene.account.quotaUsed()).toBe(6);
});

it('a duplicate that is skipped is not counted', async () => {
  await scene.account.setQuota(1);
  const phone = newPhone();
  const { body } = await scene.send([{ phone }, { phone }], { skip_duplicates: true });
  expect(body.data).toMatchObject({ sent: 1, failed: 1 });
});

describe('at the change of a month, in UTC', () => {
  let setClock: (at: string) => Promise<void>;
  const inTime = setSendScene({
    openDatabase: async () => {
      const database = await createDatabase();
      setClock = await holdClock(database);
      return database;
    },
  });

  it('a quota that was used up begins anew, of a year and of a leap year’s February', async () => {
    const refused = async (): Promise<string> => {
      const { status, body } = await inTime.send({ phone: newPhone() });
      expect([status, body.error?.code]).toEqual([429, 'QUOTA_EXCEEDED']);
      return body.error.message;
    };
    await inTime.account.setQuota(1);
    for (const [last, first, next] of [
      ['2027-12-31', '2028-01-01', '2028-02-01'],
      ['2028-02-29', '2028-03-01', '2028-04-01'],
    ] as const) {
      await setClock(`${last}T23:30:00Z`);
      expect([last, (await inTime.send({ phone: newPhone() })).status]).toEqual([last, 200]);
      expect(await refused()).toContain(`${first}T00:00:00.000Z`);
      await setClock(`${first}T00:00:00Z`);
      expect([first, (await inTime.send({ phone: newPhone() })).status]).toEqual([first, 200]);
      expect(await refused()).toContain(`${next}T00:00:00.000Z`);
    }
  });
});
