import type { Channel } from '@app/contracts/message.words';
import type {
  LAST_SEND_STATES,
  SendHours,
  StepDefinition,
  StepError,
  StoredStep,
} from '@app/contracts/scenario.words';
import type { StageKind } from '@app/contracts/stage.words';
import type { ActingRun, DialogTransaction } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { TemplateContent } from '../../messages/dispatch/message-sender.port';
import type { FieldCheck } from './step-fields';
import { dateAndTime, render, renderDeep, type Rendered, type VariableValues } from './step-variables';

/** What a step sees of its dialog and its run, at one instant. */
export interface StepMoment {
  /** By the database's clock. */
  now: Date;
  /** Since when the step should have begun. */
  dueSince: Date;
  /** Which run it is, as a key for what must differ between runs. */
  runId: string;
  /** Whether the lead has stayed in the stage that began the run. */
  inStage: boolean;
  /** Whether the customer replied to the run's last message, or since it began. */
  replied: boolean;
  lastSend: (typeof LAST_SEND_STATES)[number] | null;
  /** A person may undo the move until then: no step has an effect before. */
  customerAfter: Date | null;
  /** Nothing goes to the customer as long as a person conducts the dialog. */
  waitsForTakeover: boolean;
  sendHours: SendHours | null;
  dialog: {
    channel: Channel;
    /** Whether a takeover runs, and until when; null: without an end. */
    takeover: boolean;
    takeoverUntil: Date | null;
    handler: 'AI' | 'OPERATOR';
    waiting: boolean;
    windowOpen: boolean;
    statusKind: StageKind | null;
    statusName: string | null;
    assistantName: string;
    leadName: string | null;
    leadPhone: string | null;
  };
}

/** A message that a run is about to send. */
export interface MessageOrder {
  kind: 'message';
  channel: Channel;
  content:
    | { type: 'text' | 'request_phone'; text: string }
    | {
        type: 'template';
        templateId: string;
        language: string;
        params: readonly string[];
        namedParams?: Readonly<Record<string, string>>;
        header?: TemplateContent['header'];
        buttons?: TemplateContent['buttons'];
      };
}

/** A call that a run is about to make. */
export interface CallOrder {
  kind: 'call';
  step: Extract<StoredStep, { kind: 'http' }>;
  /** With its variables replaced. */
  body: unknown;
}

export type ErrandOrder = MessageOrder | CallOrder;

/** What acts change: the dialog itself, or one that a try-out imagines. */
export type ActingDialog = Pick<
  DialogTransaction,
  'move' | 'switchOff' | 'handOver' | 'returnToAgent' | 'assign'
>;

/** What a step does within the transaction that closes it. */
interface Act {
  kind: 'act';
  /** In the try-out's words. */
  does: string;
  perform: (dialog: ActingDialog, run: ActingRun) => Promise<Performed>;
}

interface Performed {
  failed?: StepError;
  /** The run moved its lead itself. */
  detaches?: boolean;
  /** The run began a takeover itself. */
  handsOver?: boolean;
  /** A person is asked for, with these words; null: without words. */
  asksFor?: string | null;
}

/**
 * What a step decides. It does nothing itself:
 * - `done`: it passes. The next one is due since now, or since an earlier instant that was planned. `asksFor`: a person
 *   is asked for, with these words;
 * - `skipped`: it does nothing, for a reason;
 * - `wait`: it is asked again at an instant, and whenever something happens in the dialog. `dueSince`: from then on its
 *   lateness counts;
 * - `go`: it passes, and the run continues at a label further down;
 * - `stop`: it passes, and the run ends;
 * - `failed`: the run goes on or ends, as the step says;
 * - `act`, `errand`: an effect within the transaction, or outside of it.
 */
export type Decision =
  | { kind: 'done'; since?: Date; asksFor?: string }
  | { kind: 'skipped'; error: StepError }
  | { kind: 'wait'; until: Date | null; dueSince?: Date }
  | { kind: 'go'; label: string; since?: Date }
  | { kind: 'stop' }
  | { kind: 'failed'; error: StepError }
  | Act
  | { kind: 'errand'; order: ErrandOrder };

/** One kind of step. A further kind is one such class and its line in the table. */
export interface StepKindRules<Definition extends StepDefinition | StoredStep = StoredStep> {
  readonly kind: Definition['kind'];
  /** What is checked when a step is saved; other fields are not kept. */
  readonly fields: Readonly<Record<string, FieldCheck>>;
  decide(step: Definition, at: StepMoment): Decision;
}

/** A text with its variables replaced, or why the step fails. */
type Filled<T> = { value: T } | { failed: StepError };

/** Dates and times are those of the scenario's hours; without hours, of UTC. */
const valuesAt = ({ now, sendHours, dialog }: StepMoment): VariableValues => ({
  'lead.name': dialog.leadName,
  'lead.phone': dialog.leadPhone,
  'status.name': dialog.statusName,
  'assistant.name': dialog.assistantName,
  ...dateAndTime(now, sendHours?.timezone ?? 'UTC'),
});

export const rendered = (text: string, at: StepMoment): Filled<string> => filled(render(text, valuesAt(at)));

/** Of every text within a value. */
export const renderedDeep = <T>(value: T, at: StepMoment): Filled<T> =>
  filled(renderDeep(value, valuesAt(at)));

function filled<T>(result: Rendered<T>): Filled<T> {
  if ('value' in result) return result;
  const message = `{{${result.empty}}} is empty here, and has no fallback.`;
  return { failed: { code: 'VARIABLE_EMPTY', message } };
}
