import { ApiProperty } from '../http/openapi.decorators';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';

export class SetNameAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when the customer had this name already' })
  changed: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'The name as lists and cards show it' })
  customer_name: string | null;
}

export class ClearAttentionAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when nobody was asked for' })
  changed: boolean;
}
