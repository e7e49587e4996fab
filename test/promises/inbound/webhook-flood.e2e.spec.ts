import { AccountFixture } from '../../support/database/fixture';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { cloudBody } from '../../support/stand-ins/cloud.webhooks';

/** At 900 a second, more than a second of work. */
const FLOOD = 1_000;
const AT_ONCE = 50;

/** It takes webhooks in, and leaves them to a worker. */
const scene = setInboundScene({ environment: { ROLE: 'api' } });

const countOf = async (from: string, ...values: string[]): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${from}`,
    values,
  );
  return rows[0]?.n ?? 0;
};

it('a number to which thousands wrote at once delays no other number’s messages', async () => {
  let posted = 0;
  const post = async (): Promise<void> => {
    while (posted < FLOOD) {
      posted += 1;
      await scene.post(cloudBody([scene.number.message({ phone: somePhone() }, 'Есть скидка?')]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, post));
  const account = await AccountFixture.create(scene.database.pool);
  const other = await scene.addNumber(account);
  await scene.post(cloudBody([other.message({ phone: somePhone() }, 'вопрос')]));
  await scene.addServer({ ROLE: 'worker' });
  await scene.taken();
  expect(await countOf(`messages WHERE text = 'Есть скидка?'`)).toBe(FLOOD);
  const before = await countOf(
    `events WHERE seq < (SELECT min(seq) FROM events WHERE account_id = $1)`,
    account.id,
  );
  expect(before).toBeLessThan(FLOOD / 2);
});
