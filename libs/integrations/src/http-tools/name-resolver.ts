import { Resolver } from 'node:dns/promises';

/** All addresses of a host's name; empty when it has none. */
export type ResolveName = (hostname: string) => Promise<string[]>;

const QUERY_MS = 2_000;
const TRIES = 2;

/** Loopback's names (RFC 6761, section 6.3) are resolved without asking a server. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;

/**
 * Asks the name servers directly. The system's resolver blocks one of the process's four threads, so a tenant's slow
 * name server would delay everyone. It also reads the hosts file, which has internal names.
 */
export const resolveName: ResolveName = async (hostname) => {
  if (LOCALHOST.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
};
