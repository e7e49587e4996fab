import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS, MESSAGE_ERROR_CODES, MESSAGE_ROLES, MESSAGE_STATUSES } from '@app/contracts/message.words';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  EXAMPLE_THREAD_ID,
} from '../http/docs/openapi.decorator';
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
const EXAMPLE_PROVIDER_ID = 'wamid.HBgLNzcwMTU1NTEwMDEVAgARGBI2QjE';
/** Why an answer to a call that comes again lacks it. */
const WAS_ERASED = 'where the customer was erased since';
const RESULT_STATUSES = ['sent', 'failed', 'queued', 'unknown'] as const;

export class SentAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    example: EXAMPLE_PROVIDER_ID,
    description: `The provider's identifier; null where it is not known, and ${WAS_ERASED}`,
  })
  message_id: string | null;

  @ApiProperty({ example: demoId('message', 2), description: 'Ours, for get-message' })
  id: string;

  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '+77015551001',
    description: `Null for a customer without a phone, and ${WAS_ERASED}`,
  })
  phone: string | null;

  @ApiProperty({ enum: ['sent'] })
  status: string;
}

export class RecipientResult {
  @ApiProperty({ type: 'integer', example: 0 })
  index: number;

  @ApiProperty({ type: String, nullable: true, example: '+77015551001', description: `Null ${WAS_ERASED}` })
  phone: string | null;

  @ApiProperty({ description: 'True for sent and queued' })
  ok: boolean;

  @ApiProperty({ example: demoId('message', 2) })
  id: string;

  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ enum: RESULT_STATUSES })
  status: string;

  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_PROVIDER_ID })
  message_id: string | null;

  @ApiPropertyOptional({ enum: MESSAGE_ERROR_CODES })
  error?: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: "The provider's own number for it, whenever it was reported; null where there is none",
  })
  provider_code?: number | null;

  @ApiPropertyOptional({
    nullable: true,
    type: 'object',
    additionalProperties: true,
    description:
      "The provider's own answer to this message; null where none came, where it failed after the provider took it, and beyond the first MiB of them",
  })
  provider_response?: unknown;
}

/** A list, without its recipients. */
class BatchCountsAnswer {
  @ApiProperty({ example: demoId('batch', 1) })
  batch_id: string;

  @ApiProperty({ type: 'integer', example: 1 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  sent: number;

  @ApiProperty({ type: 'integer', example: 0 })
  failed: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Still to be sent: ask get-batch later' })
  queued: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Nobody knows whether the provider took them' })
  unknown: number;
}

export class BatchAnswer extends BatchCountsAnswer {
  @ApiProperty({ type: [RecipientResult] })
  results: RecipientResult[];
}

class BatchTemplateAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'order_ready',
    description: 'As send-template takes it; null where it is not registered',
  })
  template_id: string | null;

  @ApiProperty({ example: 'order_ready' })
  name: string;

  @ApiProperty({ example: 'ru' })
  language: string;
}

class ListedBatchAnswer extends BatchCountsAnswer {
  @ApiProperty({ example: demoId('bot', 1) })
  bot_id: string;

  @ApiProperty({ enum: CHANNELS })
  channel: string;

  @ApiProperty({
    type: BatchTemplateAnswer,
    nullable: true,
    description: 'What was sent; null where all of its customers were erased since',
  })
  template: BatchTemplateAnswer | null;

  @ApiProperty({
    type: AssigneeAnswer,
    nullable: true,
    description: 'The person of the account who sent it; null for another system',
  })
  author: AssigneeAnswer | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;
}

export class BatchListAnswer {
  @ApiProperty({ type: [ListedBatchAnswer], description: 'Newest first' })
  batches: ListedBatchAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'For the next page; null on the last one' })
  next_cursor: string | null;
}

@ApiExtraModels(...CONTENT_ANSWERS)
export class MessageAnswer {
  @ApiProperty({ example: demoId('message', 2) })
  id: string;

  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_PROVIDER_ID })
  message_id: string | null;

  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role: string;

  @ApiProperty({ example: 'template' })
  type: string;

  @ApiProperty({
    example: 'Your order is ready.',
    description: 'What is to be read; of a template at most 4,096 characters',
  })
  text: string;

  @ApiProperty({ enum: MESSAGE_STATUSES })
  status: string;

  @ApiProperty({ type: MessageErrorAnswer, nullable: true })
  error: MessageErrorAnswer | null;

  @ApiProperty({ example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_TIME })
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

export class SettledAnswer extends MessageAnswer {
  @ApiProperty({ description: 'False where the message was not unknown: it stands as it was' })
  changed: boolean;
}
