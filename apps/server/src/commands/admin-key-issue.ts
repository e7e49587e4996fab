import { openAdministration } from './administration-context';
import { ApiKeysService } from '@app/domain/accounts/keys/api-keys.service';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';

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
