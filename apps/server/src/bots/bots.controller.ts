import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { BotsService } from '@app/domain/bots/bots.service';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/dto/page.answer';
import { parsePage } from '../http/routes/page.query';
import { textOrNull } from '../http/routes/query-values';
import { BotAnswer, BotListAnswer } from './bot.answer';
import { CHANGE_BOT_EXAMPLES } from './bot-examples';
import { BotQuery, ChangeBotRequest, CreateBotRequest } from './bot.request';

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
