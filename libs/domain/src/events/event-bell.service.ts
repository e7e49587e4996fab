import { Injectable } from '@nestjs/common';

/** Rung after a commit that appended an event, so that listeners look at the log at once. Carries nothing: the log is the truth. */
@Injectable()
export class EventBell {
  private readonly listeners = new Set<() => void>();

  ring(): void {
    for (const listener of this.listeners) listener();
  }

  onRing(listener: () => void): void {
    this.listeners.add(listener);
  }
}
