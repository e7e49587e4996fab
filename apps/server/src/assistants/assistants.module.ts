import { Module } from '@nestjs/common';
import { AssistantToolsController } from './assistant-tools.controller';
import { AssistantsController } from './assistants.controller';
import { StagesController } from './stages.controller';

@Module({ controllers: [AssistantsController, AssistantToolsController, StagesController] })
export class AssistantsModule {}
