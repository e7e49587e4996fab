import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthMetrics } from './health.metrics';

@Module({ controllers: [HealthController], providers: [HealthMetrics] })
export class HealthModule {}
