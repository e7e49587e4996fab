import { ApiProperty } from '../http/docs/openapi.decorator';
import { AssigneeAnswer } from '../http/dto/assignee.answer';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

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

export class AssignAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when it was assigned so already' })
  changed: boolean;

  @ApiProperty({ type: AssigneeAnswer, nullable: true, description: 'Null: nobody' })
  assignee: AssigneeAnswer | null;
}

export class AssigneesAnswer {
  @ApiProperty({ type: [AssigneeAnswer], description: 'By name' })
  assignees: AssigneeAnswer[];
}
