import { BlockList, isIP } from 'node:net';

/**
 * What is not reachable from everywhere, of the IANA registry of special-purpose addresses (RFC 6890 and its
 * successors), and what a cloud answers on for its own machines alone.
 */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carriers' address translation; one cloud's metadata (100.100.100.200) lies here.
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
  // Azure's own services for a machine.
  ['168.63.129.16', 32],
] as const;

/**
 * Of IPv6 only 2000::/3 is given to anybody: outside of it lie loopback, mapped IPv4 (::ffff:0:0/96), NAT64
 * (64:ff9b::/96), unique local, link-local and multicast. Inside of it these are not public.
 */
const NOT_PUBLIC_6 = [
  // Protocols' own: Teredo, benchmarking, ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which carries an IPv4 address.
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

/** Whether an IP address is one that anybody on the internet may reach; what is no plain IP address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !notPublic.check(address, 'ipv4');
  return given.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether an IP address is this machine's own loopback. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return thisMachine.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
