import { isIPv6 } from 'node:net';
import type { Request } from 'express';

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** The caller's address, as the trusted proxies tell it. */
export const addressOf = (request: Request): string => request.ip ?? 'unknown';

/**
 * The address of a socket's caller, for which Express tells none: the first one from the right that is no trusted proxy.
 * @param isTrusted Express's rule, by the address and its place from the right
 */
export function addressBehind(
  isTrusted: (address: string, place: number) => boolean,
  { remote, forwarded }: { remote: string; forwarded: string | string[] | undefined },
): string {
  const told = String(forwarded ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  const addresses = [remote, ...told.reverse()];
  return addresses.find((address, place) => !isTrusted(address, place)) ?? addresses.at(-1) ?? remote;
}

/**
 * The network that tries are counted by: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one
 * customer.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return `${groups
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
