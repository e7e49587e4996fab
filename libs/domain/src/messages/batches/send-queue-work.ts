import type { Claimed, DueMessage, Postponed } from '@app/persistence/messages/batches/send-queue.repository';
import type { ElapsedTime } from '../dispatch/elapsed-time';

/** A message whose one request may begin. */
export interface ClaimedMessage extends DueMessage, Omit<Claimed, 'id'> {
  token: string;
  /** Since before the statement that claimed it. */
  claimed: ElapsedTime;
}

/** What a run does with the messages of its queue. */
export interface SendQueueWork {
  /** How many the number may send in a second. */
  readonly perSecond: number;
  /**
   * @param from leaves out what was due before; null: nothing is left out
   */
  lookAhead(most: number, from: string | null): Promise<DueMessage[]>;
  /** Those of them that are still due. */
  claim(ids: readonly string[], token: string): Promise<Claimed[]>;
  /** For claimed messages that were not begun. Never throws. */
  putBack(ids: readonly string[], token: string): Promise<void>;
  /** For messages that wait for their recipients. Never throws. */
  postpone(messages: readonly Postponed[]): Promise<void>;
  /** Whether a request that begins now would get a slot. */
  hasSlot(): boolean;
  /** Milliseconds until this recipient may be sent to. */
  waitMs(recipient: string): number;
  /** The same; 0 takes the time. */
  takeTime(recipient: string): number;
  /**
   * Milliseconds for which this recipient must wait after that many other messages to it, ignoring the number's pace.
   */
  recipientWaitMs(recipient: string, before: number): number;
  /**
   * Makes the request. Resolves when the provider has answered.
   * @param onWritten is called when its first byte leaves
   */
  begin(message: ClaimedMessage, onWritten: () => void): Promise<void>;
}
