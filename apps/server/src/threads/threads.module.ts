import { Module } from '@nestjs/common';
import { ThreadLinks } from './thread-links';
import { ThreadsController } from './threads.controller';

@Module({ controllers: [ThreadsController], providers: [ThreadLinks] })
export class ThreadsModule {}
