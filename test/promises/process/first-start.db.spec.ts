import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';

const PREPARATION = join(__dirname, '../../../dist/libs/domain/src/schema/schema.service.js');
const RUNNER = join(__dirname, '../../../dist/libs/persistence/src/database/migration.runner.js');
const PROCESSES = 4;

describe.each(CLUSTERS)('four processes that start at once on an empty PostgreSQL $name', ({ name }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase(name, { empty: true });
  });

  afterAll(async () => {
    await database?.drop();
  });

  it('prepare it once, and all find it prepared', async () => {
    const script = `require(process.argv[1]).bringSchemaUpToDate(process.argv[3]).then(
      async (ran) => console.log(JSON.stringify({ ran, status: await require(process.argv[2]).migrationStatus(process.argv[3]) })),
      (error) => { console.error(error); process.exitCode = 1; })`;
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        promisify(execFile)(process.execPath, ['-e', script, PREPARATION, RUNNER, database.url]),
      ),
    );
    const results = outputs.map(
      ({ stdout }) => JSON.parse(stdout) as { ran: string[]; status: { name: string; applied: boolean }[] },
    );
    const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const names = rows.map((row) => row.name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(results.flatMap(({ ran }) => ran)).toEqual(names);
    for (const { status } of results) expect(status.every(({ applied }) => applied)).toBe(true);
  });
});
