import type { LookupFunction } from 'node:net';
import type { ResolveName } from './name-resolver';

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
