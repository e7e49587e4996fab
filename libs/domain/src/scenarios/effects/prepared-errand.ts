import type { StepError } from '@app/contracts/scenario.words';
import type { ErrandEnd, ErrandKey, PutOff, ReadyErrand } from './errand';

/** An effect outside that ended. */
export interface CarriedErrand {
  key: ErrandKey;
  end: ErrandEnd;
  /** Until when its step waits for it, where nothing else tells what became of it. */
  until?: Date;
}

/** A step that is put off, or fails. */
export type EndedErrand = CarriedErrand & Pick<PutOff, 'sooner'>;

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
