import 'reflect-metadata';
import { ApiKeysService } from '@app/domain/accounts/api-keys.service';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { DomainModule } from '@app/domain/domain.module';
import { NestFactory } from '@nestjs/core';

/** Makes a key for administrators in a database that has the schema. */
export async function issueAdminKey(databaseUrl: string, name: string): Promise<{ id: string; key: string }> {
  const domain = await NestFactory.createApplicationContext(DomainModule.forAdministration(databaseUrl), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await domain
      .get(ApiKeysService)
      .issue(COMMAND_LINE, { name, scopes: ['admin'], botIds: [], assistantIds: [] });
  } finally {
    await domain.close();
  }
}
