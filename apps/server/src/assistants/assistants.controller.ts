import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { AssistantsService } from '@app/domain/assistants/assistants.service';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/dto/page.answer';
import { parsePage } from '../http/routes/page.query';
import { textOrNull } from '../http/routes/query-values';
import { AssistantAnswer, AssistantListAnswer } from './assistant.answer';
import { CHANGE_ASSISTANT_EXAMPLES, CREATE_ASSISTANT_EXAMPLES } from './assistant-examples';
import { AssistantQuery, ChangeAssistantRequest, CreateAssistantRequest } from './assistant.request';

const ID = { name: 'id', example: demoId('assistant', 1) };

@ApiTags('Admin: agents')
@Controller('api/v1/admin/assistants')
export class AssistantsController {
  constructor(private readonly assistants: AssistantsService) {}

  @Get()
  @Access('assistant.list')
  @Documented({
    summary: 'List agents',
    description: 'In the order of their making, with all their settings.',
    answer: AssistantListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listAssistants(@CurrentPrincipal() by: Principal, @Query() query: AssistantQuery) {
    const { limit, after } = parsePage(query);
    const accountId = textOrNull('account_id', query.account_id);
    const { page, next_cursor } = pageOf(await this.assistants.list(by, accountId, after, limit + 1), limit);
    return ok({ assistants: page, next_cursor });
  }

  @Post()
  @Access('assistant.create')
  @ApiBody({ type: CreateAssistantRequest, examples: CREATE_ASSISTANT_EXAMPLES })
  @Documented({
    summary: 'Make an agent',
    description: 'It answers in the dialogs of the bots that name it. Its funnel is empty at first.',
    answer: AssistantAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['ACCOUNT_NOT_FOUND', 'LIMIT_REACHED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async createAssistant(@CurrentPrincipal() by: Principal, @Body() body: CreateAssistantRequest) {
    const { account_id: accountId, name, ...settings } = body;
    return ok(await this.assistants.create(by, accountId, name, settings));
  }

  @Get(':id')
  @Access('assistant.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One agent',
    description: 'Whose it is, what it is told, and its limits.',
    answer: AssistantAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND'],
  })
  async getAssistant(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.assistants.get(by, id));
  }

  @Patch(':id')
  @Access('assistant.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeAssistantRequest, examples: CHANGE_ASSISTANT_EXAMPLES })
  @Documented({
    summary: 'Change an agent',
    description: 'What is absent stays. It counts for replies that begin from then on.',
    answer: AssistantAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changeAssistant(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeAssistantRequest,
  ) {
    return ok(await this.assistants.change(by, id, { ...body }));
  }
}
