import { HealthService } from '@app/domain/health/health.service';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/openapi.decorators';
import { Documented } from '../http/documented.decorator';
import { Public } from '../http/access.decorators';
import { ok } from '../http/envelope';
import { LiveAnswer, ReadyAnswer } from './health.answers';

@ApiTags('Health')
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Documented({
    summary: 'Whether the process runs',
    description: 'Needs no key and asks no one else.',
    answer: LiveAnswer,
    security: null,
    errors: [],
  })
  live() {
    return ok({ status: 'live' });
  }

  @Get('ready')
  @Documented({
    summary: 'Whether the process can serve',
    description: '503 while the database is away or the process is shutting down.',
    answer: ReadyAnswer,
    security: null,
    errors: [],
  })
  async ready() {
    return ok({ status: 'ready', ...(await this.health.requireReady()) });
  }
}
