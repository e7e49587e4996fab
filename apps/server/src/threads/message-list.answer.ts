import { MESSAGE_ROLES, MESSAGE_STATUSES } from '@app/contracts/message.words';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { CONTENT, CONTENT_ANSWERS, ReferralAnswer, type ContentAnswer } from '../http/dto/content.answer';
import {
  AssigneeAnswer,
  AUTHOR,
  MessageErrorAnswer,
  PRICING,
  PricingAnswer,
  QuotedAnswer,
} from '../http/dto/message-parts.answer';
import { MediaAnswer } from '../http/dto/media.answer';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

@ApiExtraModels(...CONTENT_ANSWERS)
class DialogMessageAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The provider’s identifier, once it gave one' })
  message_id: string | null;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role: string;

  @ApiProperty({ example: 'text', description: '`text`, `template`, `image`, …' })
  type: string;

  @ApiProperty({ description: 'What is to be read; of a template at most 4,096 characters' })
  text: string;

  @ApiProperty({ enum: MESSAGE_STATUSES })
  status: string;

  @ApiProperty({ type: MessageErrorAnswer, nullable: true })
  error: MessageErrorAnswer | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'A customer’s own time of writing; of ours when the provider took it, null until then',
  })
  sent_at: string | null;

  @ApiProperty(AUTHOR)
  author: AssigneeAnswer | null;

  @ApiProperty({ type: MediaAnswer, nullable: true, description: 'Its file; null where it has none' })
  media: MediaAnswer | null;

  @ApiProperty(CONTENT)
  content: ContentAnswer | null;

  @ApiProperty({
    type: QuotedAnswer,
    nullable: true,
    description: 'The message of the dialog that its writer quotes; null where there is none',
  })
  quoted: QuotedAnswer | null;

  @ApiProperty({
    type: ReferralAnswer,
    nullable: true,
    description: 'The ad or the post by which the customer came; null where it was none',
  })
  referral: ReferralAnswer | null;

  @ApiProperty(PRICING)
  pricing: PricingAnswer | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'When its writer changed it; null: never',
  })
  edited_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'When its writer deleted it: it has neither text nor content any more; null: it is there',
  })
  deleted_at: string | null;
}

export class MessageListAnswer {
  @ApiProperty({ type: [DialogMessageAnswer], description: 'Newest first' })
  messages: DialogMessageAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'For the older messages; null: there are none' })
  next_cursor: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'For the newer messages; null: there are none. Only where `around` or a `previous_cursor` was given',
  })
  previous_cursor?: string | null;
}
