import { hash, verify } from '@node-rs/argon2';
import { PasswordHasher } from './password-hasher';

jest.mock('@node-rs/argon2', () => {
  const argon2 = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
  return { ...argon2, hash: jest.fn(argon2.hash), verify: jest.fn(argon2.verify) };
});

it('compares where there is nobody at the cost of any other password', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('network', 'seven quiet rivers');
  expect(await hasher.verify('network', stored, 'seven quiet rivers')).toBe(true);
  expect(await hasher.verify('network', null, 'seven quiet rivers')).toBe(false);
  const [somebodys, nobodys] = jest.mocked(verify).mock.calls.map(([compared]) => String(compared));
  // What differs is the salt and the hash, but not their lengths.
  const form = (encoded = '') => encoded.split('$').map((part, at) => (at < 4 ? part : part.length));
  expect(form(nobodys)).toEqual(form(somebodys));
});

it('takes a password as it is: blanks and case count, how a keyboard composes letters does not', async () => {
  const hasher = new PasswordHasher();
  const password = '  Café at the Quay  ';
  const stored = await hasher.hash('network', password);
  const matches = (given: string): Promise<boolean> => hasher.verify('network', stored, given);
  for (const given of [password.trim(), password.toLowerCase(), `${password} `, password.replace('  ', ' ')])
    expect([given, await matches(given)]).toEqual([given, false]);
  expect(await matches(password.normalize('NFD'))).toBe(true);
});

it('compares where there is nobody although no hash can be made, as where memory is short', async () => {
  const hasher = new PasswordHasher();
  jest.mocked(hash).mockRejectedValueOnce(new Error('no memory'));
  expect(await hasher.verify('network', null, 'seven quiet rivers')).toBe(false);
  expect(await hasher.verify('network', null, '')).toBe(false);
});
