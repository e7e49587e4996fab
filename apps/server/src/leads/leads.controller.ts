import type { Principal } from '@app/domain/accounts/principal.rules';
import { HistoryService } from '@app/domain/leads/history.service';
import { LeadsService, type SetStatusRequest } from '@app/domain/leads/leads.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { EXAMPLE_STATUS_ID, EXAMPLE_THREAD_ID } from '../http/docs/example-ids';
import { ApiBody, ApiTags } from '../http/docs/openapi.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { ok } from '../http/dto/envelope';
import { NUMBER_CURSOR } from '../http/routes/opaque-cursor';
import { FunnelAnswer, HistoryAnswer, LeadAnswer, SetStatusAnswer, SetStatusBulkAnswer } from './lead.answer';
import {
  GetHistoryRequest,
  GetLeadRequest,
  GetStatusesRequest,
  SetStatusBulkRequest,
  SetStatusRequestBody,
} from './lead.request';

/** Bodies that work in the demo as they are. */
const SET_STATUS_EXAMPLES = {
  'by id': { value: { thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID } },
  'by name': { value: { thread_id: EXAMPLE_THREAD_ID, status_name: 'оплачено' } },
  clear: { value: { thread_id: EXAMPLE_THREAD_ID, status_id: null } },
  'answer what waits': {
    value: { thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID, answer_pending_message: true },
  },
};

const SET_STATUS_BULK_EXAMPLES = {
  'dry run': {
    value: { items: [{ thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID }], dry_run: true },
  },
};

const GET_HISTORY_EXAMPLES = {
  'newest entries': { value: { thread_id: EXAMPLE_THREAD_ID, limit: 50 } },
};

const HISTORY_PAGE = 50;

@ApiTags('Leads')
@Controller('api/v1/leads')
export class LeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly history: HistoryService,
  ) {}

  @Post('get-statuses')
  @Access('lead.list_statuses')
  @HttpCode(200)
  @Documented({
    summary: 'The funnel of an agent',
    description: 'Returns the whole funnel. Call it once, store the mapping, and work by stage `id`.',
    answer: FunnelAnswer,
    security: 'ApiKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getStatuses(@CurrentPrincipal() by: Principal, @Body() body: GetStatusesRequest) {
    return ok(await this.leads.getStatuses(by, body.assistant_id));
  }

  @Post('get-lead')
  @Access('lead.get')
  @HttpCode(200)
  @Documented({
    summary: 'The current stage of one dialog',
    description:
      'Do not call this in a loop over many dialogs: get-threads lists them with their stages, and the board brings the cards and then tells of every change.',
    answer: LeadAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getLead(@CurrentPrincipal() by: Principal, @Body() body: GetLeadRequest) {
    return ok(await this.leads.getLead(by, body.thread_id));
  }

  @Post('set-status')
  @Access('lead.set_status')
  @HttpCode(200)
  @ApiBody({ type: SetStatusRequestBody, examples: SET_STATUS_EXAMPLES })
  @Documented({
    summary: 'Move a lead to a stage, or clear its stage',
    description:
      'The card moves on every open board, the scenarios of the stage start, a history entry is written. Safe to repeat: at the target already, it answers `changed: false`.',
    answer: SetStatusAnswer,
    security: 'ApiKey',
    errors: [
      'THREAD_NOT_FOUND',
      'STATUS_NOT_FOUND',
      'STATUS_AMBIGUOUS',
      'STATUS_CONFLICT',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async setStatus(@CurrentPrincipal() by: Principal, @Body() body: SetStatusRequestBody) {
    return ok(await this.leads.setStatus(by, toSetStatus(body)));
  }

  @Post('set-status-bulk')
  @Access('lead.set_status_bulk')
  @HttpCode(200)
  @ApiBody({ type: SetStatusBulkRequest, examples: SET_STATUS_BULK_EXAMPLES })
  @Documented({
    summary: 'Move up to 500 leads',
    description:
      'In order, each by itself; one request against the limit. An invalid item refuses the whole request. It starts no scenarios unless `start_scenarios` is true.',
    answer: SetStatusBulkAnswer,
    security: 'ApiKey',
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async setStatusBulk(@CurrentPrincipal() by: Principal, @Body() body: SetStatusBulkRequest) {
    const options = { dryRun: body.dry_run ?? false, startScenarios: body.start_scenarios ?? false };
    return ok(await this.leads.setStatusBulk(by, body.items.map(toSetStatus), options));
  }

  @Post('get-history')
  @Access('lead.get_history')
  @HttpCode(200)
  @ApiBody({ type: GetHistoryRequest, examples: GET_HISTORY_EXAMPLES })
  @Documented({
    summary: 'What happened to a dialog',
    description:
      'Newest first: moves between stages (`status`), the switch of the agent (`ai`), who conducts the dialog (`handler`), opt-outs of the customer (`opt_out`), replies that were discarded (`reply_discarded`), when a person was asked for and when that was cleared (`attention`), what the model’s server said when it failed (`model_error`), the runs of scenarios (`scenario`), and names that people gave (`name`). Expect further types.',
    answer: HistoryAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getHistory(@CurrentPrincipal() by: Principal, @Body() body: GetHistoryRequest) {
    const before = body.cursor === undefined ? null : NUMBER_CURSOR.decode(body.cursor);
    const page = await this.history.getHistory(by, body.thread_id, before, body.limit ?? HISTORY_PAGE);
    const { entries, nextBefore } = page;
    return ok({ entries, next_cursor: nextBefore === null ? null : NUMBER_CURSOR.encode(nextBefore) });
  }
}

function toSetStatus(body: SetStatusRequestBody): SetStatusRequest {
  return {
    threadId: body.thread_id,
    target:
      body.status_name === undefined
        ? { statusId: body.status_id ?? null }
        : { statusName: body.status_name },
    answerPendingMessage: body.answer_pending_message ?? false,
    expectedStatusId: body.expected_status_id,
    skipScenarios: body.skip_scenarios ?? false,
  };
}
