import { ApiProperty } from '../http/docs/openapi.decorator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

export class MarkReadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when no more was unread' })
  changed: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Messages of the customer that no person has read or answered',
  })
  unread_count: number;
}
