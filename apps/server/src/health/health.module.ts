import { HealthService } from '@app/domain/health/health.service';
import { HOLD_REASONS } from '@app/domain/work/sending-hold.service';
import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiTags, ApiProperty } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { HealthMetrics } from './health.metrics';

class LiveAnswer {
  @ApiProperty({ example: 'live' })
  status: string;
}

class ReadyAnswer {
  @ApiProperty({ example: 'ready' })
  status: string;

  @ApiProperty({ enum: ['up'] })
  database: string;

  @ApiProperty({ enum: ['up', 'behind'], description: 'Whether the board feed reads the event log' })
  feed: string;

  @ApiProperty({
    enum: ['on', 'held'],
    description:
      'held: the database was restored or went back, and nothing goes out until npm run db:resume-sending',
  })
  sending: string;

  @ApiProperty({
    enum: HOLD_REASONS,
    nullable: true,
    example: null,
    description: 'Why sending is held; null: it is not',
  })
  sending_reason: string | null;
}

@ApiTags('Health')
@Controller('health')
@Public()
class HealthController {
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
    description:
      '503 while the database is away or cannot be written, as a standby or with a full disk, or while the process is shutting down.',
    answer: ReadyAnswer,
    security: null,
    errors: [],
  })
  async ready() {
    return ok({ status: 'ready', ...(await this.health.requireReady()) });
  }
}

@Module({ controllers: [HealthController], providers: [HealthMetrics] })
export class HealthModule {}
