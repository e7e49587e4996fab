import { Module } from '@nestjs/common';
import { ScenarioRunsController } from './scenario-runs.controller';
import { ScenariosController } from './scenarios.controller';

/** Scenarios and their runs, for admins. */
@Module({ controllers: [ScenariosController, ScenarioRunsController] })
export class ScenariosModule {}
