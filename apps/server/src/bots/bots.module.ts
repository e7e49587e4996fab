import { Module } from '@nestjs/common';
import { BotsController } from './bots.controller';
import { BotChannelsController } from './bot-channels.controller';

@Module({ controllers: [BotsController, BotChannelsController] })
export class BotsModule {}
