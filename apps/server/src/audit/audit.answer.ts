import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';

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

export class AuditEntryAnswer {
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

export class AuditListAnswer {
  @ApiProperty({ type: [AuditEntryAnswer] })
  entries: AuditEntryAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
