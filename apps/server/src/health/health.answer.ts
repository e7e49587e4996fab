import { ApiProperty } from '../http/docs/openapi.decorator';

export class LiveAnswer {
  @ApiProperty({ example: 'live' })
  status: string;
}

export class ReadyAnswer {
  @ApiProperty({ example: 'ready' })
  status: string;

  @ApiProperty({ enum: ['up'] })
  database: string;

  @ApiProperty({ enum: ['up', 'behind'], description: 'Whether the board feed reads the event log' })
  feed: string;

  @ApiProperty({
    enum: ['on', 'held'],
    description: 'held: the database was restored, and nothing goes out until npm run db:resume-sending',
  })
  sending: string;
}
