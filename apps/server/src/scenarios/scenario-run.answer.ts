import { demoId } from '@app/contracts/demo-ids';
import { MESSAGE_STATUSES } from '@app/contracts/message.words';
import { RUN_REASONS, RUN_STATES, RUN_STEP_STATES, STEP_KINDS } from '@app/contracts/scenario.words';
import { EXAMPLE_STATUS_ID, EXAMPLE_THREAD_ID, ApiProperty } from '../http/docs/openapi.decorator';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';
const EXAMPLE_KEY_ID = '01930000-0000-7000-8000-000000000001';
/** A run of the demo that is under way. */
export const EXAMPLE_RUN_ID = demoId('run', 1);

const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class RunCauseAnswer {
  @ApiProperty({
    enum: ['key', 'user', 'agent', 'scenario', 'hand'],
    description: '`hand`: an admin started it for leads that stood in the stage',
  })
  type: string;

  @ApiProperty({ example: EXAMPLE_KEY_ID })
  id: string;

  @ApiProperty({ example: 'crm' })
  name: string;
}

class RunActorAnswer {
  @ApiProperty({ example: 'key' })
  type: string;

  @ApiProperty({ example: EXAMPLE_KEY_ID })
  id: string;

  @ApiProperty({ example: 'admin' })
  name: string;
}

class RunMessageAnswer {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_KEY_ID })
  id: string;

  @ApiProperty({ enum: MESSAGE_STATUSES, description: 'As it is now: one that was accepted may fail later' })
  status: string;
}

class StepErrorAnswer {
  @ApiProperty({ example: 'PROVIDER_ERROR' })
  code: string;

  @ApiProperty()
  message: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: "The provider's own number for it, where it refused the message",
  })
  provider_code: number | null;
}

class RunStepAnswer {
  @ApiProperty({ type: 'integer', example: 0 })
  index: number;

  @ApiProperty({ type: String, nullable: true })
  label: string | null;

  @ApiProperty({ enum: STEP_KINDS })
  kind: string;

  @ApiProperty({
    enum: RUN_STEP_STATES,
    description:
      '`pending`: not reached yet. `skipped`: jumped over, not reached or not passed before the run ended, or too late. `unknown`: nobody knows whether its effect took place; it is never repeated',
  })
  state: string;

  @ApiProperty({ ...TIME, example: EXAMPLE_TIME })
  started_at: string | null;

  @ApiProperty({ ...TIME, example: EXAMPLE_TIME })
  finished_at: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'How often its message or call was tried' })
  attempts: number;

  @ApiProperty({ type: RunMessageAnswer, nullable: true })
  message: RunMessageAnswer | null;

  @ApiProperty({ type: StepErrorAnswer, nullable: true })
  error: StepErrorAnswer | null;
}

export class RunAnswer {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_RUN_ID })
  id: string;

  @ApiProperty({ format: 'uuid', example: demoId('scenario', 1) })
  scenario_id: string;

  @ApiProperty({ example: 'После оплаты' })
  scenario_name: string;

  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ example: EXAMPLE_STATUS_ID, description: 'The stage that began it' })
  status_id: string;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'The revision of the scenario whose steps it has',
  })
  revision: number;

  @ApiProperty({
    enum: RUN_STATES,
    description: '`paused`: under way, and held by its scenario or its account’s `automation_paused`',
  })
  state: string;

  @ApiProperty({ type: String, enum: [...RUN_REASONS, null], nullable: true, description: 'Why it ended so' })
  reason: string | null;

  @ApiProperty({ type: RunCauseAnswer, description: 'Who or what moved the lead' })
  cause: RunCauseAnswer;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Its place in a chain of runs that start each other',
  })
  depth: number;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  started_at: string;

  @ApiProperty({ ...TIME, example: null })
  finished_at: string | null;

  @ApiProperty({
    ...TIME,
    example: EXAMPLE_TIME,
    description: 'When it goes on; null: it has ended, or waits for something that happens in the dialog',
  })
  next_at: string | null;

  @ApiProperty({ type: RunActorAnswer, nullable: true, description: 'Who last had it go on' })
  retried_by: RunActorAnswer | null;

  @ApiProperty({ type: [RunStepAnswer] })
  steps: RunStepAnswer[];
}

export class RunListAnswer {
  @ApiProperty({ type: [RunAnswer], description: 'Newest first' })
  runs: RunAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
