import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { runCommand } from './command-process';

/** `npm run db:migrate` */
void runCommand({
  usage: 'Usage: npm run db:migrate',
  purpose: 'Makes the schema in the database that DATABASE_URL names, or brings it up to date.',
  act: async (databaseUrl) => {
    const ran = await bringSchemaUpToDate(databaseUrl);
    console.log(ran.length > 0 ? `Ran ${ran.join(', ')}.` : 'The schema is up to date.');
  },
});
