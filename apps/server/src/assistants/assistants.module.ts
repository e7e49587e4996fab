import { Module } from '@nestjs/common';
import { AssistantsController } from './assistants.controller';

@Module({ controllers: [AssistantsController] })
export class AssistantsModule {}
