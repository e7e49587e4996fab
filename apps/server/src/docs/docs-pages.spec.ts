import type { IncomingMessage } from 'node:http';
import { asksFromThisMachine } from './docs-pages';

const asks = (remoteAddress: string, headers: Record<string, string>): boolean =>
  asksFromThisMachine({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(asks(address, { host: 'localhost:3000' })).toBe(true);
});

it.each(['192.0.2.7', '10.0.0.1', '::ffff:192.0.2.7', 'fe80::1', ''])(
  'whoever comes by %s is not at this machine',
  (address) => {
    expect(asks(address, { host: 'localhost:3000' })).toBe(false);
  },
);

it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])(
  'asks this machine as %s',
  (host) => {
    expect(asks('127.0.0.1', { host })).toBe(true);
  },
);

it.each([
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example:3000',
  '192.0.2.7:3000',
  'localhost:3000@evil.example',
  '',
])('a browser of this machine that was led here by the name %j is not its person', (host) => {
  expect(asks('127.0.0.1', { host })).toBe(false);
});

it.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])(
  'a proxy that says %s asks for others',
  (name) => {
    expect(asks('127.0.0.1', { host: 'localhost:3000', [name]: '192.0.2.7' })).toBe(false);
  },
);
