import { globSync, readFileSync } from 'node:fs';
import type { Operation } from '@app/domain/accounts/access-table';
import { missing } from '../clients/catalog.calls';
import type { CatalogRow } from '../operations.catalog';
import type { Things } from './access.scene';

/** What a client may send by a socket. */
interface GatewayEvent {
  of: (things: Things) => object;
  who: CatalogRow['who'];
  /** Its name in the product's table. */
  name: Operation;
  /** How a foreign or missing thing is refused. */
  code: string;
}

const OF_AGENT: GatewayEvent = {
  of: ({ assistant }) => ({ assistant_id: assistant, status_id: null, cursor: 'x' }),
  who: 'lead',
  name: 'board.open',
  code: 'ASSISTANT_NOT_FOUND',
};

export const EVENTS: Readonly<Record<string, GatewayEvent>> = {
  'board:open': OF_AGENT,
  'board:more': OF_AGENT,
  'board:close': OF_AGENT,
  'presence:set': {
    of: ({ thread }) => ({ thread_id: thread }),
    who: 'person',
    name: 'presence.set',
    code: 'THREAD_NOT_FOUND',
  },
};

/** Things that there are not. */
export const NOTHING = { assistant: missing('assistant'), thread: missing('thread') } as Things;

const SUBSCRIBED = /@SubscribeMessage\(\s*(?:'([^']*)'|([^)]*))\s*,?\s*\)/g;

/**
 * The events that the server's gateways take, as their sources say.
 * @throws for one that is not written as a text, which could not be read here.
 */
export function eventsOfGateways(): string[] {
  return globSync('apps/server/src/**/*.ts')
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(SUBSCRIBED)])
    .map(([whole, event]) => {
      if (event === undefined) throw new Error(`write the event as a text: ${whole}`);
      return event;
    })
    .sort();
}
