import { Module } from '@nestjs/common';
import { AssistantToolsController } from './assistant-tools.controller';
import { AssistantTryController } from './assistant-try.controller';
import { AssistantsController } from './assistants.controller';
import { StagesController } from './stages.controller';

@Module({
  controllers: [AssistantsController, AssistantToolsController, AssistantTryController, StagesController],
})
export class AssistantsModule {}
