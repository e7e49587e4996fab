import type { Principal } from '@app/domain/accounts/principal.rules';
import { AUDIT_ACTIONS } from '@app/domain/audit/audit-actions';
import { AuditLists } from '@app/domain/audit/audit-lists.service';
import { Controller, Get, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { TIME_CURSOR } from '../http/routes/opaque-cursor';
import { ApiPropertyOptional, ApiTags } from '../http/docs/openapi.decorator';
import { PageQuery, parsePageBy } from '../http/routes/page.query';
import { textOrNull, timeOrNull, wordOrNull } from '../http/routes/query-values';
import { AuditListAnswer } from './audit.answer';

class AuditQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only entries of this account' })
  account_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Only what this person or key did' })
  actor_id?: string;

  @ApiPropertyOptional({ enum: AUDIT_ACTIONS, description: 'Only this action' })
  action?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'Only what was done to this thing; a dialog by its `thread_id`, or by the UUID in it',
  })
  subject_id?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Only from this moment on' })
  after?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Only before this moment' })
  before?: string;
}

@ApiTags('Admin: audit')
@Controller('api/v1/admin/audit')
export class AuditController {
  constructor(private readonly audit: AuditLists) {}

  @Get()
  @Access('audit.list')
  @Documented({
    summary: 'List who changed what',
    description:
      'Changes by admins, sign-ins, and calls that were refused with 403, the newest first. An admin who is signed in reads those of the own account. Nobody can change an entry; it is kept for two years.',
    answer: AuditListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listAudit(@CurrentPrincipal() by: Principal, @Query() query: AuditQuery) {
    const { limit, after } = parsePageBy(TIME_CURSOR, query);
    const filter = {
      accountId: textOrNull('account_id', query.account_id),
      actorId: textOrNull('actor_id', query.actor_id),
      action: wordOrNull('action', query.action, AUDIT_ACTIONS),
      subjectId: textOrNull('subject_id', query.subject_id),
      after: timeOrNull('after', query.after),
      before: timeOrNull('before', query.before),
    };
    const { entries, nextAfter } = await this.audit.list(by, filter, after, limit);
    return ok({ entries, next_cursor: nextAfter === null ? null : TIME_CURSOR.encode(nextAfter) });
  }
}
