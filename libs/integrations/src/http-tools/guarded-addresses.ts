import { Resolver } from 'node:dns/promises';
import { type LookupFunction, BlockList, isIP } from 'node:net';

/** All addresses of a host's name; empty when it has none. */
type ResolveName = (hostname: string) => Promise<string[]>;

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

/** The name resolves to an address that may not be called. */
export class AddressRefusedError extends Error {
  constructor() {
    super('a name leads to an address that is not called');
  }
}

/** The name cannot be resolved. */
export class NameUnknownError extends Error {
  constructor() {
    super('a name has no address');
  }
}

/**
 * Resolves the name for a connection and checks the addresses. The connection uses the very addresses that were
 * checked, so a name that resolves to another address a moment later changes nothing. If one address may not be
 * called, all are refused.
 */
export function guardedLookup(resolve: ResolveName, mayCall: (address: string) => boolean): LookupFunction {
  const lookUp = async (hostname: string): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new NameUnknownError();
    if (!addresses.every(mayCall)) throw new AddressRefusedError();
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return (hostname, { all }, callback) => {
    lookUp(hostname).then(
      (found) => {
        const [first] = found;
        if (all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

/**
 * Addresses that are not public: those in the IANA registry of special-purpose addresses (RFC 6890 and its
 * successors), and those that a cloud serves to its own machines only.
 */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT. One cloud's metadata service (100.100.100.200) is here.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
  // Azure's services for its machines.
  ['168.63.129.16', 32],
] as const;

/**
 * In IPv6 only 2000::/3 is public. Outside of it are loopback, mapped IPv4 (::ffff:0:0/96), NAT64 (64:ff9b::/96),
 * unique local, link-local and multicast addresses. These ranges inside of it are not public either.
 */
const NOT_PUBLIC_6 = [
  // Reserved for protocols: Teredo, benchmarking, ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which contains an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_4) notPublic.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_6) notPublic.addSubnet(net, prefix, 'ipv6');

const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::1', 'ipv6');

/** Whether a text is a public IP address. False for anything that is no plain IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !notPublic.check(address, 'ipv4');
  return given.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return thisMachine.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export interface AddressOptions {
  /** Allows this machine and plain http, for the demo and for tests. */
  mayReachThisMachine: boolean;
  /** Replaces the name servers, in tests. */
  resolve?: ResolveName;
}

/** Which addresses of those that tenants choose are called: public ones only. */
export class GuardedAddresses {
  /** Resolves the name for a connection, and checks its addresses. */
  readonly lookup: LookupFunction;
  private readonly mayCall: (address: string) => boolean;
  private readonly protocols: readonly string[];

  constructor({ mayReachThisMachine, resolve = resolveName }: AddressOptions) {
    this.protocols = mayReachThisMachine ? ['https:', 'http:'] : ['https:'];
    this.mayCall = (address) => isPublicAddress(address) || (mayReachThisMachine && isLoopback(address));
    this.lookup = guardedLookup(resolve, this.mayCall);
  }

  /** Why the address is not called, as far as that is known without resolving its name; null: it may be called. */
  violationOf(text: string): string | null {
    const url = URL.parse(text);
    if (!url || text !== text.trim() || !this.protocols.includes(url.protocol))
      return 'must be an https address';
    if (url.username !== '' || url.password !== '') return 'must not carry a user or a password: use headers';
    // URL has already normalised other forms of an IPv4 address, decimal or octal.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.mayCall(host))
      return 'must be an address that is reachable from everywhere';
    return null;
  }
}
