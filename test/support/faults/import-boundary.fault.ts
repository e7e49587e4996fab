import { ADVANCE } from '@app/persistence/transfer/import.statements';
import type { Client } from 'pg';
import { nameOf, overrideQueries } from './fault.injection';

/**
 * The process kills itself, as nothing else can, at a boundary of the given chunk that it takes in: before or after the
 * commit of it.
 */
export function inject({ when, chunk }: { when: 'before' | 'after'; chunk: number }): void {
  let chunks = 0;
  const die = (): Promise<never> => new Promise(() => process.kill(process.pid, 'SIGKILL'));
  /** Connections whose transaction takes in the chunk. */
  const taking = new WeakSet<Client>();
  overrideQueries((client, { given, make }) => {
    if (nameOf(given) === ADVANCE.name && (chunks += 1) === chunk) taking.add(client);
    if (given !== 'COMMIT' || !taking.has(client)) return make();
    return when === 'before' ? die() : make().then(die);
  });
}
