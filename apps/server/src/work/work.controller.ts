import { reachOf, type Principal } from '@app/domain/accounts/principal.rules';
import { SendingHold } from '@app/domain/work/sending-hold.service';
import { WorkBacklogs } from '@app/domain/work/work-counts';
import { WORK_NAMES } from '@app/domain/work/worker';
import { Controller, Get } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiProperty, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';

class WorkQueueAnswer {
  @ApiProperty({ enum: WORK_NAMES })
  name: string;

  @ApiProperty({ type: 'integer', example: 0, description: 'Due, and no process works on it' })
  due: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    example: null,
    description: 'For how long the oldest of these has been due; null when nothing is due',
  })
  oldest_due_seconds: number | null;

  @ApiProperty({ type: 'integer', example: 2, description: 'Some process works on it' })
  in_flight: number;

  @ApiProperty({ type: 'integer', example: 0 })
  failed_last_hour: number;
}

class WorkAnswer {
  @ApiProperty({
    type: [WorkQueueAnswer],
    description: 'A kind of which there is too much to be counted in time is left out',
  })
  queues: WorkQueueAnswer[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description:
      'Since when nothing goes out, because the database was restored or went back, until npm run db:resume-sending; null: sending is not held',
  })
  sending_held_since: Date | null;
}

@ApiTags('Admin: work')
@Controller('api/v1/admin/work')
export class WorkController {
  constructor(
    private readonly backlogs: WorkBacklogs,
    private readonly hold: SendingHold,
  ) {}

  @Get()
  @Access('work.get')
  @Documented({
    summary: 'Tell how much work is due',
    description:
      'On all processes, of all accounts by an admin key, of the own account by a session: replies (`replies`), messages to be sent (`send-queues`), webhooks that came ' +
      '(`inbound-webhooks`; of which account one is shows only when it is read, so by a session only failed ones count), files to be fetched (`media`), audio to be transcribed (`transcripts`), dialogs with runs of scenarios (`scenarios`), leads to be moved from archived stages (`archived-stages`), what searches (`thread-search`) and figures (`figures`) do not have yet, files of leads that are imported (`imports`), endpoints that have events to get (`webhooks-out`), and the deletion of old rows (`retention`), of which nothing ever waits.',
    answer: WorkAnswer,
    security: 'AdminKey',
    errors: [],
  })
  async work(@CurrentPrincipal() by: Principal) {
    const queues = await this.backlogs.of(reachOf(by).accountId);
    return ok({ queues, sending_held_since: this.hold.since });
  }
}
