import { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { feedReader } from '../../support/database/feed.reader';
import { AccountFixture } from '../../support/database/fixture';
import { OpenMove } from '../../support/faults/open.move';
import { startStorm } from '../../support/clients/storm';
import { CLUSTERS, createDatabase } from '../../support/database/test.database';
import { setTwoBoards } from '../../support/scenes/two-boards.scene';

const scene = setTwoBoards();

/** More numbers than the feed waits for one by one, as a rolled back bulk load leaves them. */
const HOLE = 150_000;

const leaveHole = async (): Promise<void> => {
  await scene.database.pool.query(
    `SELECT setval(pg_get_serial_sequence('events', 'seq'), nextval(pg_get_serial_sequence('events', 'seq')) + $1)`,
    [HOLE],
  );
};

describe('a hole of very many numbers in the event log', () => {
  it('hides no commit that is still to come from below it', async () => {
    const [late, next, above] = [
      await scene.account.addThread(),
      await scene.account.addThread(),
      await scene.account.addThread(),
    ];
    const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
    await scene.api.setStatus({ thread_id: next, status_id: scene.account.stages[0] });
    await scene.heardUpTo(next, 2);
    await leaveHole();
    await scene.api.setStatus({ thread_id: above, status_id: scene.account.stages[0] });
    await scene.heardUpTo(above, 2);
    await scene.api.setStatus({ thread_id: above, status_id: scene.account.stages[1] });
    await scene.heardUpTo(above, 3);
    await open.commit();
    await scene.heardUpTo(late, 2);
  });

  it('hides nothing that is committed while it is met, in a storm on two processes', async () => {
    const threads = await Promise.all(Array.from({ length: 5 }, () => scene.account.addThread()));
    const doors = scene.servers.map(({ url }) => new ApiClient(url, scene.account.key));
    const storm = startStorm(doors, threads, [...scene.account.stages, null], { workers: 16 });
    for (let hole = 0; hole < 10; hole++) {
      const before = storm.acknowledged;
      await eventually(async () => storm.acknowledged > before + 50, 30_000, 'the storm was too slow');
      await leaveHole();
    }
    await storm.stop();
    await scene.expectAllHeard(threads);
  });
});

describe.each(CLUSTERS)('a feed that starts on PostgreSQL $name', ({ name }) => {
  const ROWS_READ = 100_000;

  it('right after very many events waits for none below those that it read', async () => {
    const database = await createDatabase(name);
    try {
      const account = await AccountFixture.create(database.pool);
      const thread = await account.addThread();
      await account.addEvents(thread, ROWS_READ + 5);
      const feed = feedReader(database.pool);
      const { head, floor, recent } = await feed.start();
      expect([head, floor, recent.length]).toEqual([ROWS_READ + 5, 5, ROWS_READ]);
    } finally {
      await database.drop();
    }
  });
});
