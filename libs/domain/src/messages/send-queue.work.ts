import type { Claimed, DueMessage, Postponed } from '@app/persistence/messages/send-queue.repository';
import type { ElapsedTime } from './elapsed.time';

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
  /** @param from what was due before is left out; null: nothing is */
  lookAhead(most: number, from: string | null): Promise<DueMessage[]>;
  /** Those of them that are still due. */
  claim(ids: readonly string[], token: string): Promise<Claimed[]>;
  /** Of claimed messages that were not begun. Never throws. */
  putBack(ids: readonly string[], token: string): Promise<void>;
  /** Of messages that wait for their recipients. Never throws. */
  postpone(messages: readonly Postponed[]): Promise<void>;
  /** Whether a request that begins now would have a slot among those under way. */
  hasSlot(): boolean;
  /** Milliseconds until this recipient may be sent to. */
  waitMs(recipient: string): number;
  /** The same; 0 takes the time. */
  takeTime(recipient: string): number;
  /** Milliseconds for which this recipient has to wait after that many other messages to it, the number aside. */
  recipientWaitMs(recipient: string, before: number): number;
  /**
   * Makes the request: resolves when the provider has answered.
   * @param onWritten is called when its first byte leaves.
   */
  begin(message: ClaimedMessage, onWritten: () => void): Promise<void>;
}
