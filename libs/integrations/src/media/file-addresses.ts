import { isIP, type LookupFunction } from 'node:net';
import { guardedLookup, resolveName, isLoopback, isPublicAddress } from '../http-tools/guarded-addresses';

/** Hosts that Meta serves files from, and their subdomains. */
const META = ['facebook.com', 'fbsbx.com', 'fbcdn.net', 'whatsapp.net', 'whatsapp.com'] as const;

export const isMetaHost = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'https:' &&
  port === '' &&
  META.some((host) => hostname === host || hostname.endsWith(`.${host}`));

/** Which addresses files are fetched from: the provider's own, as configured, and public ones. */
export class FileAddresses {
  private readonly origin: string;
  private readonly lookup: LookupFunction;
  private readonly mayCall: (address: string) => boolean;

  /**
   * @param apiUrl the provider's address, which administrators chose
   * @param mayReachThisMachine in the demo, whose stand-ins run on this machine
   */
  constructor(
    apiUrl: string,
    private readonly mayReachThisMachine: boolean,
  ) {
    this.origin = new URL(apiUrl).origin;
    this.mayCall = (address) => isPublicAddress(address) || (mayReachThisMachine && isLoopback(address));
    this.lookup = guardedLookup(resolveName, this.mayCall);
  }

  /** Whether it is the provider's own address. */
  isProviders(url: URL): boolean {
    return url.origin === this.origin;
  }

  /** How the host is looked up; null: the address is not one that is called. The addresses are checked in the connect. */
  connectTo(url: URL): { lookup?: LookupFunction } | null {
    if (this.isProviders(url)) return {};
    const isSafe = url.protocol === 'https:' || (this.mayReachThisMachine && url.protocol === 'http:');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isAllowed = isIP(host) === 0 || this.mayCall(host);
    return isSafe && url.username === '' && url.password === '' && isAllowed ? { lookup: this.lookup } : null;
  }
}
