import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import type { Scenario } from '@app/domain/scenarios/definition/scenario.presenter';
import { ScenariosService } from '@app/domain/scenarios/definition/scenarios.service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { SCENARIO_CURSOR, pageBy } from '../http/routes/opaque-cursor';
import { parsePageBy, textOrNull } from '../http/routes/page.query';
import {
  NewScenarioAnswer,
  CancelledRunsAnswer,
  ScenarioAnswer,
  ScenarioListAnswer,
  SigningSecretAnswer,
} from './scenario.answer';
import {
  ChangeScenarioRequest,
  CreateScenarioRequest,
  ScenarioQuery,
  ROTATE_SECRET_EXAMPLES,
  RotateSecretRequest,
} from './scenario.request';

const ALMATY = 'Asia/Almaty';
const WORKDAYS = [1, 2, 3, 4, 5];

/** Bodies that work in the demo as they are. They have every kind of step. */
const CREATE_SCENARIO_EXAMPLES = {
  'thanks, then a question to those who are silent': {
    value: {
      status_id: demoId('status', 4),
      name: 'Счёт выставлен',
      steps: [
        { kind: 'send_template', template_id: 'visit_reminder', params: ['{{lead.name|клиент}}', '15:30'] },
        { kind: 'wait_for_reply', seconds: 86_400, on_timeout: { go: 'remind' } },
        { kind: 'notify', text: 'Клиент ответил: {{lead.name|без имени}}.' },
        {
          kind: 'condition',
          all: [{ fact: 'replied', is: false }],
          else: 'stop',
        },
        { kind: 'send_text', label: 'remind', text: 'Счёт ещё ждёт вас.', on_failure: 'continue' },
        { kind: 'set_status', status_id: demoId('status', 6) },
      ],
      send_hours: {
        timezone: ALMATY,
        spans: [{ weekdays: WORKDAYS, from: '09:00', to: '20:00' }],
        closed: ['2026-12-31'],
      },
    },
  },
  'at ten the next morning, to a person': {
    value: {
      status_id: demoId('status', 7),
      name: 'Перезвонить утром',
      state: 'off',
      on_takeover: 'continue',
      reentry: 'ignore',
      cooldown_seconds: 3_600,
      steps: [
        { kind: 'wait_until', time: '10:00', timezone: ALMATY, weekdays: WORKDAYS, at_least_seconds: 3_600 },
        { kind: 'set_ai', ai_enabled: false },
        { kind: 'hand_over', note: 'Клиент просил перезвонить.' },
      ],
    },
  },
  'to a system of yours': {
    value: {
      status_id: demoId('status', 10),
      name: 'Проверка',
      state: 'off',
      steps: [
        {
          kind: 'http',
          method: 'POST',
          url: 'https://shop.example.com/checks',
          headers: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
          body: { phone: '{{lead.phone}}', stage: '{{status.name}}' },
        },
        { kind: 'wait', seconds: 600 },
        { kind: 'return_to_ai' },
      ],
    },
  },
};

const CHANGE_SCENARIO_EXAMPLES = {
  pause: { value: { state: 'paused' } },
  'other steps, also for runs under way none of the old': {
    value: { state: 'on', steps: [{ kind: 'notify', text: 'Деньги пришли.' }], running: 'cancel' },
  },
};

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

@ApiTags('Admin: scenarios')
@Controller('api/v1/admin/scenarios')
export class ScenarioSecretsController {
  constructor(private readonly scenarios: ScenariosService) {}

  @Post(':id/rotate-secret')
  @Access('scenario.rotate_secret')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('scenario', 1) })
  @ApiBody({ type: RotateSecretRequest, examples: ROTATE_SECRET_EXAMPLES })
  @Documented({
    summary: 'Make a new signing secret',
    description:
      'Calls of the scenario’s `http` steps are signed by it from now on, and for `overlap_hours` by the former one too. It is shown this once.',
    answer: SigningSecretAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async rotateSecret(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: RotateSecretRequest,
  ) {
    return ok({ signing_secret: await this.scenarios.rotateSecret(by, id, body.overlap_hours) });
  }
}
