import { MESSAGE_ROLES } from '@app/contracts/message.words';
import { MessageLinesAnswer } from './message-lines.answer';
import { ApiProperty, ApiPropertyOptional } from '../docs/openapi.decorator';

/** The message of a dialog to which another one replies. */
export class QuotedAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role: string;

  @ApiProperty({
    example: 'Is it ready?',
    description: 'Its first 200 characters; of a message without words what it is',
  })
  text: string;

  @ApiPropertyOptional({
    type: MessageLinesAnswer,
    description: 'Only of a message without words: what it is, by language; `text` is the English line',
  })
  lines?: MessageLinesAnswer;
}
