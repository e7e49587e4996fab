import { EXAMPLE_ERASED_THREAD_ID } from '../http/docs/example-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';

export class ErasedThreadAnswer {
  @ApiProperty({ example: EXAMPLE_ERASED_THREAD_ID })
  thread_id: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
    description: 'When it was erased first',
  })
  erased_at: string;
}
