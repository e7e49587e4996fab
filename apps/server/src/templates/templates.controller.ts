import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import { TEMPLATE_STATUSES } from '@app/contracts/template.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { TemplateModerationService } from '@app/domain/templates/template-moderation.service';
import { TemplatesService } from '@app/domain/templates/templates.service';
import { Body, Controller, HttpCode, Post, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiTags, ApiBody, ApiParam } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { parsePage, textOrNull, wordOrNull } from '../http/routes/page.query';
import { ChangeTemplateRequest, toChange, toDraft } from './template-change.request';
import {
  TemplatesOfBotAnswer,
  GovernedTemplateAnswer,
  TemplateListAnswer,
  SynchronisationAnswer,
} from './template.answer';
import {
  GetTemplatesRequest,
  CreateTemplateRequest,
  TemplateQuery,
  BotChannelRequest,
} from './template.request';

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

/** Bodies that work in the demo as they are. */
const CREATE_TEMPLATE_EXAMPLES = {
  'with two variables and replies': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'visit_reminder_with_replies',
      language: 'ru',
      category: 'utility',
      body: 'Здравствуйте, {{1}}! Ждём вас в {{2}}.',
      footer: 'Чтобы отписаться, напишите СТОП',
      buttons: [
        { type: 'quick_reply', text: 'Приду' },
        { type: 'quick_reply', text: 'Перенести' },
      ],
      examples: { body: ['Айгуль', '15:30'] },
    },
  },
  'with names': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'order_is_ready',
      language: 'en',
      category: 'utility',
      parameter_format: 'named',
      header: { format: 'text', text: 'Order {{number}}' },
      body: 'Hello {{first_name}}, your order is ready at {{place}}.',
      examples: { header: '4711', body: ['Aida', 'the desk'] },
    },
  },
  'of a one-time code': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'sign_in_code',
      language: 'en',
      category: 'authentication',
      add_security_recommendation: true,
      code_expiration_minutes: 10,
      buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }],
    },
  },
};

const CHANGE_TEMPLATE_EXAMPLES = {
  'a variable and a footer more': {
    value: {
      body: 'Как вам наш кофе, {{1}}? Напишите нам пару слов.',
      footer: 'Чтобы отписаться, напишите СТОП',
      examples: { body: ['Айгуль'] },
    },
  },
  'no footer any more': { value: { footer: null } },
};

const ID = { name: 'id', example: demoId('template', 1) };
const DRAFT_ID = { name: 'id', example: demoId('template', 10) };

@ApiTags('Admin: templates')
@Controller('api/v1/admin/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Get()
  @Access('template.list')
  @Documented({
    summary: 'List templates',
    description: 'In the order of their making, each language by itself.',
    answer: TemplateListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listTemplates(@CurrentPrincipal() by: Principal, @Query() query: TemplateQuery) {
    const { limit, after } = parsePage(query);
    const filter = {
      botId: textOrNull('bot_id', query.bot_id),
      channel: wordOrNull('channel', query.channel, CHANNELS),
      status: wordOrNull('status', query.status, TEMPLATE_STATUSES),
    };
    const { page, next_cursor } = pageOf(await this.templates.list(by, filter, after, limit + 1), limit);
    return ok({ templates: page, next_cursor });
  }

  @Post()
  @Access('template.create')
  @ApiBody({ type: CreateTemplateRequest, examples: CREATE_TEMPLATE_EXAMPLES })
  @Documented({
    summary: 'Draft a template',
    description: "Held to WhatsApp's published limits. The provider hears of it when it is submitted.",
    answer: GovernedTemplateAnswer,
    status: 201,
    security: 'AdminKey',
    errors: [
      'BOT_NOT_FOUND',
      'MEDIA_NOT_FOUND',
      'MEDIA_GONE',
      'ALREADY_EXISTS',
      'LIMIT_REACHED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async createTemplate(@CurrentPrincipal() by: Principal, @Body() body: CreateTemplateRequest) {
    return ok(await this.templates.create(by, toDraft(body)));
  }

  @Get(':id')
  @Access('template.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One template',
    description: 'Its content, where it stands in moderation, and why.',
    answer: GovernedTemplateAnswer,
    security: 'AdminKey',
    errors: ['TEMPLATE_NOT_FOUND'],
  })
  async getTemplate(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.templates.get(by, id));
  }

  @Patch(':id')
  @Access('template.update')
  @ApiParam(DRAFT_ID)
  @ApiBody({ type: ChangeTemplateRequest, examples: CHANGE_TEMPLATE_EXAMPLES })
  @Documented({
    summary: 'Change a draft or a rejected template',
    description:
      'Its content, held to the same limits as a draft; what is absent stays. The provider hears of it when it is submitted again. A template in moderation, or one that can be sent, is not changed.',
    answer: GovernedTemplateAnswer,
    security: 'AdminKey',
    errors: [
      'TEMPLATE_NOT_FOUND',
      'MEDIA_NOT_FOUND',
      'MEDIA_GONE',
      'TEMPLATE_CONFLICT',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async changeTemplate(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeTemplateRequest,
  ) {
    return ok(await this.templates.mend(by, id, toChange(body)));
  }

  @Delete(':id')
  @Access('template.delete')
  @ApiParam(DRAFT_ID)
  @Documented({
    summary: 'Remove a draft',
    description: 'Drafts only: what the provider has seen stays, and is removed there.',
    answer: GovernedTemplateAnswer,
    security: 'AdminKey',
    errors: ['TEMPLATE_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async removeTemplate(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.templates.removeDraft(by, id));
  }
}

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
