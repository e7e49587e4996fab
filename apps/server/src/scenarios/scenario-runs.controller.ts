import { demoId } from '@app/contracts/demo-ids';
import { RUN_STATES } from '@app/contracts/scenario.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { RunControl } from '@app/domain/scenarios/runs/run-control.service';
import { RunLists } from '@app/domain/scenarios/runs/run-lists.service';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { IsBoolean, IsIn } from 'class-validator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiProperty, ApiPropertyOptional, ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { PageQuery, parsePage, stepIndexOf, textOrNull, wordOrNull } from '../http/routes/page.query';
import { EXAMPLE_RUN_ID, RunAnswer, RunListAnswer } from './scenario-run.answer';

class RunQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only runs of this scenario, which may be archived' })
  scenario_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Only runs in this dialog, `thread_<uuid>`' })
  thread_id?: string;

  @ApiPropertyOptional({ enum: RUN_STATES })
  state?: string;
}

const PLACES = ['failed', 'start'] as const;

export class RetryRunRequest {
  @ApiPropertyOptional({
    enum: PLACES,
    default: 'failed',
    description:
      '`failed`: at the step where it ended. `start`: at the first step, all of which are made again.',
  })
  @MayBeAbsent()
  @IsIn(PLACES)
  from?: (typeof PLACES)[number];
}

export class ResolveStepRequest {
  @ApiProperty({ description: 'Whether the step took effect: the message was sent, the call was received' })
  @IsBoolean()
  sent: boolean;
}

/** One each: what a run was told once is not told again. */
const RETRY_RUN_EXAMPLES = {
  'from the first step': { value: { from: 'start' } },
};

const RESOLVE_STEP_EXAMPLES = {
  'it was sent': { value: { sent: true } },
};

const ID = { name: 'id', example: EXAMPLE_RUN_ID };
const CANCELLED_ID = { name: 'id', example: demoId('run', 2) };
const UNKNOWN_ID = { name: 'id', example: demoId('run', 3) };

@ApiTags('Admin: scenarios')
@Controller('api/v1/admin/scenario-runs')
export class ScenarioRunsController {
  constructor(
    private readonly runs: RunLists,
    private readonly control: RunControl,
  ) {}

  @Get()
  @Access('run.list')
  @Documented({
    summary: 'List runs of scenarios',
    description:
      'Newest first, those of archived scenarios too. A run is kept for 180 days after its end. A scenario or a dialog that does not exist has none.',
    answer: RunListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listRuns(@CurrentPrincipal() by: Principal, @Query() query: RunQuery) {
    const { limit, after } = parsePage(query);
    const filter = {
      scenarioId: textOrNull('scenario_id', query.scenario_id),
      threadId: textOrNull('thread_id', query.thread_id),
      state: wordOrNull('state', query.state, RUN_STATES),
    };
    const { page, next_cursor } = pageOf(await this.runs.list(by, filter, after, limit + 1), limit);
    return ok({ runs: page, next_cursor });
  }

  @Get(':id')
  @Access('run.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One run',
    description: 'Where it is, why it ended, and what became of each of its steps.',
    answer: RunAnswer,
    security: 'AdminKey',
    errors: ['RUN_NOT_FOUND'],
  })
  async getRun(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.runs.get(by, id));
  }

  @Post(':id/cancel')
  @Access('run.cancel')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiBody({ schema: { type: 'object' }, examples: { 'nothing more to say': { value: {} } } })
  @Documented({
    summary: 'Cancel a run',
    description:
      'Its reason is then `person`. After the answer nothing of it begins; a message or a call that was on its way is not called back.',
    answer: RunAnswer,
    security: 'AdminKey',
    errors: ['RUN_NOT_FOUND', 'RUN_STATE', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async cancelRun(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.control.cancel(by, id));
  }

  @Post(':id/retry')
  @Access('run.retry')
  @HttpCode(200)
  @ApiParam(CANCELLED_ID)
  @ApiBody({ type: RetryRunRequest, examples: RETRY_RUN_EXAMPLES })
  @Documented({
    summary: 'Have a failed or cancelled run go on',
    description:
      'In the same run, with its own steps. What would end it is looked at again (stage, opt-out, reply, takeover, archive), and so are the hours where the next step writes to the customer: 409 `RUN_STATE` begins its message with the reason. So it does while a step is `unknown`, while another run of the scenario is open in the dialog, while the scenario or all automation of the account is paused, and for a run that ended as a `loop`.',
    answer: RunAnswer,
    security: 'AdminKey',
    errors: ['RUN_NOT_FOUND', 'RUN_STATE', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async retryRun(@CurrentPrincipal() by: Principal, @Param('id') id: string, @Body() body: RetryRunRequest) {
    return ok(await this.control.retry(by, id, body.from ?? 'failed'));
  }

  @Post(':id/steps/:index/resolve')
  @Access('run.resolve')
  @HttpCode(200)
  @ApiParam(UNKNOWN_ID)
  @ApiParam({ name: 'index', schema: { type: 'integer', example: 0 } })
  @ApiBody({ type: ResolveStepRequest, examples: RESOLVE_STEP_EXAMPLES })
  @Documented({
    summary: 'Say what became of an unknown step',
    description:
      'Ask the provider, the customer, or the system that was called, first. `sent: true` makes the step `done`, and a run that ended because of it goes on. `sent: false` makes it `failed`, and nothing is sent: the run can then be retried. What the provider reports of the message later settles the step as well, and overrules `sent: false`: `retry` is then refused, and `sent: true` has the run go on.',
    answer: RunAnswer,
    security: 'AdminKey',
    errors: ['RUN_NOT_FOUND', 'RUN_STATE', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async resolveStep(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('index') index: string,
    @Body() body: ResolveStepRequest,
  ) {
    return ok(await this.control.resolve(by, id, stepIndexOf(index), body.sent));
  }
}
