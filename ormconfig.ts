import { dataSourceOptions } from '@app/persistence/database/data-source.options';
import { processVariables } from '@app/config/settings.config';
import { DataSource } from 'typeorm';

/** The data source for TypeORM's command line, on the database that DATABASE_URL names. */
export default new DataSource(
  dataSourceOptions({
    url: processVariables().DATABASE_URL ?? '',
    applicationName: 'leadline command line',
    poolSize: 2,
  }),
);
