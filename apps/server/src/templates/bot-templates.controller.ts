import type { Principal } from '@app/domain/accounts/principal.rules';
import { TemplatesService } from '@app/domain/templates/templates.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { TemplatesOfBotAnswer } from './template.answer';
import { GetTemplatesRequest } from './template.request';

@ApiTags('Messages')
@Controller('api/v1/messages')
export class BotTemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Post('get-templates')
  @Access('template.list_sendable')
  @HttpCode(200)
  @Documented({
    summary: 'The templates of a bot',
    description:
      'What is registered for one channel, each language by itself, with the number of values that send-template takes.',
    answer: TemplatesOfBotAnswer,
    security: 'ApiKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getTemplates(@CurrentPrincipal() by: Principal, @Body() body: GetTemplatesRequest) {
    const { bot_id: botId, channel, status } = body;
    return ok(await this.templates.listOfBot(by, botId, channel, status ?? null));
  }
}
