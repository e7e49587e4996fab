import { createHash, randomUUIDv7 } from 'node:crypto';
import type { FoundEvent, NewDelivery } from '@app/persistence/webhooks-out/endpoint-queue.repository';

/** What tells one event of the log from all others, also from one that has its number after a backup was restored. */
export interface EventIdentity {
  accountId: string;
  threadId: string;
  seq: number;
  at: Date;
}

/**
 * The id by which receivers know an event: a UUID of version 8 (RFC 9562) that follows from the event. So it is the same for all
 * endpoints and tries, and also where the event is replayed long after its deliveries are forgotten.
 */
export function eventIdOf({ accountId, threadId, seq, at }: EventIdentity): string {
  const bytes = createHash('sha256')
    .update(`${accountId} ${threadId} ${seq} ${at.toISOString()}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Deliveries to make of an account's events: by their ids as well in the order of the events. */
export function deliveriesOf(accountId: string, events: readonly FoundEvent[]): NewDelivery[] {
  // Those of one millisecond have no order by themselves.
  const ids = events.map(() => randomUUIDv7()).toSorted();
  return events.map((event, place) => ({
    ...event,
    id: ids[place] ?? randomUUIDv7(),
    eventId: eventIdOf({ accountId, ...event }),
  }));
}
