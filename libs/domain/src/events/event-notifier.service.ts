import { Injectable } from '@nestjs/common';

/**
 * Notifies listeners after a commit that appended an event, so that they read the log at once. It carries no data:
 * the log has it.
 */
@Injectable()
export class EventNotifier {
  private readonly listeners = new Set<() => void>();

  notify(): void {
    for (const listener of this.listeners) listener();
  }

  onNotify(listener: () => void): void {
    this.listeners.add(listener);
  }
}
