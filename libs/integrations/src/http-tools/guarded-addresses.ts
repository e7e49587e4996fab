import { isIP, type LookupFunction } from 'node:net';
import { guardedLookup } from './guarded-lookup';
import { resolveName, type ResolveName } from './name-resolver';
import { isLoopback, isPublicAddress } from './public-address';

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
