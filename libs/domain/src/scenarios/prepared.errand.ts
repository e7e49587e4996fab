import type { StepError } from '@app/contracts/scenario.words';
import type { ErrandEnd, ErrandKey, ReadyErrand } from './errand';

/** An effect outside that ended. */
export interface CarriedErrand {
  key: ErrandKey;
  end: ErrandEnd;
}

/** What the needs of a step's effect came to: they are met for a moment, or the step is put off or fails. */
export type PreparedErrand = { key: ErrandKey; ready: ReadyErrand } | CarriedErrand;

export const isStepOf = (key: ErrandKey, { id }: { id: string }, index: number): boolean =>
  key.run.id === id && key.index === index;

/** The end of an errand whose needs cannot be met. */
export const failedErrand = (key: ErrandKey, error: StepError): CarriedErrand => ({
  key,
  end: { kind: 'end', end: { state: 'failed', error } },
});

/** Whether the step is to be put off, or fails. */
export const isEnd = (prepared: PreparedErrand): prepared is CarriedErrand => 'end' in prepared;
