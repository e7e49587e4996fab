import type { FieldViolation } from '@app/contracts/coded.errors';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '@app/contracts/template.words';
import { ApiPropertyOptional } from '../http/docs/openapi.decorator';
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
import { MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { Refine } from '../http/docs/dto-schema-check';
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
