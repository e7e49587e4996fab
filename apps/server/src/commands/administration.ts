import 'reflect-metadata';
import { publicUrlOf, processVariables } from '@app/config/settings-config';
import { AccountsService } from '@app/domain/accounts/accounts.service';
import { ApiKeysService } from '@app/domain/accounts/keys/api-keys.service';
import { UsersService } from '@app/domain/accounts/people/users.service';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { DomainModule } from '@app/domain/domain.module';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { invitationLinks } from '../public-url';

/**
 * The services of administration over a database that has the schema. Close it in the end.
 * @param publicUrl the address of the service, for links
 */
const openAdministration = (databaseUrl: string, publicUrl = ''): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(
    DomainModule.forAdministration(databaseUrl, invitationLinks(publicUrl)),
    { logger: false, abortOnError: false },
  );

/** Makes a key for administrators in a database that has the schema. */
export async function issueAdminKey(databaseUrl: string, name: string): Promise<{ id: string; key: string }> {
  const domain = await openAdministration(databaseUrl);
  try {
    return await domain
      .get(ApiKeysService)
      .issue(COMMAND_LINE, { name, scopes: ['admin'], botIds: [], assistantIds: [] });
  } finally {
    await domain.close();
  }
}

interface MadeAdmin {
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
