import { ApiProperty } from '../http/openapi.decorators';

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
}
