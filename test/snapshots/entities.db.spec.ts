import type { DataSource } from 'typeorm';
import { EntitySource } from '../support/database/entity.source';
import { describeSchema } from '../support/database/schema.description';
import { CLUSTERS, createDatabase, type TestDatabase } from '../support/database/test.database';

/** What the migrations make and decorators cannot say. */
const BEYOND_DECORATORS: Record<string, string> = {
  'figure_messages: CREATE INDEX figure_messages_answered': 'an expression',
  'figure_stays: CREATE INDEX figure_stays_lasted': 'an expression',
  'figure_stays: CREATE INDEX figure_stays_returned': 'an expression',
  'messages: CREATE INDEX messages_thread': 'the newest first',
  'replies: CREATE INDEX replies_thread': 'the newest first',
  'thread_search: CREATE INDEX thread_search_words': 'an expression',
  'threads: CREATE INDEX threads_activity': 'the last active first',
  'threads: CREATE INDEX threads_board': 'the last active first',
  'threads: CREATE INDEX threads_newest': 'the newest first',
  'threads: CREATE INDEX threads_waiting': 'an expression',
  'webhook_rejects: CREATE UNIQUE INDEX webhook_rejects_once': 'an expression, and nulls that are alike',
  'rate_counters: WITH fillfactor': 'storage',
  'rate_windows: WITH fillfactor': 'storage',
  'scenario_queues: WITH fillfactor': 'storage',
  'scenario_runs: WITH fillfactor': 'storage',
  'threads: WITH fillfactor': 'storage',
};

/** The ORM keeps the first for itself; nobody uses the second, which goes with a later version. */
const OF_NO_ENTITY = new Set(['migrations', 'rate_buckets']);

async function withEntities<T>(database: TestDatabase, act: (source: DataSource) => Promise<T>): Promise<T> {
  const orm = await EntitySource.open(database);
  try {
    return await act(orm.dataSource);
  } finally {
    await orm.close();
  }
}

/** Each line of the schema with its table, in no order, because columns are in the order in which they came. */
async function linesOf({ pool }: TestDatabase): Promise<string[]> {
  const tables = (await describeSchema(pool)).split('\n\n').map((text) => text.trim().split('\n'));
  return tables
    .filter(([table = '']) => !OF_NO_ENTITY.has(table))
    .flatMap(([table, ...lines]) => lines.map((line) => `${table}: ${line.trim()}`))
    // One number, however it was written.
    .map((line) => line.replace(/DEFAULT '(\d+)'::bigint/, 'DEFAULT $1'));
}

describe.each(CLUSTERS.map(({ name }) => name))('the entities, on PostgreSQL %s', (version) => {
  let migrated: TestDatabase;

  beforeAll(async () => {
    migrated = await createDatabase(version);
  });

  afterAll(async () => {
    await migrated?.drop();
  });

  it('leave the ORM nothing to change of what the migrations made', async () => {
    const { upQueries } = await withEntities(migrated, (source) =>
      source.driver.createSchemaBuilder().log(),
    );
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('say all that the migrations made, but for what decorators cannot say', async () => {
    const declared = await createDatabase(version, { empty: true });
    try {
      await withEntities(declared, (source) => source.synchronize());
      const [made, said] = [await linesOf(migrated), await linesOf(declared)];
      expect(said.filter((line) => !made.includes(line))).toEqual([]);
      const unsaid = made.filter((line) => !said.includes(line));
      const isListed = (line: string) => Object.keys(BEYOND_DECORATORS).find((known) => line.startsWith(known));
      expect(unsaid.map((line) => isListed(line) ?? line).toSorted()).toEqual(
        Object.keys(BEYOND_DECORATORS).toSorted(),
      );
    } finally {
      await declared.drop();
    }
  });
});
