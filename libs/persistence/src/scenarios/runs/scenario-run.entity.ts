import type { KeptCause, RunReason, RunStepState, StepError } from '@app/contracts/scenario.words';
import type { Actor } from '@app/contracts/lead.words';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type States, isStateOf } from '../../database/sql.statements';

/**
 * The states of a scenario's run, each with those that may follow it. People see a `due` run only once it has begun,
 * and an open run as `paused` while its scenario or its account's automation is paused.
 */
const SCENARIO_RUN_STATES = {
  /** A move has asked for it. Whether it begins is decided by the scenario's rules for entering again. */
  due: ['running', 'waiting', 'done', 'failed', 'cancelled'],
  /** A step is under way, or next. */
  running: ['waiting', 'done', 'failed', 'cancelled'],
  /** For a time, a reply, the end of a takeover, or the hours in which it may write. */
  waiting: ['running', 'done', 'failed', 'cancelled'],
  done: [],
  /** By a step, or as a loop. A person may have it go on. */
  failed: ['running'],
  cancelled: ['running'],
} as const satisfies States;

export type ScenarioRunState = keyof typeof SCENARIO_RUN_STATES;

/** What became of a step that a run has reached. Times are ISO 8601. */
export interface StepProgress {
  index: number;
  state: RunStepState;
  started_at: string;
  finished_at: string | null;
  attempts: number;
  /** How often its effect outside was not begun in time. */
  withheld?: number;
  /** The message that it sent. */
  message_id?: string;
  /** While it sends, or is unknown: after which instant replies counted before, and count again if nothing left. */
  replies_after?: string | null;
  /** Until when it waits. */
  until?: string;
  /** It is not tried again before. */
  retry_at?: string;
  /** While its call is under way: so long the process that made it may say what came of it. */
  answer_until?: string;
  error?: StepError;
}

/** One scenario, carried out for one lead. It keeps the steps that its scenario had when it was asked for. */
@Entity('scenario_runs')
@Check('scenario_runs_state_check', isStateOf(SCENARIO_RUN_STATES, 'state'))
@Check('scenario_runs_ended_check', `(finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled'))`)
@Index('scenario_runs_thread', ['account_id', 'thread_id', 'scenario_id', 'started_at'])
@Index('scenario_runs_open', ['account_id', 'scenario_id', 'thread_id'], { where: 'finished_at IS NULL' })
@Index('scenario_runs_scenario', ['account_id', 'scenario_id', 'id'])
@Index('scenario_runs_finished', ['finished_at'], { where: 'finished_at IS NOT NULL' })
export class ScenarioRunEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  scenario_id: string;

  @Column('uuid')
  thread_id: string;

  /** The stage that the lead entered, and when: as `status_id` and `status_set_at` of the thread were. */
  @Column('uuid')
  status_id: string;

  @Column('timestamptz')
  entered_at: Date;

  /**
   * The thread's version after the move that asked for it, which the move's event has too: it tells which move of the
   * history began which runs. Null: it was started by hand. No statement of the service reads it.
   */
  @Column('bigint', { nullable: true })
  version: string | null;

  @Column('integer')
  revision: number;

  @Column('text', { default: 'due' })
  state: ScenarioRunState;

  @Column('text', { nullable: true })
  reason: RunReason | null;

  @Column('jsonb')
  cause: KeptCause;

  /** Its place in a chain of runs that start each other, from 1. */
  @Column('integer', { default: 1 })
  depth: number;

  /** The run whose step moved the lead. */
  @Column('uuid', { nullable: true })
  by_run: string | null;

  /** The index of the step that is next, or under way. */
  @Column('integer', { default: 0 })
  at_step: number;

  /** The steps that it has reached, in their order. */
  @Column('jsonb', { default: [] })
  progress: StepProgress[];

  /** When it is looked at again; null: when something happens in its dialog. */
  @Column('timestamptz', { nullable: true })
  next_at: Date | null;

  /** Since when its present step should have begun. */
  @Column('timestamptz')
  due_since: Date;

  /** When it last wrote to the customer. A try that certainly did not leave is none. */
  @Column('timestamptz', { nullable: true })
  spoke_at: Date | null;

  /** Its last message to the customer. */
  @Column('uuid', { nullable: true })
  last_message_id: string | null;

  /** It has no effect before. A person on the board may still undo the move. */
  @Column('timestamptz', { nullable: true })
  customer_after: Date | null;

  /** It moved the lead itself, so that leaving the stage does not end it any more. */
  @Column('boolean', { default: false })
  detached: boolean;

  /** It began a takeover itself, so that takeovers do not end it any more. */
  @Column('boolean', { default: false })
  handed_over: boolean;

  /** Who last had it go on, and when. */
  @Column('jsonb', { nullable: true })
  retried_by: (Actor & { at: string }) | null;

  @Column('timestamptz')
  started_at: Date;

  @Column('timestamptz', { nullable: true })
  finished_at: Date | null;
}

/**
 * A dialog that has open runs: `threads.has_runs` is true as long as the row is there, and both change under the
 * thread's lock. One process at a time serves it.
 */
@Entity('scenario_queues')
@Index('scenario_queues_due', ['account_id', 'due_at'])
export class ScenarioQueueEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** When one of its runs is to be looked at; `infinity`: when something happens. */
  @Column('timestamptz')
  due_at: Date;

  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  /** The end of the permit for an effect outside: a message or a call is about to begin. */
  @Column('timestamptz', { nullable: true })
  permit_until: Date | null;
}
