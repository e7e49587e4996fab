import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of this machine that another program has. */
export async function holdPort(): Promise<{ port: string; close(): void }> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  return { port: String((holder.address() as AddressInfo).port), close: () => void holder.close() };
}
