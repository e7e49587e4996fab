import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { StagesService, type Stage } from '@app/domain/assistants/stages.service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiParam,
  ApiTags,
  EXAMPLE_STATUS_ID,
  EXAMPLE_ASSISTANT_ID,
} from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { FUNNEL_CURSOR, pageBy } from '../http/routes/opaque-cursor';
import { parsePageBy, textOrNull } from '../http/routes/page.query';
import { StageListAnswer, StageSettingsAnswer } from './stage.answer';
import {
  ArchiveStageQuery,
  ChangeStageRequest,
  CreateStageRequest,
  NO_STAGE,
  StageQuery,
} from './stage.request';

/** Bodies that work in the demo as they are. */
const CREATE_STAGE_EXAMPLES = {
  'behind the last one': {
    value: {
      assistant_id: EXAMPLE_ASSISTANT_ID,
      name: 'Комплектация',
      kind: 'awaiting_payment',
      description: 'Клиент выбрал машину и ждёт, пока её соберут.',
    },
  },
  'at a position, handing its leads to an operator': {
    value: {
      assistant_id: EXAMPLE_ASSISTANT_ID,
      name: 'Жалоба',
      kind: 'active',
      order: 4,
      description: 'Клиент недоволен.',
      ai_transition_locked: true,
      on_enter: 'operator',
    },
  },
};

const CHANGE_STAGE_EXAMPLES = {
  'another description': { value: { description: 'Клиент рассказал, что ему нужно и к какому сроку.' } },
  'without a rule': { value: { on_enter: null } },
};

const ID = { name: 'id', example: EXAMPLE_STATUS_ID };
/** The stage of the demo in which no lead stands. */
const ID_TO_ARCHIVE = { name: 'id', example: demoId('status', 22) };

const cursorOf = ({ assistant_id: assistantId, order, id }: Stage): string =>
  FUNNEL_CURSOR.encode({ assistantId, order, id });

@ApiTags('Admin: stages')
@Controller('api/v1/admin/statuses')
export class StagesController {
  constructor(private readonly stages: StagesService) {}

  @Get()
  @Access('status.list')
  @Documented({
    summary: 'List stages',
    description: 'Funnel by funnel, in the order of their agents’ making, each in its own order.',
    answer: StageListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listStatuses(@CurrentPrincipal() by: Principal, @Query() query: StageQuery) {
    const { limit, after } = parsePageBy(FUNNEL_CURSOR, query);
    const assistantId = textOrNull('assistant_id', query.assistant_id);
    const rows = await this.stages.list(by, assistantId, after, limit + 1);
    const { page, next_cursor } = pageBy(cursorOf, rows, limit);
    return ok({ statuses: page, next_cursor });
  }

  @Post()
  @Access('status.create')
  @ApiBody({ type: CreateStageRequest, examples: CREATE_STAGE_EXAMPLES })
  @Documented({
    summary: 'Make a stage',
    description:
      'A column more in the funnel of an agent, which has at most 100. Open boards of the agent open themselves anew.',
    answer: StageSettingsAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'LIMIT_REACHED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async createStatus(@CurrentPrincipal() by: Principal, @Body() body: CreateStageRequest) {
    const { assistant_id: assistantId, ...given } = body;
    return ok(await this.stages.create(by, assistantId, given));
  }

  @Get(':id')
  @Access('status.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One stage',
    description: 'Whose funnel it is in, and all its settings.',
    answer: StageSettingsAnswer,
    security: 'AdminKey',
    errors: ['STATUS_NOT_FOUND'],
  })
  async getStatus(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.stages.get(by, id));
  }

  @Patch(':id')
  @Access('status.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeStageRequest, examples: CHANGE_STAGE_EXAMPLES })
  @Documented({
    summary: 'Change a stage',
    description:
      'What is absent stays. Open boards of the agent open themselves anew. `ai_enabled: false` silences the agent at once, in the middle of a reply too; a rule counts for leads that enter from then on.',
    answer: StageSettingsAnswer,
    security: 'AdminKey',
    errors: ['STATUS_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changeStatus(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeStageRequest,
  ) {
    return ok(await this.stages.change(by, id, { ...body }));
  }

  @Delete(':id')
  @Access('status.archive')
  @ApiParam(ID_TO_ARCHIVE)
  @Documented({
    summary: 'Archive a stage',
    description:
      'Nothing can enter it any more, and it is in no list and on no board; histories keep its name. Its leads move, by `SYSTEM`, and start no scenarios; the rule of the stage that they enter counts. Its scenarios are archived with it, and their runs end. The answer is the stage as it was, and comes when no lead stands there; that takes some seconds for 100,000. Archived already: 404.',
    answer: StageSettingsAnswer,
    security: 'AdminKey',
    errors: ['STATUS_NOT_FOUND', 'STATUS_IN_USE', 'VALIDATION_ERROR'],
  })
  async archiveStatus(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Query() query: ArchiveStageQuery,
  ) {
    const moveTo = textOrNull('move_to', query.move_to);
    return ok(await this.stages.archive(by, id, moveTo === NO_STAGE ? null : (moveTo ?? undefined)));
  }
}
