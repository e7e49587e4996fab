import { Module } from '@nestjs/common';
import { BotsController } from './bots.controller';
import { BotChannelsController } from './bot-channels.controller';
import { NumberTestsController } from './number-tests.controller';

@Module({ controllers: [BotsController, BotChannelsController, NumberTestsController] })
export class BotsModule {}
