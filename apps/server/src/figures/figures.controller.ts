import type { FieldViolation } from '@app/contracts/coded.errors';
import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { FIGURE_DAYS_MAX, FiguresService } from '@app/domain/figures/figures.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsNotEmpty, IsString, IsUUID } from 'class-validator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { Refine, IsTime, IsTimezone, TIMEZONE_MAX } from '../http/dto/dto.decorator';
import { EXAMPLE_ASSISTANT_ID, ApiProperty, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { FunnelFiguresAnswer, TemplateFiguresOfBotAnswer } from './figure.answer';

const DAY_MS = 86_400_000;

function spanOf({ from, to }: { from: string; to: string }): FieldViolation[] {
  const length = Date.parse(to) - Date.parse(from);
  if (length <= 0) return [{ path: 'to', message: 'must be after from' }];
  if (length <= FIGURE_DAYS_MAX * DAY_MS) return [];
  return [{ path: 'to', message: `must be at most ${FIGURE_DAYS_MAX} days after from` }];
}

@Refine(spanOf)
class GetFunnelFiguresRequest {
  @ApiProperty({ description: 'The agent whose funnel it is.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The beginning of the span.',
    example: '2026-11-01T00:00:00+05:00',
  })
  @IsTime()
  from: string;

  @ApiProperty({
    format: 'date-time',
    description: `The end of the span, which is not part of it: after \`from\`, at most ${FIGURE_DAYS_MAX} days.`,
    example: '2026-12-01T00:00:00+05:00',
  })
  @IsTime()
  to: string;

  @ApiProperty({
    maxLength: TIMEZONE_MAX,
    description: 'Whose days `days` are: a name of the IANA database.',
    example: 'Asia/Almaty',
  })
  @IsTimezone()
  timezone: string;
}

@Refine(spanOf)
class GetTemplateFiguresRequest {
  @ApiProperty({ format: 'uuid', example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The beginning of the span.',
    example: '2026-11-01T00:00:00+05:00',
  })
  @IsTime()
  from: string;

  @ApiProperty({
    format: 'date-time',
    description: `The end of the span, which is not part of it: after \`from\`, at most ${FIGURE_DAYS_MAX} days.`,
    example: '2026-12-01T00:00:00+05:00',
  })
  @IsTime()
  to: string;
}

@ApiTags('Leads')
@Controller('api/v1/leads')
export class FunnelFiguresController {
  constructor(private readonly figures: FiguresService) {}

  @Post('get-funnel-figures')
  @HttpCode(200)
  @Access('lead.get_funnel_figures')
  @Documented({
    summary: 'Figures of a funnel',
    description:
      'What became of leads and how fast customers were answered, in a span and by day. Every figure is exact, from the history of the dialogs up to this call, and stays when a customer’s data is erased.',
    answer: FunnelFiguresAnswer,
    security: 'ApiKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getFunnelFigures(@CurrentPrincipal() by: Principal, @Body() body: GetFunnelFiguresRequest) {
    const { assistant_id: assistantId, timezone } = body;
    const span = { from: new Date(body.from), to: new Date(body.to) };
    return ok(await this.figures.funnel(by, { ...span, assistantId, timezone }));
  }
}

@ApiTags('Messages')
@Controller('api/v1/messages')
export class TemplateFiguresController {
  constructor(private readonly figures: FiguresService) {}

  @Post('get-template-figures')
  @HttpCode(200)
  @Access('template.get_figures')
  @Documented({
    summary: 'Figures of a bot’s templates',
    description:
      'What became of the template messages that were stored in a span, by the states that they have now. Every figure is exact, up to this call.',
    answer: TemplateFiguresOfBotAnswer,
    security: 'ApiKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getTemplateFigures(@CurrentPrincipal() by: Principal, @Body() body: GetTemplateFiguresRequest) {
    const span = { from: new Date(body.from), to: new Date(body.to) };
    return ok(await this.figures.templates(by, { ...span, botId: body.bot_id }));
  }
}
