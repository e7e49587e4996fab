import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secrets by which the calls of scenarios are signed. A scenario without one gets it with its first call. */
export class ScenarioSecrets1764007200000 implements MigrationInterface {
  name = 'ScenarioSecrets1764007200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE scenario_secrets (
        account_id uuid NOT NULL,
        scenario_id uuid NOT NULL,
        key_id text NOT NULL,
        sealed bytea NOT NULL,
        CONSTRAINT scenario_secrets_pkey PRIMARY KEY (account_id, scenario_id),
        CONSTRAINT scenario_secrets_scenario_fkey FOREIGN KEY (account_id, scenario_id) REFERENCES scenarios (account_id, id)
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE scenario_secrets');
  }
}
