import type { FieldViolation } from '@app/contracts/coded.errors';
import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS, PHONE_REQUEST_LENGTH_MAX } from '@app/contracts/message.words';
import type { SendTemplateRequest } from '@app/domain/messages/sending/template-sending.service';
import type { AskedRecipient } from '@app/domain/messages/sending/template-recipients.service';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  schemaOf,
  EXAMPLE_THREAD_ID,
} from '../http/docs/openapi.decorator';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsName, IsOneOrMany, IsTexts, MayBeAbsent } from '../http/dto/dto.decorator';
import { RecipientRequest } from './recipient.request';
import { toButtons, toHeader } from '@app/domain/messages/sending/template-extras.rules';

const RECIPIENTS_MAX = 1_000;
/** Of one sending. */
const BATCHES_MAX = 1_000;
/** Meta's limit for a text (Meta: Messages API). Gupshup's is the same. */
const TEXT_LENGTH_MAX = 4_096;
export const PHONE_REQUEST_TEXT = 'Please share your phone number with us.';
const DEFAULT_LANGUAGE = 'ru';
const NAME_LENGTH_MAX = 512;
export const PAGE = 50;
const PAGE_MAX = 200;
const FOUND_OUTCOMES = ['sent', 'failed'] as const;

@ApiExtraModels(RecipientRequest)
export class SendTemplateBody {
  @ApiProperty({ format: 'uuid', example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({ enum: CHANNELS })
  @IsIn(CHANNELS)
  channel: (typeof CHANNELS)[number];

  @ApiProperty({
    oneOf: [
      schemaOf(RecipientRequest),
      {
        type: 'array',
        items: schemaOf(RecipientRequest),
        minItems: 1,
        maxItems: RECIPIENTS_MAX,
      },
    ],
    description: 'One recipient, or an array of them for bulk sending.',
  })
  @IsOneOrMany(RECIPIENTS_MAX, 'recipient')
  @ValidateNested()
  @Type(() => RecipientRequest)
  to: RecipientRequest | RecipientRequest[];

  @ApiProperty({ example: 'order_ready', description: 'Identifier of an approved template.' })
  @IsName(NAME_LENGTH_MAX)
  template_id: string;

  @ApiPropertyOptional({ default: DEFAULT_LANGUAGE, example: 'ru' })
  @MayBeAbsent()
  @IsName(NAME_LENGTH_MAX)
  template_language?: string;

  @ApiPropertyOptional({
    default: false,
    description:
      'Of a list: do not send to a recipient equal to an earlier one, whichever address names its dialog; it is answered with `error: "DUPLICATE"`.',
  })
  @MayBeAbsent()
  @IsBoolean()
  skip_duplicates?: boolean;

  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    maxItems: BATCHES_MAX,
    description:
      'Of a list that is one part of a longer one: the batches of the parts before, empty for the first. A recipient whose dialog has a message of this list or of those already, whatever its values and whichever address names the dialog, is not sent to; it is answered with `error: "DUPLICATE"`. A message that failed counts as none.',
  })
  @MayBeAbsent()
  @IsTexts(BATCHES_MAX)
  earlier_batch_ids?: string[];
}

export class SendTextBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: TEXT_LENGTH_MAX,
    example: 'Your parcel is at the desk.',
    description:
      'Required without `media_id`. With it, the caption: up to 1,024 characters, none of audio and stickers',
  })
  @MayBeAbsent()
  @IsName(TEXT_LENGTH_MAX)
  text?: string;

  @ApiPropertyOptional({
    example: demoId('media', 1),
    description: 'A file that upload-media kept, or of a message that the caller sees',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  media_id?: string;
}

export class RequestPhoneBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: PHONE_REQUEST_LENGTH_MAX,
    default: PHONE_REQUEST_TEXT,
    description: "Above the messenger's button, in the customer's language",
  })
  @MayBeAbsent()
  @IsName(PHONE_REQUEST_LENGTH_MAX)
  text?: string;
}

export class GetMessageBody {
  @ApiProperty({ description: 'Our identifier of the message.', example: demoId('message', 2) })
  @IsString()
  @IsNotEmpty()
  id: string;
}

export class SettleMessageBody {
  @ApiProperty({ description: 'Our identifier of the message.', example: demoId('message', 2) })
  @IsString()
  @IsNotEmpty()
  id: string;

  @ApiProperty({ enum: FOUND_OUTCOMES, description: 'What a person found: it went out, or it did not.' })
  @IsIn(FOUND_OUTCOMES)
  outcome: (typeof FOUND_OUTCOMES)[number];
}

export class GetBatchBody {
  @ApiProperty({ description: 'The `batch_id` of a list that was sent.', example: demoId('batch', 1) })
  @IsString()
  @IsNotEmpty()
  batch_id: string;
}

export class GetBatchesBody {
  @ApiPropertyOptional({ format: 'uuid', description: 'Lists of this bot.' })
  @MayBeAbsent()
  @IsUUID('loose')
  bot_id?: string;

  @ApiPropertyOptional({ type: 'integer', default: PAGE, minimum: 1, maximum: PAGE_MAX })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before; absent for the first page.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  cursor?: string;
}

/**
 * @throws nothing: errors were refused before
 */
export function toSendTemplate(body: SendTemplateBody): SendTemplateRequest {
  return {
    botId: body.bot_id,
    channel: body.channel,
    templateId: body.template_id,
    language: body.template_language ?? DEFAULT_LANGUAGE,
    to: Array.isArray(body.to) ? body.to.map(toRecipient) : toRecipient(body.to),
    skipDuplicates: body.skip_duplicates ?? false,
    earlierBatchIds: body.earlier_batch_ids ?? null,
  };
}

const toRecipient = ({
  phone,
  thread_id: threadId,
  params,
  named_params: named,
  header,
  buttons,
}: RecipientRequest): AskedRecipient => ({
  ...(phone !== undefined && { phone }),
  ...(threadId !== undefined && { threadId }),
  params: params ?? [],
  ...(named && Object.keys(named).length > 0 && { namedParams: named }),
  ...(header && { header: toHeader(header) }),
  ...(buttons && buttons.length > 0 && { buttons: toButtons(buttons) }),
});

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Violations of an Idempotency-Key. */
export function idempotencyKeyViolations(key: string | undefined): FieldViolation[] {
  if (key === undefined || VISIBLE_ASCII.test(key)) return [];
  return [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }];
}
