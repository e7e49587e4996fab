import type { FieldViolation } from '@app/contracts/coded.errors';
import {
  TEMPLATE_CATEGORIES,
  type TemplateCategory,
  type TemplateButton,
  type TemplateHeader,
} from '@app/contracts/template.words';
import type { TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import type { DraftRequest, TemplateChange } from '@app/domain/templates/templates.service';
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
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { MayBeAbsent, MayBeNull, Refine } from '../http/dto/dto.decorator';
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
import type { CreateTemplateRequest } from './template.request';

const formViolations = (dto: ChangeTemplateRequest): FieldViolation[] => [
  ...violationsOfHeaderForm(dto.header ?? undefined),
  ...violationsOfExamplesForm(dto.examples),
];

@Refine(formViolations)
export class ChangeTemplateRequest {
  @ApiPropertyOptional({ enum: TEMPLATE_CATEGORIES, example: 'marketing' })
  @MayBeAbsent()
  @IsIn(TEMPLATE_CATEGORIES)
  category?: TemplateCategory;

  @ApiPropertyOptional({ type: TemplateHeaderRequest, nullable: true, description: 'null: none any more' })
  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  header?: TemplateHeaderRequest | null;

  @ApiPropertyOptional({ maxLength: 1024, example: 'Как вам наш кофе, {{1}}? Напишите нам пару слов.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  body?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 60,
    description: 'null: none any more',
    example: 'Чтобы отписаться, напишите СТОП',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  footer?: string | null;

  @ApiPropertyOptional({ type: [TemplateButtonRequest], maxItems: BUTTONS_MAX, description: 'All of them' })
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

  @ApiPropertyOptional({ ...CODE_EXPIRATION, nullable: true })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(CODE_EXPIRATION.maximum)
  code_expiration_minutes?: number | null;

  @ApiPropertyOptional({
    type: TemplateExamplesRequest,
    description: 'All of them: moderation demands one for each variable.',
  })
  @MayBeAbsent()
  @IsObject()
  examples?: TemplateExamplesRequest;
}

const LANGUAGE_DEFAULT = 'ru';

/** A draft in the domain's form. Absent fields get defaults, and superfluous ones are left out. */
export function toDraft(body: CreateTemplateRequest): DraftRequest {
  return {
    botId: body.bot_id,
    channel: body.channel,
    templateId: body.template_id,
    name: body.name,
    language: body.language ?? LANGUAGE_DEFAULT,
    category: body.category,
    parameterFormat: body.parameter_format ?? 'positional',
    header: body.header ? toHeader(body.header) : null,
    body: body.body ?? '',
    footer: body.footer ?? null,
    addSecurityRecommendation: body.add_security_recommendation ?? false,
    codeExpirationMinutes: body.code_expiration_minutes ?? null,
    buttons: (body.buttons ?? []).map(toButton),
    examples: toExamples(body.examples ?? {}),
  };
}

/** A change in the domain's form. Absent fields stay absent. */
export function toChange(request: ChangeTemplateRequest): TemplateChange {
  const { category, header, body, footer, buttons, examples } = request;
  const { add_security_recommendation: advice, code_expiration_minutes: minutes } = request;
  return {
    ...(advice !== undefined && { addSecurityRecommendation: advice }),
    ...(minutes !== undefined && { codeExpirationMinutes: minutes }),
    ...(category !== undefined && { category }),
    ...(header !== undefined && { header: header && toHeader(header) }),
    ...(body !== undefined && { body }),
    ...(footer !== undefined && { footer }),
    ...(buttons !== undefined && { buttons: buttons.map(toButton) }),
    ...(examples !== undefined && { examples: toExamples(examples) }),
  };
}

function toExamples(examples: TemplateExamplesRequest): TemplateDefinition['examples'] {
  const { header, media_id, body = [] } = examples;
  return { ...(header !== undefined && { header }), ...(media_id !== undefined && { media_id }), body };
}

function toHeader({ format, text = '' }: TemplateHeaderRequest): TemplateHeader {
  return format === 'text' ? { format, text } : { format };
}

function toButton(button: TemplateButtonRequest): TemplateButton {
  const { type, text = '', url = '', phone_number = '' } = button;
  if (type === 'otp') return { type, text, otp_type: button.otp_type ?? 'copy_code' };
  if (type === 'url') return { type, text, url };
  if (type === 'phone_number') return { type, text, phone_number };
  return { type, text };
}
