import { Module } from '@nestjs/common';
import { ScenarioRunsController } from './scenario-runs.controller';

/** Scenarios and their runs, for admins. */
@Module({ controllers: [ScenarioRunsController] })
export class ScenariosModule {}
