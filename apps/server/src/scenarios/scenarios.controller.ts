import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import type { Scenario } from '@app/domain/scenarios/definition/scenario.presenter';
import { ScenariosService } from '@app/domain/scenarios/definition/scenarios.service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { SCENARIO_CURSOR } from '../http/routes/opaque-cursor';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { pageBy } from '../http/dto/page.answer';
import { parsePageBy } from '../http/routes/page.query';
import { textOrNull } from '../http/routes/query-values';
import { NewScenarioAnswer } from './scenario-secret.answer';
import { CancelledRunsAnswer, ScenarioAnswer, ScenarioListAnswer } from './scenario.answer';
import { CHANGE_SCENARIO_EXAMPLES, CREATE_SCENARIO_EXAMPLES } from './scenario-examples';
import { ChangeScenarioRequest, CreateScenarioRequest, ScenarioQuery } from './scenario.request';

const ID = { name: 'id', example: demoId('scenario', 1) };
/** The one of the demo that may go. */
const ID_TO_DELETE = { name: 'id', example: demoId('scenario', 2) };

const cursorOf = ({ assistant_id: assistantId, status_id: statusId, order, id }: Scenario): string =>
  SCENARIO_CURSOR.encode({ assistantId, statusId, order, id });

@ApiTags('Admin: scenarios')
@Controller('api/v1/admin/scenarios')
export class ScenariosController {
  constructor(private readonly scenarios: ScenariosService) {}

  @Get()
  @Access('scenario.list')
  @Documented({
    summary: 'List scenarios',
    description:
      'Agent by agent and stage by stage in the order of their making, those of a stage in their own order. Deleted ones are left out. An agent or a stage that does not exist has none.',
    answer: ScenarioListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listScenarios(@CurrentPrincipal() by: Principal, @Query() query: ScenarioQuery) {
    const { limit, after } = parsePageBy(SCENARIO_CURSOR, query);
    const filter = {
      assistantId: textOrNull('assistant_id', query.assistant_id),
      statusId: textOrNull('status_id', query.status_id),
    };
    const rows = await this.scenarios.list(by, filter, after, limit + 1);
    const { page, next_cursor } = pageBy(cursorOf, rows, limit);
    return ok({ scenarios: page, next_cursor });
  }

  @Post()
  @Access('scenario.create')
  @ApiBody({ type: CreateScenarioRequest, examples: CREATE_SCENARIO_EXAMPLES })
  @Documented({
    summary: 'Make a scenario',
    description:
      'Leads that enter the stage from then on start runs of it. A stage has at most 20. Fields that a step’s kind does not know are left out.',
    answer: NewScenarioAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['STATUS_NOT_FOUND', 'CONFIRM_REQUIRED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    meanings: { STATUS_NOT_FOUND: 'There is no such stage.' },
  })
  async createScenario(@CurrentPrincipal() by: Principal, @Body() body: CreateScenarioRequest) {
    const { status_id: statusId, ...given } = body;
    return ok(await this.scenarios.create(by, statusId, given));
  }

  @Get(':id')
  @Access('scenario.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One scenario',
    description: 'Its settings and its present steps. Headers of calls are shown by their names, with null.',
    answer: ScenarioAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND'],
  })
  async getScenario(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.scenarios.get(by, id));
  }

  @Patch(':id')
  @Access('scenario.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeScenarioRequest, examples: CHANGE_SCENARIO_EXAMPLES })
  @Documented({
    summary: 'Change a scenario',
    description:
      'What is absent stays. What is named makes a new revision. Settings count for runs under way too; steps are given as a whole, and runs keep those that they began with, or are cancelled with `running: "cancel"`. After the answer nothing of a paused or cancelled run begins. The stage never changes.',
    answer: ScenarioAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'CONFIRM_REQUIRED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changeScenario(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeScenarioRequest,
  ) {
    const { running = 'keep', ...given } = body;
    return ok(await this.scenarios.change(by, id, given, running === 'cancel'));
  }

  @Delete(':id')
  @Access('scenario.archive')
  @ApiParam(ID_TO_DELETE)
  @Documented({
    summary: 'Delete a scenario',
    description:
      'Its runs are cancelled and stay readable. After the answer nothing of them begins. The answer is the scenario as it was.',
    answer: ScenarioAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND'],
  })
  async deleteScenario(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.scenarios.archive(by, id));
  }

  @Post(':id/cancel-runs')
  @Access('scenario.cancel_runs')
  @HttpCode(200)
  @ApiParam(ID)
  @Documented({
    summary: 'Cancel all runs of a scenario',
    description:
      'Those that have begun, with the reason `person`. After the answer nothing of them begins; leads that enter later start runs as before.',
    answer: CancelledRunsAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async cancelScenarioRuns(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.scenarios.cancelRuns(by, id));
  }
}
