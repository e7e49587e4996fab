import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { BotsService } from '@app/domain/bots/bots.service';
import { NumberTests } from '@app/domain/bots/number-tests.service';
import { Body, Controller, Get, Param, Patch, Post, Query, Delete, Put, HttpCode } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiBody, ApiParam, ApiTags, ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { parsePage, textOrNull, wordOf } from '../http/routes/page.query';
import { BotAnswer, BotListAnswer } from './bot.answer';
import { BotQuery, ChangeBotRequest, CreateBotRequest, ConnectChannelRequest } from './bot.request';

/** A body that works in the demo as it is, for the channel of the path's example. */
const CONNECT_CHANNEL_EXAMPLE = {
  sender: '77015550177',
  credential: 'sk_0123456789abcdef0123456789abcdef',
  settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'HarbourService' },
};

/** Each changes one field: filled in as a whole, the body would also give the bot another agent. */
const CHANGE_BOT_EXAMPLES = {
  'another name': { value: { name: 'Harbour Coffee sales' } },
};

const ID = { name: 'id', example: demoId('bot', 1) };

@ApiTags('Admin: bots')
@Controller('api/v1/admin/bots')
export class BotsController {
  constructor(private readonly bots: BotsService) {}

  @Get()
  @Access('bot.list')
  @Documented({
    summary: 'List bots',
    description: 'In the order of their making, with their numbers; never a credential.',
    answer: BotListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listBots(@CurrentPrincipal() by: Principal, @Query() query: BotQuery) {
    const { limit, after } = parsePage(query);
    const rows = await this.bots.list(by, textOrNull('account_id', query.account_id), after, limit + 1);
    const { page, next_cursor } = pageOf(rows, limit);
    return ok({ bots: page, next_cursor });
  }

  @Post()
  @Access('bot.create')
  @Documented({
    summary: 'Make a bot',
    description: 'It writes once a number is connected to one of its channels.',
    answer: BotAnswer,
    status: 201,
    security: 'AdminKey',
    errors: [
      'ACCOUNT_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'LIMIT_REACHED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async createBot(@CurrentPrincipal() by: Principal, @Body() body: CreateBotRequest) {
    return ok(await this.bots.create(by, body.account_id, body.assistant_id, body.name));
  }

  @Get(':id')
  @Access('bot.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One bot with its numbers',
    description: 'Whose it is, which agent answers, and the number of each channel.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND'],
  })
  async getBot(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.bots.get(by, id));
  }

  @Patch(':id')
  @Access('bot.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeBotRequest, examples: CHANGE_BOT_EXAMPLES })
  @Documented({
    summary: 'Change a bot',
    description: 'Its name, its agent, or both; what is absent stays.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changeBot(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeBotRequest,
  ) {
    return ok(await this.bots.change(by, id, { name: body.name, assistantId: body.assistant_id }));
  }
}

/** A channel that the demo's bot does not use. */
const BOT_ID = { name: 'id', example: demoId('bot', 2) };
const CHANNEL = {
  name: 'channel',
  schema: { type: 'string' as const, enum: [...CHANNELS], example: 'waba' },
};

@ApiTags('Admin: bots')
@Controller('api/v1/admin/bots/:id/channels/:channel')
export class BotChannelsController {
  constructor(private readonly bots: BotsService) {}

  @Put()
  @Access('channel.connect')
  @ApiParam(BOT_ID)
  @ApiParam(CHANNEL)
  @ApiBody({
    type: ConnectChannelRequest,
    examples: { 'waba, by Gupshup': { value: CONNECT_CHANNEL_EXAMPLE } },
  })
  @Documented({
    summary: 'Connect a number to a bot, or change it',
    description:
      'The body has to fit the channel in the path: the example is one for `waba`; for `waba_coexistence` give the phone_number_id as `sender`, the access token as `credential` and `{ "waba_id": … }` as `settings`. The provider is asked whether the number is of whoever has the credential, and of the business account or app: else 422 on `sender`; where it does not answer, 502 and nothing changes. A number that another account has connected is 409 while the credential there still works, and moves when it does not. Enter `webhook_url` of the answer at the provider. The credential and the app secret are kept encrypted and never shown. What had stopped the number is over.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'PROVIDER_ERROR'],
  })
  async connectChannel(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
    @Body() body: ConnectChannelRequest,
  ) {
    const {
      sender,
      credential,
      settings,
      app_secret: appSecret,
      messages_per_second: messagesPerSecond,
    } = body;
    const number = { sender, credential, settings, appSecret, messagesPerSecond };
    return ok(await this.bots.connect(by, id, wordOf('channel', channel, CHANNELS), number));
  }

  @Delete()
  @Access('channel.disconnect')
  @ApiParam(BOT_ID)
  @ApiParam(CHANNEL)
  @Documented({
    summary: 'Disconnect a number from a bot',
    description:
      'Its credential and its app secret are forgotten and nothing is sent by it any more; dialogs, messages and templates stay. Doing it again changes nothing.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async disconnectChannel(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
  ) {
    return ok(await this.bots.disconnect(by, id, wordOf('channel', channel, CHANNELS)));
  }
}

class NumberTestAnswer {
  @ApiProperty({ description: 'Whether the provider accepts the credential and has the number' })
  ok: boolean;

  @ApiProperty({ format: 'date-time' })
  checked_at: string;

  @ApiPropertyOptional({
    description: 'The phone, where the provider names it; Gupshup does not',
    example: '+77270000000',
  })
  number?: string;

  @ApiPropertyOptional({
    description: 'Why it does not work',
    example: 'WhatsApp does not accept the token.',
  })
  problem?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "The provider's own words, where it refused: its JSON, or its text; null where it gave none",
  })
  provider_response?: unknown;
}

@ApiTags('Admin: bots')
@Controller('api/v1/admin/bots/:id/channels/:channel/test')
export class NumberTestsController {
  constructor(private readonly tests: NumberTests) {}

  @Post()
  @HttpCode(200)
  @Access('channel.test')
  @ApiParam({ name: 'id', example: demoId('bot', 1) })
  @ApiParam({
    name: 'channel',
    schema: { type: 'string', enum: [...CHANNELS], example: 'waba_coexistence' },
  })
  @Documented({
    summary: 'Test a number without sending anything',
    description:
      'Asks the provider about the number with the stored credential: the Cloud API for the number, Gupshup for a template of the app. Nothing is sent or changed, here or there.',
    answer: NumberTestAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async testNumber(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
  ) {
    return ok(await this.tests.test(by, id, wordOf('channel', channel, CHANNELS)));
  }
}
