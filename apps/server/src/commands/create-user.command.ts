import { isBlank } from '@app/contracts/values/free-text';
import { isEmail, isPersonName } from '@app/domain/accounts/people/person.rules';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { makeAdminUser } from './administration';
import { runCommand } from './command-process';

/** In the API's form. */
const NAME_LENGTH_MAX = 200;

const isName = (name: unknown): name is string =>
  typeof name === 'string' && !isBlank(name) && name.length <= NAME_LENGTH_MAX;

/**
 * Makes an admin of an account, and the account where none has the name. Prints only the link on standard output.
 * Everything else goes to standard error.
 */
async function createUser(databaseUrl: string, account: string, email: string, name: string): Promise<void> {
  const ran = await bringSchemaUpToDate(databaseUrl);
  if (ran.length > 0)
    console.error(`The database had no schema of this version: made it (${ran.join(', ')}).`);
  const { accountId, isNewAccount, invitation } = await makeAdminUser(databaseUrl, account, email, name);
  console.error(`${isNewAccount ? 'Made the account' : 'In the account'} "${account}" (${accountId}).`);
  console.error(`${name} sets a password by this link, once, until ${invitation.expires_at}:`);
  console.log(invitation.url);
}

/** `npm run admin:create-user -- --account "Harbour Coffee" --email owner@example.com --name "Aigerim"` */
void runCommand({
  usage:
    'Usage: npm run admin:create-user -- --account "Harbour Coffee" --email owner@example.com --name "Aigerim"   (with the -- first)',
  purpose:
    'Makes an admin of an account, and the account where there is none of the name, in the database that DATABASE_URL names. Prints the link by which the admin sets a password.',
  options: { account: { type: 'string' }, email: { type: 'string' }, name: { type: 'string' } },
  accepts: ({ account, email, name }) =>
    isName(account) &&
    typeof name === 'string' &&
    isPersonName(name, NAME_LENGTH_MAX) &&
    typeof email === 'string' &&
    isEmail(email),
  act: (databaseUrl, { account, email, name }) =>
    createUser(databaseUrl, String(account), String(email), String(name)),
});
