import { demoId } from '@app/contracts/demo-ids';
import { MESSAGE_ERROR_CODES, MESSAGE_ROLES } from '@app/contracts/message.words';
import { ApiProperty, ApiPropertyOptional } from '../docs/openapi.decorator';

/** A person of the account: to whom a dialog is assigned, or who wrote a message. */
export class AssigneeAnswer {
  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: 'Айгерим' })
  name: string;
}

export const AUTHOR = {
  type: AssigneeAnswer,
  nullable: true,
  description:
    'The person of the account who wrote it; null for anybody else: a customer, the agent, a scenario, another system, the phone’s app',
};

/** The answer's part about a message that failed, or whose outcome is unknown. */
export class MessageErrorAnswer {
  @ApiProperty({ enum: MESSAGE_ERROR_CODES })
  code: string;

  @ApiProperty()
  message: string;

  @ApiProperty({ type: 'integer', nullable: true, description: "The provider's own number for it" })
  provider_code: number | null;
}

/** What a message is in a line of words, by language. */
export class MessageLinesAnswer {
  @ApiProperty({ example: 'Location: Coffee Boom, Abay 10' })
  en: string;

  @ApiProperty({ example: 'Место: Coffee Boom, Abay 10' })
  ru: string;
}

/** How the messenger charges a message. */
export class PricingAnswer {
  @ApiProperty({ type: Boolean, nullable: true, example: true })
  billable: boolean | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'utility',
    description: 'In the messenger’s words: `marketing`, `utility`, `authentication`, `service`, …',
  })
  category: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'regular',
    description: '`regular`, `free_customer_service` or `free_entry_point`',
  })
  type: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'PMP', description: '`PMP`: by the message' })
  model: string | null;
}

export const PRICING = {
  type: PricingAnswer,
  nullable: true,
  description: 'How the messenger charges a message of ours; null: it has not said so',
};

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
