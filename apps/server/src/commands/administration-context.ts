import 'reflect-metadata';
import { DomainModule } from '@app/domain/domain.module';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { invitationLinks } from '../accounts/invitation-pages';

/**
 * The services of administration over a database that has the schema. Close it in the end.
 * @param publicUrl the address of the service, for links
 */
export const openAdministration = (databaseUrl: string, publicUrl = ''): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(
    DomainModule.forAdministration(databaseUrl, invitationLinks(publicUrl)),
    { logger: false, abortOnError: false },
  );
