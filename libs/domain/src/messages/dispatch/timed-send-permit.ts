import type { ElapsedTime } from './elapsed-time';
import type { SendPermit } from './message-sender.port';

/** A permit to make one request, void after a time. */
export class TimedSendPermit implements SendPermit {
  /**
   * @param elapsed since before the statement that grants it, because its time begins within that statement
   * @param validMs how long it is valid, in milliseconds
   */
  constructor(
    private readonly elapsed: ElapsedTime,
    private readonly validMs: number,
    private readonly onUse: () => void = () => undefined,
  ) {}

  isValid(): boolean {
    return this.elapsed.milliseconds < this.validMs;
  }

  used(): void {
    this.onUse();
  }
}
