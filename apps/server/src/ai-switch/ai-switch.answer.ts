import { MESSAGE_HANDLERS } from '@app/contracts/lead.words';
import { ApiProperty } from '../http/docs/openapi.decorator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

export class SetAiAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'The state after the request' })
  ai_enabled: boolean;

  @ApiProperty({ enum: MESSAGE_HANDLERS })
  message_handler: string;

  @ApiProperty({ description: 'False when the state was already so' })
  changed: boolean;

  @ApiProperty({ description: 'True when the agent took up a message that waited' })
  answered_pending_message: boolean;
}
