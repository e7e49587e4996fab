import { BlockList, isIP } from 'node:net';

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
