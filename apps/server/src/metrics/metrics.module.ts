import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { Controller, Get, Headers, Header, Global, Module } from '@nestjs/common';
import { Public } from '../http/auth/access.decorator';
import { isSameSecret } from '../http/auth/secret-comparison';
import { ApiExcludeController } from '../http/docs/openapi.decorator';
import { Metrics } from './metrics-registry';
import { ProviderMetrics } from './provider.metrics';

/** The token that a scraper must bring. */
export abstract class MetricsToken {
  abstract readonly value: string;
}

/** Metrics in Prometheus' text form; not an operation of the API. */
@ApiExcludeController()
@Controller('metrics')
@Public()
class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly token: MetricsToken,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async read(@Headers('authorization') authorization = ''): Promise<string> {
    if (!isSameSecret(authorization, `Bearer ${this.token.value}`)) {
      throw new UnauthorizedError('Send the metrics token as Authorization: Bearer <METRICS_TOKEN>.');
    }
    return this.metrics.registry.metrics();
  }
}

@Global()
@Module({ controllers: [MetricsController], providers: [Metrics, ProviderMetrics], exports: [Metrics] })
export class MetricsModule {}
