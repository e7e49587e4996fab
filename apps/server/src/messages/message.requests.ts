import type { FieldFault } from '@app/contracts/coded.error';
import { demoId } from '@app/contracts/demo.ids';
import { CHANNELS } from '@app/contracts/message.words';
import { isUuid } from '@app/contracts/uuid.format';
import type { SendTemplateRequest } from '@app/domain/messages/template-sending.service';
import type { TemplateRecipient } from '@app/domain/messages/template.content';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { IsFlag, IsName, IsOneOf, IsText, MayBeAbsent } from '../http/dto.decorators';
import { NestedOneOrItems } from '../http/dto.structure';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';
import { RecipientRequest } from './recipient.requests';
import { toButtons, toHeader } from './template-extras.rules';

const RECIPIENTS_MAX = 1_000;
/** Meta's limit for a text (facts 1.2); Gupshup's is the same. */
const TEXT_LENGTH_MAX = 4_096;
const DEFAULT_LANGUAGE = 'ru';
const NAME_LENGTH_MAX = 512;
const FOUND_OUTCOMES = ['sent', 'failed'] as const;

const IsUuid = () =>
  ValidateBy({
    name: 'isUuid',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isUuid(value),
      defaultMessage: (about) => (about?.value === undefined ? 'is required' : 'must be a UUID'),
    },
  });

const IsRecipients = () =>
  ValidateBy({
    name: 'isRecipients',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value)
          ? value.length >= 1 && value.length <= RECIPIENTS_MAX
          : typeof value === 'object' && value !== null,
      defaultMessage: (about) =>
        about?.value === undefined
          ? 'is required'
          : `must be a recipient object, or an array of 1 to ${RECIPIENTS_MAX} of them`,
    },
  });

@ApiExtraModels(RecipientRequest)
export class SendTemplateBody {
  @ApiProperty({ format: 'uuid', example: demoId('bot', 1) })
  @IsUuid()
  bot_id: string;

  @ApiProperty({ enum: CHANNELS })
  @IsOneOf(CHANNELS)
  channel: (typeof CHANNELS)[number];

  @ApiProperty({
    oneOf: [
      { $ref: getSchemaPath(RecipientRequest) },
      {
        type: 'array',
        items: { $ref: getSchemaPath(RecipientRequest) },
        minItems: 1,
        maxItems: RECIPIENTS_MAX,
      },
    ],
    description: 'One recipient, or an array of them for bulk sending.',
  })
  @IsRecipients()
  @NestedOneOrItems(RecipientRequest)
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
      'Of a list: do not send to a recipient equal to an earlier one; it is answered with `error: "DUPLICATE"`.',
  })
  @MayBeAbsent()
  @IsFlag()
  skip_duplicates?: boolean;
}

export class SendTextBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsText()
  thread_id: string;

  @ApiProperty({ minLength: 1, maxLength: TEXT_LENGTH_MAX, example: 'Your parcel is at the desk.' })
  @IsName(TEXT_LENGTH_MAX)
  text: string;
}

export class GetMessageBody {
  @ApiProperty({ description: 'Our identifier of the message.', example: demoId('message', 2) })
  @IsText()
  id: string;
}

export class SettleMessageBody {
  @ApiProperty({ description: 'Our identifier of the message.', example: demoId('message', 2) })
  @IsText()
  id: string;

  @ApiProperty({ enum: FOUND_OUTCOMES, description: 'What a person found: it went out, or it did not.' })
  @IsOneOf(FOUND_OUTCOMES)
  outcome: (typeof FOUND_OUTCOMES)[number];
}

export class GetBatchBody {
  @ApiProperty({ description: 'The `batch_id` of a list that was sent.', example: demoId('batch', 1) })
  @IsText()
  batch_id: string;
}

/** @throws nothing: what is wrong is refused before. */
export function toSendTemplate(body: SendTemplateBody): SendTemplateRequest {
  return {
    botId: body.bot_id,
    channel: body.channel,
    templateId: body.template_id,
    language: body.template_language ?? DEFAULT_LANGUAGE,
    to: Array.isArray(body.to) ? body.to.map(toRecipient) : toRecipient(body.to),
    skipDuplicates: body.skip_duplicates ?? false,
  };
}

const toRecipient = ({
  phone,
  params,
  named_params: named,
  header,
  buttons,
}: RecipientRequest): TemplateRecipient => ({
  phone,
  params: params ?? [],
  ...(named && Object.keys(named).length > 0 && { namedParams: named }),
  ...(header && { header: toHeader(header) }),
  ...(buttons && buttons.length > 0 && { buttons: toButtons(buttons) }),
});

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** What is wrong with an Idempotency-Key. */
export function idempotencyKeyFaults(key: string | undefined): FieldFault[] {
  if (key === undefined || VISIBLE_ASCII.test(key)) return [];
  return [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }];
}
