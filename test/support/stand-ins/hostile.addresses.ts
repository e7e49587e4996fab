/** Addresses that are not reachable from everywhere, by what they are. */
export const INNER_ADDRESSES: readonly [string, string][] = [
  ['this network', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carriers’ translation', '100.64.0.1'],
  ['carriers’ translation', '100.127.255.255'],
  ['metadata within it', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata of Azure', '168.63.129.16'],
  ['protocols', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarking', '198.19.255.255'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped, in digits', '::ffff:a00:1'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['compatible', '::127.0.0.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['6to4 of a private address', '2002:c0a8:101::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['metadata of AWS', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
];

/** IPv4 addresses in forms that a reader of addresses may take for something else. */
const DISGUISED = INNER_ADDRESSES.flatMap(([, address]) => {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4 || address.includes(':')) return [];
  const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
  const octal = parts.map((part) => `0${part.toString(8)}`).join('.');
  return [String(whole), `0x${whole.toString(16)}`, octal, `${address}.`, `[::ffff:${address}]`];
});

const PLAIN = INNER_ADDRESSES.map(([, address]) => (address.includes(':') ? `[${address}]` : address));

/** Addresses of which production calls none, whatever their name servers say. */
export const HOSTILE_URLS: readonly string[] = [
  'http://shop.example.com/',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'shop.example.com',
  '/stock',
  '',
  'https://user@shop.example.com/',
  'https://user:word@shop.example.com/',
  'https://:word@shop.example.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.100.100.200/',
  'https://[fd00:ec2::254]/',
  'https://0.0.0.0/',
  ...[...PLAIN, ...DISGUISED].map((host) => `https://${host}/`),
];
