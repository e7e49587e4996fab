import { WORK_NAMES } from '@app/domain/work/worker';
import { ApiProperty } from '../http/docs/openapi.decorator';

export class WorkQueueAnswer {
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

export class WorkAnswer {
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
