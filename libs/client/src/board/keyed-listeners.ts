import type { BoardEvent, MessageChanged } from '@app/contracts/board-events';

export type Listener = () => void;
export type Unsubscribe = () => void;

/** Who is told of changes, by what has changed. */
export class KeyedListeners<Told extends unknown[] = []> {
  private readonly listeners = new Map<string, Set<(...told: Told) => void>>();

  add(key: string, listener: (...told: Told) => void): Unsubscribe {
    const known = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, known);
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.listeners.get(key) === known) this.listeners.delete(key);
    };
  }

  tell(key: string, ...told: Told): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener(...told);
  }
}

/** What happens in dialogs, for those who have one open and for those who follow all. */
export class ThreadNews {
  private readonly all = new KeyedListeners<[event: BoardEvent]>();
  private readonly threads = new KeyedListeners<[event: BoardEvent]>();
  private readonly messages = new KeyedListeners<[event: MessageChanged]>();

  /** Every event of every dialog, in the order of each dialog; after an outage some come again. */
  onEvent = (listener: (event: BoardEvent) => void): Unsubscribe => this.all.add('', listener);

  /** Every event of a dialog, its card in it, in order; after an outage some come again. */
  onThread = (threadId: string, listener: (event: BoardEvent) => void): Unsubscribe =>
    this.threads.add(threadId, listener);

  /** Every message of a dialog that comes or changes, perhaps more than once: a MessageStore knows which are news. */
  onMessage = (threadId: string, listener: (event: MessageChanged) => void): Unsubscribe =>
    this.messages.add(threadId, listener);

  pass(event: BoardEvent): void {
    this.all.tell('', event);
    this.threads.tell(event.thread_id, event);
    if ('message' in event) this.messages.tell(event.thread_id, event);
  }
}
