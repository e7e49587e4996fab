import { MESSAGE_ERROR_CODES } from '@app/contracts/message.words';
import { ApiProperty } from '../docs/openapi.decorator';

/** The answer's part about a message that failed, or whose outcome is unknown. */
export class MessageErrorAnswer {
  @ApiProperty({ enum: MESSAGE_ERROR_CODES })
  code: string;

  @ApiProperty()
  message: string;

  @ApiProperty({ type: 'integer', nullable: true, description: "The provider's own number for it" })
  provider_code: number | null;
}
