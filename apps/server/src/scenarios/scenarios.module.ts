import { Module } from '@nestjs/common';
import { ScenarioRunsController } from './scenario-runs.controller';
import { ScenarioSecretsController } from './scenario-secrets.controller';
import { ScenarioTryController } from './scenario-try.controller';
import { ScenariosController } from './scenarios.controller';

/** Scenarios and their runs, for admins. */
@Module({
  controllers: [
    ScenariosController,
    ScenarioSecretsController,
    ScenarioRunsController,
    ScenarioTryController,
  ],
})
export class ScenariosModule {}
