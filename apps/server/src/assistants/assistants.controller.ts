import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { ReplyTrials } from '@app/domain/agent/reply-trials.service';
import { AssistantsService } from '@app/domain/assistants/assistants.service';
import { Body, Controller, Get, Param, Patch, Post, Query, HttpCode } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { parsePage, textOrNull } from '../http/routes/page.query';
import { TriedReplyAnswer, AssistantAnswer, AssistantListAnswer } from './assistant.answer';
import {
  roleOf,
  TryAssistantRequest,
  AssistantQuery,
  ChangeAssistantRequest,
  CreateAssistantRequest,
} from './assistant.request';

/** Bodies that work in the demo as they are. */
const CREATE_ASSISTANT_EXAMPLES = {
  'with instructions': {
    value: {
      account_id: demoId('account', 1),
      name: 'Night agent',
      instructions: 'You answer for Harbour Coffee at night. Be brief, and promise no prices.',
      barred_kinds: ['success'],
      handover_text: 'A colleague will write to you in the morning.',
    },
  },
};

const TRY_ASSISTANT_EXAMPLES = {
  'a first question': {
    value: { messages: [{ role: 'USER', text: 'Здравствуйте! Сколько стоит кофемашина?' }] },
  },
  'a dialog': {
    value: {
      messages: [
        { role: 'USER', text: 'Здравствуйте!' },
        { role: 'AI', text: 'Здравствуйте! Чем помочь?' },
        { role: 'USER', text: 'Доставка есть?' },
      ],
    },
  },
};

const CHANGE_ASSISTANT_EXAMPLES = {
  'shorter replies': { value: { reply_characters_max: 1_500 } },
  'the quiet time of the service': { value: { reply_delay_ms: null } },
};

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

@ApiTags('Admin: agents')
@Controller('api/v1/admin/assistants')
export class AssistantTryController {
  constructor(private readonly trials: ReplyTrials) {}

  @Post(':id/try')
  @Access('assistant.try')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('assistant', 1) })
  @ApiBody({ type: TryAssistantRequest, examples: TRY_ASSISTANT_EXAMPLES })
  @Documented({
    summary: 'Try an agent out',
    description:
      'What it would answer in this dialog, of a lead without a stage. The model is asked with the instructions, limits and tools as they are now. Nothing is written and nothing is sent: the tools that it calls are shown and not executed. It takes as long as the model, up to a minute.',
    answer: TriedReplyAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'MODEL_ERROR'],
  })
  async tryAssistant(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() { messages }: TryAssistantRequest,
  ) {
    const said = messages.map(({ role, text }) => ({ role: roleOf(role), text }));
    return ok(await this.trials.play(by, id, said));
  }
}
