import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '@app/config/settings-config';
import { GuardedConnection } from '@app/integrations/http-tools/guarded-connection';
import { override } from './fault.injection';

const tell = (word: string, url: string | URL): void => {
  process.stderr.write(`fault ${word} ${new URL(url).pathname}\n`);
};

/**
 * Addresses of this machine are called, as in the demo. One may say in its query how long connecting takes (`connect_ms`), or until which file is there
 * (`connect_until`, of `call.gate.ts`), and how long it takes from the permit to the write (`write_ms`).
 * @param atOnce nothing takes long, whatever an address says
 */
export function inject({ atOnce = false }: { atOnce?: boolean } = {}): Partial<Settings> {
  const said = (url: string | URL, name: string): string | null =>
    atOnce ? null : new URL(url).searchParams.get(name);
  /** A gate that nobody opens keeps no process from its end. */
  const untilThere = async (path: string | null): Promise<void> => {
    while (path !== null && !existsSync(path)) await sleep(20, undefined, { ref: false });
  };
  override(GuardedConnection, 'open', (own) => async (url, ...rest) => {
    tell('connecting', url);
    const connection = await own.call(GuardedConnection, url, ...rest);
    await sleep(Number(said(url, 'connect_ms') ?? 0));
    await untilThere(said(url, 'connect_until'));
    tell('connected', url);
    return connection;
  });
  override(
    GuardedConnection.prototype,
    'send',
    (own) =>
      async function (this: GuardedConnection, call) {
        tell('writing', call.url);
        await sleep(Number(said(call.url, 'write_ms') ?? 0));
        return own.call(this, call);
      },
  );
  return { toolsReachThisMachine: true };
}
