import type { Request } from 'express';

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
