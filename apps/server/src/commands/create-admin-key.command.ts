import { isBlank } from '@app/contracts/values/free-text';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { issueAdminKey } from './administration';
import { runCommand } from './command-process';

/** In the API's form. */
const NAME_MAX_LENGTH = 200;

const isName = (name: unknown): boolean =>
  typeof name === 'string' && !isBlank(name) && name.length <= NAME_MAX_LENGTH;

/**
 * Makes a key and prints only the key on standard output, for a variable or a pipe. Everything else goes to standard
 * error.
 */
async function createAdminKey(databaseUrl: string, name: string): Promise<void> {
  const ran = await bringSchemaUpToDate(databaseUrl);
  if (ran.length > 0)
    console.error(`The database had no schema of this version: made it (${ran.join(', ')}).`);
  const { id, key } = await issueAdminKey(databaseUrl, name);
  console.error(`Made the admin key "${name}" with the id ${id}. Keep what follows: it is not shown again.`);
  console.log(key);
}

/** `npm run admin:create-key -- --name "First admin"` */
void runCommand({
  usage: 'Usage: npm run admin:create-key -- --name "First admin"   (with the -- before --name)',
  purpose: 'Makes an admin key in the database that DATABASE_URL names, and prints it, once.',
  options: { name: { type: 'string' } },
  accepts: ({ name = '' }) => isName(name),
  act: (databaseUrl, { name }) => createAdminKey(databaseUrl, String(name)),
});
