import { randomUUIDv7 } from 'node:crypto';

let last = '';

/** An id above all that this process made here before: those of one millisecond are in no order otherwise. */
export function ascendingId(): string {
  let id = randomUUIDv7();
  while (id <= last) id = randomUUIDv7();
  return (last = id);
}
