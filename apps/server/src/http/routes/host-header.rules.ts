import type { IncomingMessage } from 'node:http';

/**
 * Whether a request says once for which host it is, as HTTP/1.1 demands. Of two, a proxy may have looked at the other one.
 * Probes that speak HTTP/1.0 need none.
 */
export function namesItsHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
