import type { FieldViolation } from '@app/contracts/coded.errors';
import { CODE_EXPIRATION_MINUTES_MAX, OTP_TYPES, type OtpType } from '@app/contracts/template.words';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import { MayBeAbsent, Refine } from '../http/dto/dto.decorator';
import { BUTTON_TYPES, HEADER_FORMATS } from './template.answer';

/** Most buttons of a template. */
export const BUTTONS_MAX = 10;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Violations in a header's form; the lengths are the domain's. */
export function violationsOfHeaderForm(header: TemplateHeaderRequest | undefined): FieldViolation[] {
  if (header === undefined) return [];
  if (!HEADER_FORMATS.some((format) => format === header.format)) {
    return [{ path: 'header.format', message: `must be one of ${HEADER_FORMATS.join(', ')}` }];
  }
  if (header.format !== 'text' || isText(header.text)) return [];
  return [{ path: 'header.text', message: 'must be a non-empty string when the format is text' }];
}

/** Violations in the samples' form. */
export function violationsOfExamplesForm(examples: TemplateExamplesRequest | undefined): FieldViolation[] {
  const { header, body, media_id: mediaId } = examples ?? {};
  const violations: FieldViolation[] = [];
  if (mediaId !== undefined && !isText(mediaId))
    violations.push({ path: 'examples.media_id', message: 'must be a non-empty string' });
  if (header !== undefined && !isText(header)) {
    violations.push({ path: 'examples.header', message: 'must be a non-empty string' });
  }
  if (body !== undefined && !(Array.isArray(body) && body.every(isText))) {
    violations.push({ path: 'examples.body', message: 'must be an array of non-empty strings' });
  }
  return violations;
}

export const SECURITY_RECOMMENDATION = {
  default: false,
  description:
    'Of an authentication template: WhatsApp ends its text with advice to share the code with nobody',
};
export const CODE_EXPIRATION = {
  type: 'integer',
  minimum: 1,
  maximum: CODE_EXPIRATION_MINUTES_MAX,
  description: 'Of an authentication template: its footer says for how long the code is good',
} as const;

export class TemplateHeaderRequest {
  @ApiProperty({ enum: HEADER_FORMATS, example: 'text' })
  format: (typeof HEADER_FORMATS)[number];

  @ApiPropertyOptional({ description: 'When the format is `text`', maxLength: 60, example: 'Запись' })
  text?: string;
}

export class TemplateExamplesRequest {
  @ApiPropertyOptional({
    description:
      "A sample of the header's variable; of a media header the provider's handle of a sample file, instead of `media_id`",
  })
  header?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'Of a media header on `waba_coexistence`: an upload by upload-media, which Meta gets as the sample at the submission. JPEG or PNG, MP4, or PDF, uploaded within seven days before.',
    example: '01930000-0000-7000-8000-000000000000',
  })
  media_id?: string;

  @ApiPropertyOptional({
    type: [String],
    description: "A sample for each of the body's variables, in their order",
    example: ['Айгуль', '15:30'],
  })
  body?: string[];
}

/** Each type has a separate field. */
function violationsOfButtonForm({
  type,
  text,
  url,
  phone_number: phone,
}: TemplateButtonRequest): FieldViolation[] {
  if (type !== 'otp' && text === undefined) return [{ path: 'text', message: 'must be a non-empty string' }];
  if (type === 'url' && url === undefined) return [{ path: 'url', message: 'is required for the type url' }];
  if (type === 'phone_number' && phone === undefined) {
    return [{ path: 'phone_number', message: 'is required for the type phone_number' }];
  }
  return [];
}

@Refine(violationsOfButtonForm)
export class TemplateButtonRequest {
  @ApiProperty({ enum: BUTTON_TYPES, example: 'quick_reply' })
  @IsIn(BUTTON_TYPES)
  type: (typeof BUTTON_TYPES)[number];

  @ApiPropertyOptional({
    description:
      'The label; of `copy_code` a sample of the code. Only `otp` may be without it: WhatsApp writes its own',
    maxLength: 25,
    example: 'Приду',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  text?: string;

  @ApiPropertyOptional({
    enum: OTP_TYPES,
    default: 'copy_code',
    description:
      'Of `otp`, the button of an authentication template. Others than `copy_code` are made at the provider',
  })
  @MayBeAbsent()
  @IsIn(OTP_TYPES)
  otp_type?: OtpType;

  @ApiPropertyOptional({ description: 'Of `url`; may end with {{1}}', maxLength: 2000 })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  url?: string;

  @ApiPropertyOptional({ description: 'Of `phone_number`', maxLength: 20 })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  phone_number?: string;
}
