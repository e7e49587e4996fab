import { AccountFixture } from '../../support/database/fixture';
import { expectRecount } from '../../support/database/figure.recount';
import { randomOf, writeHistory } from '../../support/database/random.history';
import { IS_LONG } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }, { kind: 'failure' }] as const;

/** Clocks change in it: Lord Howe's by half an hour on October 5, Berlin's on October 26, New York's on November 2. */
const HISTORY = { from: new Date('2025-09-25T00:00:00Z'), to: new Date('2025-11-10T00:00:00Z') };

const scene = setScene({ stages: [...STAGES] });

it.each(IS_LONG ? [1, 2, 3] : [1])(
  'figures of a random history equal a recount of it, by any time zone (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const account = await AccountFixture.create(scene.database.pool, [...STAGES]);
    const api = scene.apiAt(0, account.key);
    await writeHistory(account, random, HISTORY, 60);
    await expectRecount(account, api, random, HISTORY);
    await account.db.query(
      'UPDATE statuses SET archived_at = clock_timestamp() WHERE account_id = $1 AND id = $2',
      [account.id, account.stages[1]],
    );
    await account.db.query(`UPDATE statuses SET kind = 'success' WHERE account_id = $1 AND id = $2`, [
      account.id,
      account.stages[2],
    ]);
    await writeHistory(account, random, HISTORY, 40);
    await expectRecount(account, api, random, HISTORY);
  },
);
