import { networkOf } from './network.rules';

it('is an IPv4 address, within IPv6 too', () => {
  expect(['198.18.0.7', '::ffff:198.18.0.7', '::FFFF:198.18.0.7'].map(networkOf)).toEqual(
    Array(3).fill('198.18.0.7'),
  );
});

it('is 64 bits of an IPv6 address, however it is written', () => {
  const written = [
    ...['2001:db8:0:7::1', '2001:DB8::7:2:0:0:1', '2001:0db8:0000:0007:ffff::3', '2001:db8:0:7:a:b:c:d'],
    '2001:db8:0:7::1%eth0',
  ];
  expect(new Set(written.map(networkOf))).toEqual(new Set(['2001:db8:0:7::/64']));
  expect(networkOf('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});
