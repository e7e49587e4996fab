import type { FieldViolation } from '@app/contracts/coded.errors';
import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import {
  PARAMETER_FORMATS,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type ParameterFormat,
  type TemplateCategory,
  type TemplateStatus,
} from '@app/contracts/template.words';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { IsName, MayBeAbsent, Refine } from '../http/dto/dto.decorator';
import { PageQuery } from '../http/routes/page.query';
import {
  BUTTONS_MAX,
  CODE_EXPIRATION,
  SECURITY_RECOMMENDATION,
  violationsOfExamplesForm,
  violationsOfHeaderForm,
  TemplateButtonRequest,
  TemplateExamplesRequest,
  TemplateHeaderRequest,
} from './template-content.request';

export class TemplateQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the templates of this bot' })
  bot_id?: string;

  @ApiPropertyOptional({ enum: CHANNELS })
  channel?: string;

  @ApiPropertyOptional({ enum: TEMPLATE_STATUSES })
  status?: string;
}

/** One channel of a bot. */
export class BotChannelRequest {
  @ApiProperty({ example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({ enum: CHANNELS, example: 'waba_coexistence' })
  @IsIn(CHANNELS)
  channel: Channel;
}

export class GetTemplatesRequest extends BotChannelRequest {
  @ApiPropertyOptional({ enum: TEMPLATE_STATUSES, example: 'approved' })
  @MayBeAbsent()
  @IsIn(TEMPLATE_STATUSES)
  status?: TemplateStatus;
}

const formViolations = (dto: CreateTemplateRequest): FieldViolation[] => [
  ...violationsOfHeaderForm(dto.header),
  ...violationsOfExamplesForm(dto.examples),
];

@Refine(formViolations)
export class CreateTemplateRequest {
  @ApiProperty({ example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({ enum: CHANNELS, example: 'waba_coexistence' })
  @IsIn(CHANNELS)
  channel: Channel;

  @ApiPropertyOptional({
    description: 'By which send-template names it, the same for all its languages; absent: the name.',
    example: 'reminder',
  })
  @MayBeAbsent()
  @IsName(512)
  template_id?: string;

  @ApiProperty({ description: 'By which the provider knows it: `^[a-z0-9_]+$`', example: 'visit_reminder_2' })
  @IsString()
  @IsNotEmpty()
  name: string;

  @ApiPropertyOptional({ default: 'ru', description: 'A code such as `ru` or `en_US`', example: 'ru' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  language?: string;

  @ApiProperty({ enum: TEMPLATE_CATEGORIES, example: 'utility' })
  @IsIn(TEMPLATE_CATEGORIES)
  category: TemplateCategory;

  @ApiPropertyOptional({
    enum: PARAMETER_FORMATS,
    default: 'positional',
    description: 'Variables are `{{1}}`, `{{2}}`, … or `{{first_name}}`',
    example: 'positional',
  })
  @MayBeAbsent()
  @IsIn(PARAMETER_FORMATS)
  parameter_format?: ParameterFormat;

  @ApiPropertyOptional({ type: TemplateHeaderRequest })
  @MayBeAbsent()
  @IsObject()
  header?: TemplateHeaderRequest;

  @ApiPropertyOptional({
    maxLength: 1024,
    example: 'Здравствуйте, {{1}}! Ждём вас в {{2}}.',
    description:
      'Required, but for authentication templates: WhatsApp writes their text and footer, and they have one button of the type `otp` and nothing else',
  })
  @ValidateIf(
    ({ body, category }: CreateTemplateRequest) => body !== undefined || category !== 'authentication',
  )
  @IsString()
  @IsNotEmpty()
  body?: string;

  @ApiPropertyOptional({ maxLength: 60, example: 'Чтобы отписаться, напишите СТОП' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  footer?: string;

  @ApiPropertyOptional({ type: [TemplateButtonRequest], maxItems: BUTTONS_MAX, default: [] })
  @MayBeAbsent()
  @IsArray({ message: 'must be an array of buttons' })
  @ArrayMaxSize(BUTTONS_MAX, { message: `must have at most ${BUTTONS_MAX} buttons` })
  @ValidateNested({ each: true })
  @Type(() => TemplateButtonRequest)
  buttons?: TemplateButtonRequest[];

  @ApiPropertyOptional(SECURITY_RECOMMENDATION)
  @MayBeAbsent()
  @IsBoolean()
  add_security_recommendation?: boolean;

  @ApiPropertyOptional(CODE_EXPIRATION)
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(CODE_EXPIRATION.maximum)
  code_expiration_minutes?: number;

  @ApiPropertyOptional({
    type: TemplateExamplesRequest,
    description: 'Moderation demands one for each variable.',
  })
  @MayBeAbsent()
  @IsObject()
  examples?: TemplateExamplesRequest;
}
