import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { TemplateModerationService } from '@app/domain/templates/template-moderation.service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { GovernedTemplateAnswer, SynchronisationAnswer } from './template.answer';
import { BotChannelRequest } from './template.request';

@ApiTags('Admin: templates')
@Controller('api/v1/admin/templates')
export class TemplateModerationController {
  constructor(private readonly moderation: TemplateModerationService) {}

  @Post(':id/submit')
  @Access('template.submit')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('template', 1) })
  @ApiBody({ schema: { type: 'object' }, examples: { 'nothing more to say': { value: {} } } })
  @Documented({
    summary: 'Submit a template for moderation',
    description:
      'A draft or a rejected one; any other is answered as it is. Refused by the provider, it is what it was, with the reason. If the answer was lost, it stays pending until it is synchronised.',
    answer: GovernedTemplateAnswer,
    security: 'AdminKey',
    errors: [
      'TEMPLATE_NOT_FOUND',
      'MEDIA_NOT_FOUND',
      'MEDIA_GONE',
      'VALIDATION_ERROR',
      'PROVIDER_ERROR',
      'BILLING_ERROR',
    ],
  })
  async submitTemplate(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.moderation.submit(by, id));
  }

  @Post('synchronize')
  @Access('template.synchronize')
  @HttpCode(200)
  @Documented({
    summary: 'Make the registry what the provider has',
    description:
      'Of one channel of a bot: what is new at the provider is added under its name, what changed is changed, what is gone is disabled. Drafts stay. Where a part of the list cannot be read, nothing is disabled.',
    answer: SynchronisationAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR', 'PROVIDER_ERROR', 'BILLING_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async synchronizeTemplates(@CurrentPrincipal() by: Principal, @Body() body: BotChannelRequest) {
    return ok(await this.moderation.synchronise(by, body.bot_id, body.channel));
  }
}
