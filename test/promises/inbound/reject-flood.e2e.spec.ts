import { setSendScene, newPhone } from '../../support/scenes/send.scene';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { LONG_WAITS } from '../../support/programs/test.limits';
import { untilTaken } from '../../support/faults/held.webhooks';
import { CloudNumber, cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { eventually, inTime } from '../../support/eventually';

const scene = setSendScene({ environment: LONG_WAITS });

/** In one webhook: more than the process has connections. */
const FLOOD = 150;
/** Of the process at once. */
const CONNECTIONS = 3;
/** Long before what waits for the table gives up. */
const AT_ONCE_MS = 15_000;

const rejects = async (): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM webhook_rejects',
  );
  return rows[0]?.n ?? 0;
};

const waiting = async (): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%INSERT INTO webhook_rejects%'`,
  );
  return rows[0]?.n ?? 0;
};

const isStored = async (text: string): Promise<boolean> =>
  (await scene.database.pool.query('SELECT 1 FROM messages WHERE text = $1', [text])).rowCount === 1;

it('a flood of items that nobody can take in, none of which can be stored, holds up no webhook, no send and no set-ai', async () => {
  const strangers = new CloudNumber('1');
  const ours = new CloudNumber(scene.sender);
  const customer = { phone: newPhone().slice(1) };
  const thread = await scene.account.addThread();
  await untilTaken(scene.database.pool);
  const before = await rejects();
  const holder = await scene.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE webhook_rejects IN SHARE MODE');
    const flood = Array.from({ length: FLOOD }, (_, index) =>
      strangers.message({ phone: String(77_020_000_000 + index) }, 'x'),
    );
    expect((await postCloud(scene.server, cloudBody(flood))).status).toBe(200);
    await untilWaiting(scene.database.pool, CONNECTIONS, { words: 'INSERT INTO webhook_rejects' });
    const begun = performance.now();
    const [told, sent, off] = await Promise.all([
      postCloud(scene.server, cloudBody([ours.message(customer, 'вопрос')])),
      scene.send({ phone: newPhone() }),
      scene.api.setAi(thread, false),
    ]);
    expect([told.status, sent.status, off.status]).toEqual([200, 200, 200]);
    await eventually(() => isStored('вопрос'), AT_ONCE_MS, 'the message was not taken in');
    expect(await waiting()).toBe(CONNECTIONS);
    expect(performance.now() - begun).toBeLessThan(inTime(AT_ONCE_MS));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await untilTaken(scene.database.pool);
  expect(await rejects()).toBe(before + FLOOD);
});
