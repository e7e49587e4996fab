import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { AUDIT_ACTIONS } from '@app/domain/audit/audit-actions';
import { AuditLists } from '@app/domain/audit/audit-lists.service';
import { Controller, Get, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { TIME_CURSOR } from '../http/routes/opaque-cursor';
import { PageQuery, parsePageBy, textOrNull, timeOrNull, wordOrNull } from '../http/routes/page.query';

class AuditActor {
  @ApiProperty({ enum: ['user', 'key', 'agent', 'scenario'] })
  type: string;

  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: 'Aigerim' })
  name: string;
}

class AuditSubject {
  @ApiProperty({ example: 'scenario' })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'As the API shows it. Null where there is no such thing, such as the person of an unknown address',
    example: demoId('scenario', 1),
  })
  id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'As it was then', example: 'Welcome' })
  name: string | null;
}

const FIELDS = { type: 'object' as const, additionalProperties: true, nullable: true };

class AuditEntryAnswer {
  @ApiProperty({ example: '0193a001-0000-7000-8000-000000000001' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null: it belongs to no account',
    example: demoId('account', 1),
  })
  account_id: string | null;

  @ApiProperty({
    type: AuditActor,
    nullable: true,
    description: 'Null: the service itself, or somebody who was not recognised',
  })
  actor: AuditActor | null;

  @ApiProperty({ description: '`<thing>.<verb>`', example: 'scenario.update' })
  action: string;

  @ApiProperty({ type: AuditSubject })
  subject: AuditSubject;

  @ApiProperty({
    ...FIELDS,
    description: 'What changed, as it was; null for what is new. In the place of a secret is `changed`',
    example: { state: 'on' },
  })
  before: object | null;

  @ApiProperty({
    ...FIELDS,
    description: 'What changed, as it became; null for what is gone',
    example: { state: 'off' },
  })
  after: object | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of the call; null where it was none, such as a command on the host',
  })
  request_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The address of the caller; null where there was none',
    example: '203.0.113.7',
  })
  ip: string | null;
}

class AuditListAnswer {
  @ApiProperty({ type: [AuditEntryAnswer] })
  entries: AuditEntryAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

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
