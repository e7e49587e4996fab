import type { BoardEvent, MessageChanged } from '@app/contracts/board.events';
import { KeyedListeners, type Unsubscribe } from './keyed.listeners';

/** What happens in a dialog, for those who have it open. */
export class ThreadNews {
  private readonly threads = new KeyedListeners<[event: BoardEvent]>();
  private readonly messages = new KeyedListeners<[event: MessageChanged]>();

  /** Every event of a dialog, its card in it, in order; after an outage some come again. */
  onThread = (threadId: string, listener: (event: BoardEvent) => void): Unsubscribe =>
    this.threads.add(threadId, listener);

  /** Every message of a dialog that comes or changes, perhaps more than once: a MessageStore knows which are news. */
  onMessage = (threadId: string, listener: (event: MessageChanged) => void): Unsubscribe =>
    this.messages.add(threadId, listener);

  pass(event: BoardEvent): void {
    this.threads.tell(event.thread_id, event);
    if ('message' in event) this.messages.tell(event.thread_id, event);
  }
}
