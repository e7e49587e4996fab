import { AccountFixture } from '../../support/database/fixture';
import { expectRecount } from '../../support/database/figure.recount';
import { randomOf, writeHistory } from '../../support/database/random.history';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { limits } from '../../support/programs/test.limits';
import { setScene } from '../../support/scenes/base.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }] as const;
const HISTORY = { from: new Date('2025-09-25T00:00:00Z'), to: new Date('2025-11-10T00:00:00Z') };
/** What is counted is kept of short histories, too, and within moments. */
const KEPT_SOON = limits({ 'figures.rowsMost': 0, 'work.figuresMs': 250 });
const KINDS = ['answer_times', 'messages', 'moves', 'stay_times', 'templates'];

const scene = setScene({ stages: [...STAGES], environment: KEPT_SOON });

/** Waits until everything is kept of which a call had to read the rows, and tells of which kinds there is some. */
async function untilKept({ id, db }: AccountFixture): Promise<string[]> {
  const due = 'SELECT 1 FROM figure_ranges WHERE account_id = $1 AND counted IS NULL LIMIT 1';
  await eventually(async () => (await db.query(due, [id])).rowCount === 0, 30_000, 'ranges were not counted');
  const kinds = 'SELECT DISTINCT kind FROM figure_ranges WHERE account_id = $1 ORDER BY kind';
  return (await db.query<{ kind: string }>(kinds, [id])).rows.map(({ kind }) => kind);
}

/** Some of its messages change late, and the log says so. */
async function changeMessages({ id, db, assistantId }: AccountFixture, change: string): Promise<void> {
  await db.query(
    `WITH changed AS (
       UPDATE messages m SET ${change} WHERE account_id = $1 AND get_byte(uuid_send(m.id), 15) % 5 = 0 AND status IN ('sent', 'delivered', 'read')
       RETURNING id, thread_id)
     INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT $1, thread_id, $2, 1, 'message_state', clock_timestamp(), jsonb_build_object('message_id', id) FROM changed`,
    [id, assistantId],
  );
}

it.each(IS_LONG ? [11, 12] : [11])(
  'figures of what is kept equal a recount, and so they do at once after anything in it has changed (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const account = await AccountFixture.create(scene.database.pool, [...STAGES]);
    const api = scene.apiAt(0, account.key);
    const expectSame = () => expectRecount(account, api, randomOf(seed), HISTORY);
    const changes = [
      () => writeHistory(account, random, HISTORY, 60),
      () =>
        changeMessages(
          account,
          `status = 'failed', error_code = 'PROVIDER_ERROR', failed_at = clock_timestamp()`,
        ),
      () => changeMessages(account, `status = 'delivered', delivered_at = clock_timestamp()`),
      async () => {
        const { rows } = await account.db.query<{ id: string }>(
          `SELECT id FROM threads WHERE account_id = $1 AND status_id IS DISTINCT FROM $2 ORDER BY id LIMIT 20`,
          [account.id, account.stages[3]],
        );
        for (const { id } of rows)
          await api.setStatus({ thread_id: `thread_${id}`, status_id: account.stages[3] });
      },
      () =>
        account.db.query(`UPDATE statuses SET kind = 'success' WHERE account_id = $1 AND id = $2`, [
          account.id,
          account.stages[1],
        ]),
      () => writeHistory(account, random, HISTORY, 20),
    ];
    for (const change of changes) {
      await change();
      await expectSame();
      expect(await untilKept(account)).toEqual(KINDS);
      await expectSame();
    }
  },
);
