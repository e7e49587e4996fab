import type { Principal } from '@app/domain/accounts/principal.rules';
import { LeadEdits } from '@app/domain/leads/lead-edits.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { AssignAnswer, AssigneesAnswer, ClearAttentionAnswer, SetNameAnswer } from './lead-edit.answer';
import {
  AssignRequest,
  ClearAttentionRequest,
  GetAssigneesRequest,
  SetNameRequest,
} from './lead-edit.request';

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
