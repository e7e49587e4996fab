import type { Channel } from '@app/contracts/message.words';
import type { StepError } from '@app/contracts/scenario.words';
import type { DialogTransaction, OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { ElapsedTime } from '../../messages/dispatch/elapsed-time';
import type { StepEnd, StepRetry } from '../runs/run-progress';
import type { ErrandOrder } from '../steps/step-decision';

/** How long a permit for an effect outside is valid for others. The writer has half of it. */
export const PERMIT_MS = 1_000;

/** Which step of which run an effect outside belongs to. */
export interface ErrandKey {
  accountId: string;
  botId: string;
  assistantId: string;
  /** Of the dialog. */
  channel: Channel;
  recipient: string;
  threadId: string;
  run: OpenRun;
  index: number;
  /** Tries so far. */
  attempts: number;
  /** Whether it was put off before. */
  wasPutOff: boolean;
}

/** What became of an effect outside: the step's end, or when it is tried again. */
export type ErrandEnd = { kind: 'end'; end: StepEnd } | ({ kind: 'later' } & StepRetry);

/** An effect outside whose needs are met for a moment: it begins in the next transaction, or not at all. */
export interface ReadyErrand<Order extends ErrandOrder = ErrandOrder> {
  readonly key: ErrandKey;
  /** Whether its transaction waits for more than its own dialog. */
  readonly waits: boolean;
  /** Resolves when it may begin, as by its number's pace. */
  whenDue(): Promise<void>;
  /**
   * Stores the intent, in the transaction that grants the permit.
   * @returns the message; undefined where it is none
   */
  begin(dialog: DialogTransaction, order: Order, permit: ElapsedTime): { messageId?: string };
  /** How long its dialog waits for its end before its other runs go on, and until when it has one; null: to its end. */
  readonly waitLimit: { ms: number; until: Date } | null;
  /** After the commit: begins while the permit is valid. Never throws because of the other side. */
  carryOut(onWritten: () => void, signal: AbortSignal): Promise<ErrandEnd>;
  /** Gives back what was kept for it. Idempotent. */
  release(): void;
}

/** The needs of an effect outside are not met now. */
export interface PutOff {
  inMs: number;
  /** Resolves when they may be met before that time. Never rejects. */
  sooner?: Promise<void>;
}

/** One kind of effect outside. */
export interface ErrandKind<Order extends ErrandOrder = ErrandOrder> {
  readonly kind: Order['kind'];
  /** Meets its needs, as its number's pace, without a transaction. */
  prepare(key: ErrandKey, order: Order): Promise<ReadyErrand<Order> | PutOff | { failed: StepError }>;
}

/** An effect outside that ended. */
export interface CarriedErrand {
  key: ErrandKey;
  end: ErrandEnd;
  /** Until when its step waits for it, where nothing else tells what became of it. */
  until?: Date;
}

/** A step that is put off, or fails. */
type EndedErrand = CarriedErrand & Pick<PutOff, 'sooner'>;

/** What the needs of a step's effect came to: they are met for a moment, or not. */
export type PreparedErrand = { key: ErrandKey; ready: ReadyErrand } | EndedErrand;

export const isStepOf = (key: ErrandKey, { id }: { id: string }, index: number): boolean =>
  key.run.id === id && key.index === index;

/** The end of an errand whose needs cannot be met. */
export const failedErrand = (key: ErrandKey, error: StepError): CarriedErrand => ({
  key,
  end: { kind: 'end', end: { state: 'failed', error } },
});

/** Whether the step is to be put off, or fails. */
export const isEnd = (prepared: PreparedErrand): prepared is EndedErrand => 'end' in prepared;
