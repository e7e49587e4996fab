import type { Channel } from './message.words';
import type { RunReason } from './scenario.words';
import type { TemplateStatus } from './template.words';
import type { TroubleCode } from './trouble.words';

/** A list of which nothing is still to be sent, with the counts of get-batch at that moment. */
export interface BatchFinished {
  batch_id: string;
  bot_id: string;
  channel: Channel;
  total: number;
  sent: number;
  failed: number;
  queued: number;
  unknown: number;
}

/** A template that is in another state now. */
export interface TemplateStatusChanged {
  /** Of the template, as admins name it. */
  id: string;
  /** Our name for it, by which it is sent. */
  template_id: string;
  bot_id: string;
  channel: Channel;
  /** The provider's name for it. */
  name: string;
  language: string;
  from: TemplateStatus;
  to: TemplateStatus;
  /** Why it was refused, paused or disabled, or why its state is unknown; else null. */
  reason: string | null;
}

/** A number that sends nothing until a person has seen to it, or that sends again. */
export interface BotTrouble {
  bot_id: string;
  channel: Channel;
  code: TroubleCode;
  /** What to do about it; null where it is over. */
  message: string | null;
  resolved: boolean;
}

/** How much of the month's messages is used. */
export interface QuotaLow {
  /** `2026-11`, in UTC. */
  month: string;
  /** The account's monthly message quota. */
  limit: number;
  used: number;
  /** Which mark was reached: each is told once a month. */
  percent: 80 | 100;
}

/** An import that is over. */
export interface ImportFinished {
  import_id: string;
  state: 'done' | 'failed' | 'cancelled';
  rows: number;
  created: number;
  moved: number;
  unchanged: number;
  /** How many rows have a fault. */
  faults: number;
}

/** Another endpoint of the account that gets nothing any more. */
export interface WebhookDisabled {
  endpoint_id: string;
  reason: 'gone' | 'failing';
}

/** A scenario's run that has ended. */
export interface ScenarioFinished {
  run_id: string;
  scenario_id: string;
  state: 'done' | 'failed' | 'cancelled';
  /** Null: it went through all its steps. */
  reason: RunReason | null;
}

/**
 * What the events that are about no dialog say in `data`, and what the end of a scenario's run says there, besides what all
 * events have. The body of an event about no dialog has the same fields.
 */
export interface WebhookData {
  'batch.finished': BatchFinished;
  'template.status_changed': TemplateStatusChanged;
  'bot.trouble': BotTrouble;
  'quota.low': QuotaLow;
  'import.finished': ImportFinished;
  'webhook.disabled': WebhookDisabled;
  'scenario.finished': ScenarioFinished;
}
