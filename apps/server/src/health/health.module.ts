import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Metrics } from './metrics.registry';

@Global()
@Module({ controllers: [HealthController, MetricsController], providers: [Metrics], exports: [Metrics] })
export class HealthModule {}
