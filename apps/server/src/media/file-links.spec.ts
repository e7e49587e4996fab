import { randomUUID } from 'node:crypto';
import { fileLinks } from './file-links';

const FILE = { accountId: randomUUID(), id: randomUUID() };
const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;

const linksAt = (minutes = 0, secret = 'a secret') =>
  fileLinks('https://leadline.example', secret, () => NOW + minutes * MINUTE_MS);
const tokenOf = (link: string | null): string => link?.split('/').at(-1) ?? '';
const token = tokenOf(linksAt().linkOf(FILE));

it('an address names its file, and leads to the service', () => {
  expect(linksAt().linkOf(FILE)).toBe(`https://leadline.example/files/${token}`);
  expect(linksAt().read(token)).toEqual(FILE);
  expect(fileLinks(null, 'a secret').linkOf(FILE)).toBeNull();
});

it('an address ends after an hour', () => {
  expect(linksAt(59.99).read(token)).toEqual(FILE);
  expect(linksAt(60).read(token)).toBeNull();
});

it('an address is of no use when anything of it is changed', () => {
  const changed = [...token].map(
    (letter, at) => `${token.slice(0, at)}${letter === 'A' ? 'Q' : 'A'}${token.slice(at + 1)}`,
  );
  for (const other of [...changed, '', 'x', token.slice(1), `${token}A`, `${token}\u0000`, `${token}=`])
    expect([other, linksAt().read(other)]).toEqual([other, null]);
});

it('an address of another secret is of no use', () => {
  expect(linksAt(0, 'another secret').read(token)).toBeNull();
});
