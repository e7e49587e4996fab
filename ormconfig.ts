import { processVariables } from '@app/config/settings-config';
import { dataSourceOptions } from '@app/persistence/database/data-source-options';
import { MIGRATION_SESSION } from '@app/persistence/database/migration-runner';
import { ENTITIES } from '@app/persistence/persistence-entities';
import { DataSource } from 'typeorm';

const url = processVariables().DATABASE_URL;
if (!url) throw new Error('DATABASE_URL is missing: name the database whose migrations you mean.');

/** The data source for TypeORM's command line, on the database that DATABASE_URL names. */
export default new DataSource({
  ...dataSourceOptions({ url, poolSize: 2, ...MIGRATION_SESSION }),
  entities: ENTITIES,
});
