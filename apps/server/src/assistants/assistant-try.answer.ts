import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';

class TriedCallAnswer {
  @ApiProperty({ example: 'move_lead' })
  name: string;

  @ApiProperty({ description: 'As the model gave them', example: { status_id: demoId('status', 2) } })
  arguments: unknown;

  @ApiProperty({
    description: 'What the model got instead of a result',
    example: 'The lead was moved.',
  })
  result: string;
}

export class TriedReplyAnswer {
  @ApiProperty({ description: 'All that the customer would read', example: 'От 250 000 тенге.' })
  reply: string;

  @ApiProperty({
    type: [String],
    description: 'The same, message by message',
    example: ['От 250 000 тенге.'],
  })
  parts: string[];

  @ApiProperty({ type: [TriedCallAnswer], description: 'The tools that the model called, in order' })
  tool_calls: TriedCallAnswer[];
}
