import { Module } from '@nestjs/common';
import { AssistantToolsController } from './assistant-tools.controller';
import { AssistantsController } from './assistants.controller';

@Module({ controllers: [AssistantsController, AssistantToolsController] })
export class AssistantsModule {}
