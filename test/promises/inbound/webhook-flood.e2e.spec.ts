import { AccountFixture } from '../../support/database/fixture';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { cloudBody } from '../../support/stand-ins/cloud.webhooks';

/** Several times as many as a process takes apart at once. */
const FLOOD = 300;
const AT_ONCE = 50;

const scene = setInboundScene();

const countOf = async (from: string, ...values: string[]): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${from}`,
    values,
  );
  return rows[0]?.n ?? 0;
};

/** Has all that comes meanwhile stored as it is, and taken apart afterwards. */
async function heldBack(act: () => Promise<void>): Promise<void> {
  await scene.database.pool.query(`
    CREATE FUNCTION held_back() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.due_at := 'infinity'; RETURN NEW; END $$;
    CREATE TRIGGER held_back BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION held_back()`);
  try {
    await act();
  } finally {
    await scene.database.pool.query('DROP FUNCTION held_back CASCADE');
  }
  await scene.letGo();
}

it('a number to which hundreds wrote at once delays no other number’s messages', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  const other = await scene.addNumber(account);
  let posted = 0;
  const post = async (): Promise<void> => {
    while (posted < FLOOD) {
      posted += 1;
      await scene.post(cloudBody([scene.number.message({ phone: somePhone() }, 'Есть скидка?')]));
    }
  };
  await heldBack(async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, post));
    await scene.post(cloudBody([other.message({ phone: somePhone() }, 'вопрос')]));
  });
  expect(await countOf(`messages WHERE text = 'Есть скидка?'`)).toBe(FLOOD);
  const before = await countOf(
    `events WHERE seq < (SELECT min(seq) FROM events WHERE account_id = $1)`,
    account.id,
  );
  expect(before).toBeLessThan(FLOOD / 2);
});
