import { INNER_ADDRESSES, HOSTILE_URLS } from '../../../../test/support/stand-ins/hostile.addresses';
import {
  isLoopback,
  isPublicAddress,
  GuardedAddresses,
  AddressRefusedError,
  NameUnknownError,
} from './guarded-addresses';

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

const strict = new GuardedAddresses({ mayReachThisMachine: false });
const here = new GuardedAddresses({ mayReachThisMachine: true });

/** What a connection to a name that leads to these addresses goes to, or why there is none. */
const leadingTo = (addresses: string[], mayReachThisMachine = false): Promise<unknown> =>
  new Promise((resolve) => {
    const guarded = new GuardedAddresses({ mayReachThisMachine, resolve: async () => addresses });
    guarded.lookup('shop.example.com', { all: true }, (error, found) => resolve(error ?? found));
  });

describe('an address', () => {
  it.each([
    'https://shop.example.com/stock?a=1',
    'https://shop.example.com:8443/',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]/',
  ])('%s may be called', (url) => {
    expect(strict.violationOf(url)).toBeNull();
  });

  it('that is hostile is refused by itself, in every form', () => {
    const called = HOSTILE_URLS.filter((url) => !/^must /.test(strict.violationOf(url) ?? ''));
    expect(called).toEqual([]);
  });

  it('of this machine may be called where that is allowed, and nothing else inside', () => {
    expect(here.violationOf('http://localhost:3000/')).toBeNull();
    expect(here.violationOf('http://127.0.0.1/')).toBeNull();
    expect(here.violationOf('http://10.0.0.1/')).not.toBeNull();
    expect(here.violationOf('https://169.254.169.254/')).not.toBeNull();
  });
});

describe('a name', () => {
  it.each(INNER_ADDRESSES)('that leads to %s (%s) is not connected to', async (_, address) => {
    expect(await leadingTo([address])).toBeInstanceOf(AddressRefusedError);
    expect(await leadingTo(['8.8.8.8', address])).toBeInstanceOf(AddressRefusedError);
  });

  it('that leads to public addresses is connected to them, and one that leads nowhere is unknown', async () => {
    expect(await leadingTo(['8.8.8.8', '2606:4700:4700::1111'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    expect(await leadingTo([])).toBeInstanceOf(NameUnknownError);
    expect(await leadingTo(['127.0.0.1', '10.0.0.1'], true)).toBeInstanceOf(AddressRefusedError);
  });
});
