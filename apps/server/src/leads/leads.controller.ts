import type { Principal } from '@app/domain/accounts/principal.rules';
import { HistoryService } from '@app/domain/leads/history.service';
import { LeadEdits } from '@app/domain/leads/lead-edits.service';
import { LeadsService, type SetStatusRequest } from '@app/domain/leads/leads.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { EXAMPLE_STATUS_ID, EXAMPLE_THREAD_ID, ApiBody, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { NUMBER_CURSOR } from '../http/routes/opaque-cursor';
import {
  FunnelAnswer,
  HistoryAnswer,
  LeadAnswer,
  SetStatusAnswer,
  SetStatusBulkAnswer,
  AssignAnswer,
  AssigneesAnswer,
  ClearAttentionAnswer,
  SetNameAnswer,
} from './lead.answer';
import {
  GetHistoryRequest,
  GetLeadRequest,
  GetStatusesRequest,
  SetStatusBulkRequest,
  SetStatusRequestBody,
  AssignRequest,
  ClearAttentionRequest,
  GetAssigneesRequest,
  SetNameRequest,
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

@ApiTags('Leads')
@Controller('api/v1/leads')
export class LeadEditsController {
  constructor(private readonly edits: LeadEdits) {}

  @Post('set-name')
  @Access('lead.set_name')
  @HttpCode(200)
  @Documented({
    summary: 'Name the customer of a dialog',
    description:
      'The name counts before the one that the messenger tells: in lists, on boards, and for the agent. `name: null` gives the messenger’s back. A history entry `name` is written.',
    answer: SetNameAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'THREAD_ERASED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async setName(@CurrentPrincipal() by: Principal, @Body() body: SetNameRequest) {
    return ok(await this.edits.setName(by, body.thread_id, body.name));
  }

  @Post('clear-attention')
  @Access('lead.clear_attention')
  @HttpCode(200)
  @Documented({
    summary: 'Take off the mark that asks for an operator',
    description:
      'For a person who has seen to it without writing to the customer. A history entry `attention` is written. The mark comes back when a reason for it arises again.',
    answer: ClearAttentionAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'THREAD_ERASED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async clearAttention(@CurrentPrincipal() by: Principal, @Body() body: ClearAttentionRequest) {
    return ok(await this.edits.clearAttention(by, body.thread_id));
  }

  @Post('assign')
  @Access('lead.assign')
  @HttpCode(200)
  @Documented({
    summary: 'Assign a dialog to a person',
    description:
      'To a person who is not disabled and sees the dialog’s agent; `user_id: null` to nobody. A history entry `assignee` is written. Who conducts the dialog stays the same.',
    answer: AssignAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'THREAD_ERASED', 'USER_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async assign(@CurrentPrincipal() by: Principal, @Body() body: AssignRequest) {
    return ok(await this.edits.assign(by, body.thread_id, body.user_id));
  }

  @Post('get-assignees')
  @Access('lead.list_assignees')
  @HttpCode(200)
  @Documented({
    summary: 'The people to whom an agent’s dialogs can be assigned',
    description: 'All of the account who are not disabled and see the agent, by name.',
    answer: AssigneesAnswer,
    security: 'ApiKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getAssignees(@CurrentPrincipal() by: Principal, @Body() body: GetAssigneesRequest) {
    return ok({ assignees: await this.edits.assignees(by, body.assistant_id) });
  }
}
