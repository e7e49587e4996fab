import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { ScenarioStarts } from '@app/domain/scenarios/runs/scenario-starts.service';
import { ScenarioTrials } from '@app/domain/scenarios/trial/scenario-trials.service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { EXAMPLE_THREAD_ID, ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import {
  StartScenarioAnswer,
  StartScenarioRequest,
  TryScenarioAnswer,
  TryScenarioRequest,
} from './scenario-try.request';

const START_SCENARIO_EXAMPLES = {
  'how many a whole stage would be': { value: { whole_stage: true, dry_run: true } },
  'one dialog': { value: { thread_ids: [EXAMPLE_THREAD_ID] } },
};

const TRY_SCENARIO_EXAMPLES = {
  'a customer who says nothing': { value: {} },
  'this dialog, and a reply after a minute and a half': {
    value: { thread_id: EXAMPLE_THREAD_ID, starts_at: '2026-11-20T09:30:00.000Z', replies: [90] },
  },
};

const ID = { name: 'id', example: demoId('scenario', 1) };

@ApiTags('Admin: scenarios')
@Controller('api/v1/admin/scenarios')
export class ScenarioTryController {
  constructor(
    private readonly starts: ScenarioStarts,
    private readonly trials: ScenarioTrials,
  ) {}

  @Post(':id/start')
  @Access('scenario.start')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiBody({ type: StartScenarioRequest, examples: START_SCENARIO_EXAMPLES })
  @Documented({
    summary: 'Start a scenario by hand',
    description:
      'For leads that stand in its stage already. Whether each run begins is decided as after a move, by `reentry`, `cooldown_seconds` and the guards against loops; where the customer unsubscribed, or a takeover would end the run, none begins. `skipped_counts` says how many were skipped, and why; with `dry_run` the numbers are the same, and nothing begins. A whole stage is started in parts of 500 leads, each lead once while it stays there: after a failure the same call goes on with the others. A dialog that is not of the scenario’s agent is 404 `THREAD_NOT_FOUND` with its place in `thread_ids`, and none is started; a scenario that is not `on`, or whose account’s automation is paused, is 409 `RUN_STATE`.',
    answer: StartScenarioAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'THREAD_NOT_FOUND', 'RUN_STATE', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async startScenario(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: StartScenarioRequest,
  ) {
    return ok(await this.starts.start(by, id, body.thread_ids ?? null, body.dry_run ?? false));
  }

  @Post(':id/try')
  @Access('scenario.try')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiBody({ type: TryScenarioRequest, examples: TRY_SCENARIO_EXAMPLES })
  @Documented({
    summary: 'Try a scenario out',
    description:
      'What it would do for a lead that enters its stage, with a clock and replies of your own. Nothing is written and nothing is sent: messages count as accepted, calls as answered. What cannot be foreseen is left out, such as the pace of a number.',
    answer: TryScenarioAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async tryScenario(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: TryScenarioRequest,
  ) {
    const startsAt = body.starts_at === undefined ? null : new Date(body.starts_at);
    const request = { threadId: body.thread_id ?? null, startsAt, replies: body.replies ?? [] };
    return ok(await this.trials.play(by, id, request));
  }
}
