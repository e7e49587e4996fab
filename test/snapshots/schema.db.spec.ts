import { dataSourceOptions } from '@app/persistence/database/data-source-options';
import { DataSource } from 'typeorm';
import { describeSchema } from '../support/database/schema.description';
import { expectSnapshotFile } from './snapshot.file';
import { CLUSTERS, createDatabase, type TestDatabase } from '../support/database/test.database';

async function withMigrations({ url }: TestDatabase, act: (source: DataSource) => Promise<void>): Promise<void> {
  const source = await new DataSource(
    dataSourceOptions({ url, applicationName: 'leadline test', poolSize: 2 }),
  ).initialize();
  try {
    await act(source);
  } finally {
    await source.destroy();
  }
}

describe('the schema that the migrations make', () => {
  it.each(CLUSTERS.map(({ name }) => name))('is the one in git, on PostgreSQL %s', async (version) => {
    const database = await createDatabase(version);
    try {
      expectSnapshotFile('schema.txt', await describeSchema(database.pool));
    } finally {
      await database.drop();
    }
  });

  it.each(CLUSTERS.map(({ name }) => name))(
    'is the same after every migration since the baseline ran down and up again, on PostgreSQL %s',
    async (version) => {
      const database = await createDatabase(version);
      try {
        await withMigrations(database, async (source) => {
          for (let undone = 1; undone < source.migrations.length; undone += 1) await source.undoLastMigration();
          // It would take every row with it.
          await expect(source.undoLastMigration()).rejects.toThrow('The baseline is not undone');
          await source.runMigrations();
        });
        expectSnapshotFile('schema.txt', await describeSchema(database.pool));
      } finally {
        await database.drop();
      }
    },
  );
});
