import { schemaStatus } from '@app/domain/schema/schema.service';
import { runCommand } from './command-process';

/** `npm run db:migrate:status` */
void runCommand({
  usage: 'Usage: npm run db:migrate:status',
  purpose: 'Lists the steps of the schema, applied and pending, in the database that DATABASE_URL names.',
  act: async (databaseUrl) => {
    for (const { name, applied } of await schemaStatus(databaseUrl))
      console.log(`${applied ? 'applied' : 'pending'}  ${name}`);
  },
});
