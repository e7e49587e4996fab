import { Module } from '@nestjs/common';
import { BotTemplatesController } from './bot-templates.controller';
import { TemplateModerationController } from './template-moderation.controller';
import { TemplatesController } from './templates.controller';

@Module({ controllers: [BotTemplatesController, TemplatesController, TemplateModerationController] })
export class TemplatesModule {}
