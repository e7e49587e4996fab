import type { Channel } from './message.words';

/** Whether a scenario starts runs. A paused one starts none, and holds those under way. */
export const SCENARIO_STATES = ['on', 'paused', 'off'] as const;
export type ScenarioState = (typeof SCENARIO_STATES)[number];

/** What leaving the stage means for a run. */
export const ON_LEAVE = ['cancel', 'continue'] as const;
export type OnLeave = (typeof ON_LEAVE)[number];

/** What a customer's reply means for a run. */
export const ON_REPLY = ['continue', 'cancel'] as const;
export type OnReply = (typeof ON_REPLY)[number];

/** What a takeover means for a run: its messages wait, it goes on, or it ends. */
export const ON_TAKEOVER = ['wait', 'continue', 'cancel'] as const;
export type OnTakeover = (typeof ON_TAKEOVER)[number];

/** What entering the stage again means while a run is under way; `once`: never twice in a dialog. */
export const REENTRY = ['restart', 'ignore', 'once'] as const;
export type Reentry = (typeof REENTRY)[number];

/** The states of a run, as people see them. */
export const RUN_STATES = ['running', 'waiting', 'paused', 'done', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Why a run ended as it did; null where it went through all its steps. */
export const RUN_REASONS = [
  'left_stage',
  'replied',
  'opted_out',
  'takeover',
  'restarted',
  'archived',
  'person',
  'step_failed',
  'loop',
  'stopped',
] as const;
export type RunReason = (typeof RUN_REASONS)[number];

/** The states of a step of a run. */
export const RUN_STEP_STATES = [
  'pending',
  'running',
  'waiting',
  'done',
  'skipped',
  'failed',
  'unknown',
] as const;
export type RunStepState = (typeof RUN_STEP_STATES)[number];

/** Who or what began a run. */
export interface RunCause {
  type: 'key' | 'user' | 'agent' | 'scenario' | 'hand';
  id: string;
  name: string;
}

/** As it is kept: with the id of the call that began the run, where it was a call. */
export interface KeptCause extends RunCause {
  request_id?: string | null;
  /** Where the run's steps belong, as W3C `traceparent`. */
  trace?: string;
}

/** One span of a week's hours; it passes midnight where `to` is before `from`. */
export interface HoursSpan {
  /** 1 is Monday, 7 is Sunday. */
  weekdays: number[];
  /** `HH:MM`, local. */
  from: string;
  /** `HH:MM`, local; `24:00` is the end of the day. */
  to: string;
}

/** The hours of each week, and its exceptions, by the clock of whose they are. */
export interface OpeningHours {
  spans: HoursSpan[];
  /** Local dates without hours, `YYYY-MM-DD`. */
  closed: string[];
}

/** When a scenario may write to customers. */
export interface SendHours extends OpeningHours {
  /** An IANA name. */
  timezone: string;
}

/** What a run does where a step fails. */
export const ON_FAILURE = ['stop', 'continue'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** To continue at the step with a label, further down. */
export interface GoTo {
  go: string;
}

interface StepOf<Kind extends string> {
  kind: Kind;
  label?: string;
  on_failure?: OnFailure;
}

export interface SendTemplateStep extends StepOf<'send_template'> {
  template_id: string;
  template_language?: string;
  /** Absent: the dialog's. */
  channel?: Channel;
  params?: string[];
  named_params?: Record<string, string>;
  header?: Record<string, unknown>;
  buttons?: Record<string, unknown>[];
  max_late_seconds?: number;
}

export interface SendTextStep extends StepOf<'send_text'> {
  text: string;
  max_late_seconds?: number;
}

export interface RequestPhoneStep extends StepOf<'request_phone'> {
  /** Stands above the messenger's button. */
  text: string;
  max_late_seconds?: number;
}

export interface WaitStep extends StepOf<'wait'> {
  seconds: number;
}

export interface WaitUntilStep extends StepOf<'wait_until'> {
  /** `HH:MM`, local. */
  time: string;
  timezone: string;
  weekdays?: number[];
  at_least_seconds?: number;
}

export interface WaitForReplyStep extends StepOf<'wait_for_reply'> {
  seconds: number;
  on_timeout?: 'continue' | 'stop' | GoTo;
}

/** What a condition may ask. */
export const CONDITION_FACTS = [
  'in_stage',
  'replied',
  'window_open',
  'waiting',
  'handler',
  'channel',
  'kind',
  'last_send',
] as const;
export type ConditionFact = (typeof CONDITION_FACTS)[number];

export const LAST_SEND_STATES = ['accepted', 'delivered', 'read', 'failed'] as const;

export interface ConditionStep extends StepOf<'condition'> {
  all: { fact: ConditionFact; is: boolean | string }[];
  else: 'stop' | GoTo;
}

export interface SetStatusStep extends StepOf<'set_status'> {
  /** Null clears the stage. */
  status_id: string | null;
}

export interface SetAiStep extends StepOf<'set_ai'> {
  ai_enabled: false;
}

export interface HandOverStep extends StepOf<'hand_over'> {
  note?: string;
}

export type ReturnToAiStep = StepOf<'return_to_ai'>;

export interface AssignStep extends StepOf<'assign'> {
  /** Null: nobody. */
  user_id: string | null;
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface HttpStep extends StepOf<'http'> {
  method: (typeof HTTP_METHODS)[number];
  url: string;
  /** As it is given; kept sealed, and shown by its names alone. */
  headers?: Record<string, string>;
  /** JSON; variables stand in its texts. */
  body?: unknown;
}

export interface NotifyStep extends StepOf<'notify'> {
  text: string;
}

/** A step as an admin writes it. */
export type StepDefinition =
  | SendTemplateStep
  | SendTextStep
  | RequestPhoneStep
  | WaitStep
  | WaitUntilStep
  | WaitForReplyStep
  | ConditionStep
  | SetStatusStep
  | SetAiStep
  | HandOverStep
  | ReturnToAiStep
  | AssignStep
  | HttpStep
  | NotifyStep;

export type StepKind = StepDefinition['kind'];

export const STEP_KINDS = [
  'send_template',
  'send_text',
  'request_phone',
  'wait',
  'wait_until',
  'wait_for_reply',
  'condition',
  'set_status',
  'set_ai',
  'hand_over',
  'return_to_ai',
  'assign',
  'http',
  'notify',
] as const satisfies readonly StepKind[];

/** The kinds of steps that write to the customer. */
export const SENDING_STEP_KINDS: readonly StepKind[] = ['send_template', 'send_text', 'request_phone'];

/** Headers of an `http` step as they are stored: names to show, values sealed. */
export interface SealedStepHeaders {
  names: string[];
  key_id: string;
  /** Base64. */
  sealed: string;
}

/** A step as it is stored: an `http` step has its headers sealed. */
export type StoredStep =
  | Exclude<StepDefinition, HttpStep>
  | (Omit<HttpStep, 'headers'> & { sealed_headers?: SealedStepHeaders });

/** The bounds of scenarios. */
export const SCENARIO_LIMITS = {
  stepsMax: 50,
  ofStageMax: 20,
  /** A chain of runs that start each other is this long at most. */
  depthMax: 16,
  /** Runs of one scenario in one dialog: so many begin in ten minutes, and so many in a day. */
  inTenMinutesMax: 5,
  inDayMax: 20,
  waitSecondsMax: 7_776_000,
  maxLateSeconds: 21_600,
  /** After their end. */
  runsKeptDays: 180,
} as const;

/** The error of a step. */
export interface StepError {
  code: string;
  message: string;
  /** The provider's own number for it, where it refused the step's message. */
  provider_code?: number | null;
}
