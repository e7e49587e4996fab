import type { StageEntity } from '../assistants/stage.entity';
import type { EventBody, EventEntity } from '../events/event.entity';
import type { CardRow } from './card.columns';

/** An event of the log, with what boards show besides. */
export type ThreadEvent = Pick<EventEntity, 'account_id' | 'thread_id' | 'assistant_id' | 'type' | 'at'> &
  Pick<EventBody, 'by' | 'actor'> & {
    seq: number;
    event_version: number;
    from_value: string | boolean | null;
    to_value: string | boolean | null;
    to_name: StageEntity['name'] | null;
    to_kind: StageEntity['kind'] | null;
    to_order: StageEntity['order'] | null;
    /** The thread as it was read with the event; null when no board of this process asked for it. */
    card: CardRow | null;
  };

/** An event that a statement of this process appended and committed. */
export interface CommittedEvent {
  seq: number;
  accountId: string;
  threadId: string;
  version: number;
  /** What boards get; null where the caller did not ask for it. */
  told: ThreadEvent | null;
}
