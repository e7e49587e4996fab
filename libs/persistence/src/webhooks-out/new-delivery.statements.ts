import type { AsNumbers, CamelCased, OrNull } from '../database/row-types';
import type { EventEntity } from '../events/event.entity';
import type { EndpointDeliveryEntity } from './webhook-endpoint.entity';

/** Whose slots statements of sending take: beside those of the account's calls, from which it takes none. */
export const webhooksOf = (accountId: string): string => `webhooks of ${accountId}`;

/** What makes a delivery one that is not sent any more. No other statement does. */
export const SKIPPED = `state = 'skipped', due_at = NULL, waits = false`;

/** What makes a delivery one that is to be sent, with all its retries before it. @param at when, an expression */
export const dueAt = (at: string): string =>
  `state = 'pending', due_at = ${at}, waits = false, tries = 0, failed_at = NULL`;

type FoundColumns = AsNumbers<Pick<EventEntity, 'seq'>> &
  Pick<EventEntity, 'thread_id' | 'at'> &
  Pick<EndpointDeliveryEntity, 'type'>;

/** An event of the log that is for an endpoint, in each row of a statement; or null, in one row alone. */
export type FoundColumnsOrNull = OrNull<FoundColumns>;

/** An event of the log that is for an endpoint. */
export type FoundEvent = CamelCased<FoundColumns>;

/** A delivery to make of an event. */
export interface NewDelivery extends FoundEvent {
  id: string;
  eventId: string;
}

export const foundEvents = (rows: readonly FoundColumnsOrNull[]): FoundEvent[] =>
  rows.flatMap(({ seq, thread_id: threadId, at, type }) =>
    seq !== null && threadId !== null && at !== null && type !== null ? [{ seq, threadId, at, type }] : [],
  );

/** Deliveries to make, as parameters of a statement. */
export const NEW_DELIVERIES = ['ids', 'seqs', 'threadIds', 'types', 'eventIds'] as const;

/** They as rows: id, seq, thread_id, type, event_id. */
export const GIVEN_DELIVERIES = `
  unnest(:ids::uuid[], :seqs::bigint[], :threadIds::uuid[], :types::text[], :eventIds::uuid[])
    AS u (id, seq, thread_id, type, event_id)`;

/** The values of {@link NEW_DELIVERIES}. */
export const valuesOf = (deliveries: readonly NewDelivery[]) => ({
  ids: deliveries.map(({ id }) => id),
  seqs: deliveries.map(({ seq }) => seq),
  threadIds: deliveries.map(({ threadId }) => threadId),
  types: deliveries.map(({ type }) => type),
  eventIds: deliveries.map(({ eventId }) => eventId),
});
