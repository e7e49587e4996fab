import type { StageEntity } from '../assistants/stage.entity';
import type { EventBody, EventEntity } from '../events/event.entity';
import type { AsNumbers, CamelCased, OrNull, Prefixed } from '../database/row-types';
import type { CardRow } from './card-columns';

/** An event of the log, with what boards show besides. */
export type ThreadEvent = Pick<EventEntity, 'account_id' | 'thread_id' | 'assistant_id' | 'type' | 'at'> &
  Required<Pick<EventBody, 'by' | 'actor' | 'request_id'>> &
  AsNumbers<Pick<EventEntity, 'seq'> & Prefixed<'event_', Pick<EventEntity, 'version'>>> &
  OrNull<Prefixed<'to_', Pick<StageEntity, 'name' | 'kind' | 'order'>>> & {
    from_value: string | boolean | null;
    to_value: string | boolean | null;
    /** The thread as it was read with the event; null when no board of this process asked for it. */
    card: CardRow | null;
  };

/** An event that a statement of this process appended and committed. */
export interface CommittedEvent
  extends
    AsNumbers<Pick<EventEntity, 'seq' | 'version'>>,
    CamelCased<Pick<EventEntity, 'account_id' | 'thread_id'>> {
  /** When its statement began, by `performance.now()`: it may not know what was committed later. */
  begunAt: number;
  /** What boards get; null where the caller did not ask for it. */
  told: ThreadEvent | null;
}
