import type { FieldFault } from '@app/contracts/coded.error';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '@app/contracts/template.words';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsOneOf, IsRecord, IsText, MayBeAbsent, MayBeNull } from '../http/dto.decorators';
import { NestedItems, Refine } from '../http/dto.structure';
import {
  BUTTONS_MAX,
  faultsOfExamplesForm,
  faultsOfHeaderForm,
  TemplateButtonRequest,
  TemplateExamplesRequest,
  TemplateHeaderRequest,
} from './template-content.requests';

const formFaults = (dto: ChangeTemplateRequest): FieldFault[] => [
  ...faultsOfHeaderForm(dto.header ?? undefined),
  ...faultsOfExamplesForm(dto.examples),
];

@Refine(formFaults)
export class ChangeTemplateRequest {
  @ApiPropertyOptional({ enum: TEMPLATE_CATEGORIES, example: 'marketing' })
  @MayBeAbsent()
  @IsOneOf(TEMPLATE_CATEGORIES)
  category?: TemplateCategory;

  @ApiPropertyOptional({ type: TemplateHeaderRequest, nullable: true, description: 'null: none any more' })
  @MayBeAbsent()
  @MayBeNull()
  @IsRecord()
  header?: TemplateHeaderRequest | null;

  @ApiPropertyOptional({ maxLength: 1024, example: 'Как вам наш кофе, {{1}}? Напишите нам пару слов.' })
  @MayBeAbsent()
  @IsText()
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
  @IsText()
  footer?: string | null;

  @ApiPropertyOptional({ type: [TemplateButtonRequest], maxItems: BUTTONS_MAX, description: 'All of them' })
  @MayBeAbsent()
  @IsArray({ message: 'must be an array of buttons' })
  @ArrayMaxSize(BUTTONS_MAX, { message: `must have at most ${BUTTONS_MAX} buttons` })
  @NestedItems(TemplateButtonRequest)
  buttons?: TemplateButtonRequest[];

  @ApiPropertyOptional({
    type: TemplateExamplesRequest,
    description: 'All of them: moderation demands one for each variable.',
  })
  @MayBeAbsent()
  @IsRecord()
  examples?: TemplateExamplesRequest;
}
