import { HISTORY_AUTHORS, HISTORY_TYPES, MESSAGE_HANDLERS, STATUS_SETTERS } from '@app/contracts/lead.words';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import {
  ApiProperty,
  EXAMPLE_ASSISTANT_ID,
  EXAMPLE_REQUEST_ID,
  EXAMPLE_STATUS_ID,
  EXAMPLE_THREAD_ID,
} from '../http/docs/openapi.decorator';
import { WouldStartAnswer } from '../http/dto/would-start.answer';
import { AssigneeAnswer } from '../http/dto/message-parts.answer';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

class StageAnswer {
  @ApiProperty({ example: EXAMPLE_STATUS_ID })
  id: string;

  @ApiProperty({ example: 'Qualified' })
  name: string;

  @ApiProperty({ enum: STAGE_KINDS })
  kind: string;

  @ApiProperty({ type: 'integer', example: 2, description: 'Position in the funnel' })
  order: number;
}

class MovedStageAnswer extends StageAnswer {
  @ApiProperty({ description: 'Whether the agent answers incoming messages at this stage' })
  ai_enabled: boolean;
}

class FunnelStageAnswer extends MovedStageAnswer {
  @ApiProperty({ type: String, nullable: true, description: 'When a lead should land on this stage' })
  description: string | null;

  @ApiProperty({ description: 'Whether the agent is forbidden to move a lead away from this stage' })
  ai_transition_locked: boolean;
}

export class FunnelAnswer {
  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ type: [FunnelStageAnswer] })
  statuses: FunnelStageAnswer[];
}

export class LeadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ example: 'WABA_COEXISTENCE' })
  channel: string;

  @ApiProperty({ type: String, nullable: true, example: '+77010000001' })
  phone: string | null;

  @ApiProperty({ enum: MESSAGE_HANDLERS })
  message_handler: string;

  @ApiProperty({ type: StageAnswer, nullable: true })
  status: StageAnswer | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: EXAMPLE_TIME })
  status_set_at: string | null;

  @ApiProperty({ type: String, enum: STATUS_SETTERS, nullable: true })
  status_set_by: string | null;
}

export class SetStatusAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when the lead stood there already: no history entry, no scenario' })
  changed: boolean;

  @ApiProperty({ description: 'True when a reply to the waiting message is durably under way' })
  answered_pending_message: boolean;

  @ApiProperty({ type: MovedStageAnswer, nullable: true, description: 'Null when the stage was cleared' })
  status: MovedStageAnswer | null;
}

class BulkItemError {
  @ApiProperty({ example: 'THREAD_NOT_FOUND' })
  code: string;

  @ApiProperty()
  message: string;
}

class BulkItemAnswer {
  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty()
  ok: boolean;

  @ApiProperty({ type: SetStatusAnswer, required: false, description: 'When ok' })
  data?: SetStatusAnswer;

  @ApiProperty({ type: BulkItemError, required: false, description: 'When not ok' })
  error?: BulkItemError;
}

export class SetStatusBulkAnswer {
  @ApiProperty({ type: [BulkItemAnswer] })
  results: BulkItemAnswer[];

  @ApiProperty({
    type: WouldStartAnswer,
    required: false,
    description:
      'With `dry_run`: what scenarios would do at most, for a rule of a scenario or a condition may hold back a run or a message. 0 without `start_scenarios`',
  })
  would_start?: WouldStartAnswer;
}

/**
 * The former or new value: a stage, a person, the switch or the opt-out as a boolean, or a word or a name; null: none.
 */
const HISTORY_VALUE = [
  { $ref: '#/components/schemas/StageAnswer' },
  { $ref: '#/components/schemas/AssigneeAnswer' },
  { type: 'boolean' },
  { type: 'string', nullable: true },
];

class HistoryCauseAnswer {
  @ApiProperty({
    enum: ['key', 'user', 'agent', 'scenario', 'hand'],
    description: '`hand`: an admin started the scenario by hand',
  })
  type: string;

  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;
}

class HistoryEntryAnswer {
  @ApiProperty({ type: 'integer' })
  seq: number;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  at: string;

  @ApiProperty({ enum: HISTORY_TYPES })
  type: string;

  @ApiProperty({
    enum: HISTORY_AUTHORS,
    description:
      'Also the customer (USER), a person in the messenger’s own app (OPERATOR), the messenger (PROVIDER)',
  })
  by: string;

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: {
      type: { type: 'string' },
      id: { type: 'string' },
      name: { type: 'string' },
      run_id: { type: 'string', description: 'Of a scenario: its run' },
    },
    required: ['type', 'id', 'name'],
    additionalProperties: false,
  })
  actor: object | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: EXAMPLE_REQUEST_ID,
    description: 'The `X-Request-Id` of the call that caused it; null: the service did it by itself',
  })
  request_id: string | null;

  @ApiProperty({
    anyOf: HISTORY_VALUE,
    description:
      'A stage for `status`, a person for `assignee`, a boolean for `ai` and `opt_out`, AI or OPERATOR for `handler`; for `name` the name that a person had given, null: none; for an `attention` that was cleared its word; null for others',
  })
  from: unknown;

  @ApiProperty({
    anyOf: HISTORY_VALUE,
    description:
      'Likewise; for `reply_discarded` and `attention` the word that says why, such as `off`, `takeover`, `newer_message` or `model`, and null for an `attention` that was cleared; for `name` the new name, null: the messenger’s again; for `scenario` what became of the run: `started`, `done`, `failed` or `cancelled`',
  })
  to: unknown;

  @ApiProperty({
    required: false,
    description:
      'Only with `attention`, `model_error` and `scenario`, and not always: why the agent handed the dialog over, in the model’s own words, or how the model failed; what the model’s server said (for admins only); the reason of a run’s end; `retried` and `resolved` where a person had the run go on, or said what became of a step',
  })
  note?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    description:
      'Only with an `attention` whose note is about the provider’s refusal of a message: the provider’s own number for it',
  })
  provider_code?: number;

  @ApiProperty({
    required: false,
    type: HistoryCauseAnswer,
    description:
      'Only with `scenario`: who moved the lead or started the scenario by hand where a run began; who cancelled, retried or resolved it. Absent where nobody did',
  })
  cause?: HistoryCauseAnswer;
}

export class HistoryAnswer {
  @ApiProperty({ type: [HistoryEntryAnswer], description: 'Newest first' })
  entries: HistoryEntryAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class SetNameAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when the customer had this name already' })
  changed: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'The name as lists and cards show it' })
  customer_name: string | null;
}

export class ClearAttentionAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when nobody was asked for' })
  changed: boolean;
}

export class AssignAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when it was assigned so already' })
  changed: boolean;

  @ApiProperty({ type: AssigneeAnswer, nullable: true, description: 'Null: nobody' })
  assignee: AssigneeAnswer | null;
}

export class AssigneesAnswer {
  @ApiProperty({ type: [AssigneeAnswer], description: 'By name' })
  assignees: AssigneeAnswer[];
}
