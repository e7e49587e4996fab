import type { Principal } from '@app/domain/accounts/principal.rules';
import { FiguresService } from '@app/domain/figures/figures.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiTags } from '../http/docs/openapi.decorator';
import { FunnelFiguresAnswer } from './figure.answer';
import { GetFunnelFiguresRequest } from './figure.request';

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
