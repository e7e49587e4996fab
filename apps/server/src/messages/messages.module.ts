import { Module } from '@nestjs/common';
import { DialogWorkController } from './dialog-work.controller';
import { MessagesController } from './messages.controller';

@Module({ controllers: [MessagesController, DialogWorkController] })
export class MessagesModule {}
