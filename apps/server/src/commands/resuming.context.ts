import 'reflect-metadata';
import { HeldWork } from '@app/domain/backup/held-work.service';
import { DomainModule } from '@app/domain/domain.module';
import { NestFactory } from '@nestjs/core';

/** Does something with what is held in a database that has the schema. */
export async function withHeldWork<T>(databaseUrl: string, act: (held: HeldWork) => Promise<T>): Promise<T> {
  const domain = await NestFactory.createApplicationContext(DomainModule.forResuming(databaseUrl), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await act(domain.get(HeldWork));
  } finally {
    await domain.close();
  }
}
