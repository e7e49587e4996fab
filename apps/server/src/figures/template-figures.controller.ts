import type { Principal } from '@app/domain/accounts/principal.rules';
import { FiguresService } from '@app/domain/figures/figures.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiTags } from '../http/docs/openapi.decorator';
import { TemplateFiguresOfBotAnswer } from './figure.answer';
import { GetTemplateFiguresRequest } from './figure.request';

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
