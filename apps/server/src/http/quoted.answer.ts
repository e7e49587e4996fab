import { MESSAGE_ROLES } from '@app/contracts/message.words';
import { ApiProperty } from './openapi.decorators';

/** The message of a dialog to which another one replies. */
export class QuotedAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role: string;

  @ApiProperty({ example: 'text' })
  type: string;

  @ApiProperty({ example: 'Is it ready?', description: 'Its first 200 characters' })
  text: string;
}
