import type { FieldFault } from '@app/contracts/coded.error';
import { demoId } from '@app/contracts/demo.ids';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import {
  PARAMETER_FORMATS,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type ParameterFormat,
  type TemplateCategory,
  type TemplateStatus,
} from '@app/contracts/template.words';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsId, IsName, IsOneOf, IsRecord, IsText, MayBeAbsent } from '../http/dto.decorators';
import { NestedItems, Refine } from '../http/dto.structure';
import { PageQuery } from '../http/page.query';
import {
  BUTTONS_MAX,
  faultsOfExamplesForm,
  faultsOfHeaderForm,
  TemplateButtonRequest,
  TemplateExamplesRequest,
  TemplateHeaderRequest,
} from './template-content.requests';

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
  @IsId()
  bot_id: string;

  @ApiProperty({ enum: CHANNELS, example: 'waba_coexistence' })
  @IsOneOf(CHANNELS)
  channel: Channel;
}

export class GetTemplatesRequest extends BotChannelRequest {
  @ApiPropertyOptional({ enum: TEMPLATE_STATUSES, example: 'approved' })
  @MayBeAbsent()
  @IsOneOf(TEMPLATE_STATUSES)
  status?: TemplateStatus;
}

const formFaults = (dto: CreateTemplateRequest): FieldFault[] => [
  ...faultsOfHeaderForm(dto.header),
  ...faultsOfExamplesForm(dto.examples),
];

@Refine(formFaults)
export class CreateTemplateRequest {
  @ApiProperty({ example: demoId('bot', 1) })
  @IsId()
  bot_id: string;

  @ApiProperty({ enum: CHANNELS, example: 'waba_coexistence' })
  @IsOneOf(CHANNELS)
  channel: Channel;

  @ApiPropertyOptional({
    description: 'By which send-template names it, the same for all its languages; absent: the name.',
    example: 'reminder',
  })
  @MayBeAbsent()
  @IsName(512)
  template_id?: string;

  @ApiProperty({ description: 'By which the provider knows it: `^[a-z0-9_]+$`', example: 'visit_reminder_2' })
  @IsText()
  name: string;

  @ApiPropertyOptional({ default: 'ru', description: 'A code such as `ru` or `en_US`', example: 'ru' })
  @MayBeAbsent()
  @IsText()
  language?: string;

  @ApiProperty({ enum: TEMPLATE_CATEGORIES, example: 'utility' })
  @IsOneOf(TEMPLATE_CATEGORIES)
  category: TemplateCategory;

  @ApiPropertyOptional({
    enum: PARAMETER_FORMATS,
    default: 'positional',
    description: 'Variables are `{{1}}`, `{{2}}`, … or `{{first_name}}`',
    example: 'positional',
  })
  @MayBeAbsent()
  @IsOneOf(PARAMETER_FORMATS)
  parameter_format?: ParameterFormat;

  @ApiPropertyOptional({ type: TemplateHeaderRequest })
  @MayBeAbsent()
  @IsRecord()
  header?: TemplateHeaderRequest;

  @ApiProperty({ maxLength: 1024, example: 'Здравствуйте, {{1}}! Ждём вас в {{2}}.' })
  @IsText()
  body: string;

  @ApiPropertyOptional({ maxLength: 60, example: 'Чтобы отписаться, напишите СТОП' })
  @MayBeAbsent()
  @IsText()
  footer?: string;

  @ApiPropertyOptional({ type: [TemplateButtonRequest], maxItems: BUTTONS_MAX, default: [] })
  @MayBeAbsent()
  @IsArray({ message: 'must be an array of buttons' })
  @ArrayMaxSize(BUTTONS_MAX, { message: `must have at most ${BUTTONS_MAX} buttons` })
  @NestedItems(TemplateButtonRequest)
  buttons?: TemplateButtonRequest[];

  @ApiPropertyOptional({
    type: TemplateExamplesRequest,
    description: 'Moderation demands one for each variable.',
  })
  @MayBeAbsent()
  @IsRecord()
  examples?: TemplateExamplesRequest;
}
