import { INNER_ADDRESSES } from '../../../../test/support/stand-ins/hostile.addresses';
import { isLoopback, isPublicAddress } from './public-address';

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
])('%s is reachable from everywhere', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each<[string, string]>([
  ...INNER_ADDRESSES,
  ['no address', 'localhost'],
  ['no address', '127.1'],
  ['no address', ''],
])('%s (%s) is not', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['::1%lo', false],
  ['10.0.0.1', false],
])('this machine: %s %j', (address, is) => {
  expect(isLoopback(address)).toBe(is);
});
