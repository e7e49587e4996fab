import { describeSchema } from '../support/schema.description';
import { expectSnapshotFile } from '../support/snapshot.file';
import { CLUSTERS, createDatabase } from '../support/test.database';

describe('the schema that the migrations make', () => {
  it.each(CLUSTERS.map(({ name }) => name))('is the one in git, on PostgreSQL %s', async (version) => {
    const database = await createDatabase(version);
    try {
      expectSnapshotFile('schema.txt', await describeSchema(database.pool));
    } finally {
      await database.drop();
    }
  });
});
