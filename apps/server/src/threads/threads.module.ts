import { Module } from '@nestjs/common';
import { DialogLinks } from './dialog.links';
import { ThreadsController } from './threads.controller';

@Module({ controllers: [ThreadsController], providers: [DialogLinks] })
export class ThreadsModule {}
