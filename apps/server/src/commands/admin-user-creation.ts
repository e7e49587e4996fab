import { publicUrlOf, processVariables } from '@app/config/settings-config';
import { AccountsService } from '@app/domain/accounts/accounts.service';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { UsersService } from '@app/domain/accounts/people/users.service';
import { openAdministration } from './administration-context';

export interface MadeAdmin {
  accountId: string;
  isNewAccount: boolean;
  invitation: { url: string; expires_at: string };
}

/** Makes an admin of an account, and the account where none has the name, in a database that has the schema. */
export async function makeAdminUser(
  databaseUrl: string,
  account: string,
  email: string,
  name: string,
): Promise<MadeAdmin> {
  const domain = await openAdministration(databaseUrl, publicUrlOf(processVariables()));
  try {
    const users = domain.get(UsersService);
    await users.requireFree(email);
    const { accountId, isNew } = await domain.get(AccountsService).findOrCreate(COMMAND_LINE, account);
    const settings = { email, name, role: 'admin', assistantIds: null, locale: 'ru' } as const;
    const { invitation } = await users.create(COMMAND_LINE, accountId, settings);
    return { accountId, isNewAccount: isNew, invitation };
  } finally {
    await domain.close();
  }
}
