import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ApiKeysService } from '@app/domain/accounts/api-keys.service';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { DomainModule } from '@app/domain/domain.module';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { NestFactory } from '@nestjs/core';
import { runCommand } from './command.process';

/** `npm run admin:create-key -- --name "First admin"`: prints a new admin key, this once. On an empty database it makes the schema first. */
void runCommand(async (databaseUrl) => {
  await bringSchemaUpToDate(databaseUrl);
  const { values } = parseArgs({ options: { name: { type: 'string', default: 'Admin' } } });
  const rateLimits = { leads: 1, general: 1 };
  const domain = await NestFactory.createApplicationContext(
    DomainModule.forDatabase({ databaseUrl, rateLimits }),
    {
      logger: false,
      abortOnError: false,
    },
  );
  try {
    const issued = await domain
      .get(ApiKeysService)
      .issue(COMMAND_LINE, { name: values.name, scopes: ['admin'], botIds: [], assistantIds: [] });
    console.log(issued.key);
  } finally {
    await domain.close();
  }
});
