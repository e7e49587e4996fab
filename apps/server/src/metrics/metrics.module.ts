import { Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller';
import { Metrics } from './metrics-registry';
import { ProviderMetrics } from './provider.metrics';

@Global()
@Module({ controllers: [MetricsController], providers: [Metrics, ProviderMetrics], exports: [Metrics] })
export class MetricsModule {}
