import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every actor of the type `api_key`, in the column of a table and at a path of it. */
const ACTORS = [
  { table: 'events', column: 'body', path: '{actor,type}' },
  { table: 'scenarios', column: 'stopped_by', path: '{actor,type}' },
  { table: 'statuses', column: 'archived_by', path: '{actor,type}' },
  { table: 'scenario_runs', column: 'retried_by', path: '{type}' },
];

/** An actor that is an API key has the type `key`, as causes of runs have. */
export class ActorTypes1764021600000 implements MigrationInterface {
  name = 'ActorTypes1764021600000';

  async up(db: QueryRunner): Promise<void> {
    await rename(db, 'api_key', 'key');
  }

  async down(db: QueryRunner): Promise<void> {
    await rename(db, 'key', 'api_key');
  }
}

async function rename(db: QueryRunner, from: string, to: string): Promise<void> {
  for (const { table, column, path } of ACTORS) {
    await db.query(
      `UPDATE ${table} SET ${column} = jsonb_set(${column}, '${path}', '"${to}"') WHERE ${column} #>> '${path}' = '${from}'`,
    );
  }
}
