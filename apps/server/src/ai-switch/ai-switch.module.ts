import { Module } from '@nestjs/common';
import { AiSwitchController } from './ai-switch.controller';

@Module({ controllers: [AiSwitchController] })
export class AiSwitchModule {}
