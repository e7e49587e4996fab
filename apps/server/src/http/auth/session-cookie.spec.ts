import { createHmac } from 'node:crypto';
import { SessionCookie } from './session-cookie';

const SECRET = 'the secret of this service';
const TOKEN = 'Zm91cnR5LXR3byByYW5kb20gY2hhcmFjdGVycw';

const cookieAt = (value: string): SessionCookie => new SessionCookie({ value }, { value: SECRET });
const cookie = cookieAt('http://localhost:3000');

const signatureOf = (token: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(token).digest('base64').replace(/=+$/, '');
const signed = (token: string, secret?: string): string => `s:${token}.${signatureOf(token, secret)}`;
const altered = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

const tokenIn = (text: string): string | null => cookie.tokenOf({ cookie: `leadline=${text}` });
const value = signed(TOKEN);

it('a value that this service signed has its session, each time', () => {
  for (let times = 0; times < 2; times++) expect(tokenIn(encodeURIComponent(value))).toBe(TOKEN);
  expect(cookie.csrfTokenOf({ cookie: `leadline=${encodeURIComponent(value)}` })).toBe(
    cookie.csrfTokenFor(TOKEN),
  );
});

it.each(
  [
    '',
    TOKEN,
    `s:${TOKEN}`,
    `s:${TOKEN}.`,
    `s:${TOKEN}.${signatureOf('another')}`,
    `S:${TOKEN}.${signatureOf(TOKEN)}`,
    `j:${JSON.stringify({ token: TOKEN })}`,
    altered(value, 5),
    altered(value, value.indexOf('.') - 1),
    altered(value, value.length - 1),
    `${value}=`,
    `${value} x`,
    `s:${TOKEN}\0.${signatureOf(TOKEN)}`,
    signed(TOKEN, 'another secret'),
    'x'.repeat(7_000),
  ]
    .map(encodeURIComponent)
    .concat('%zz', `%zz${encodeURIComponent(value)}`, `"${encodeURIComponent(value).slice(1)}"`),
)('a value that was forged, altered or broken has none, and is no missing one: %s', (text) => {
  expect([tokenIn(text), cookie.isGiven({ cookie: `leadline=${text}` })]).toEqual([null, true]);
});

it('behind https only the name counts that no sub-domain can plant', () => {
  const secure = cookieAt('https://leadline.example.com');
  expect([secure.name, secure.isSecure, cookie.isSecure]).toEqual(['__Host-leadline', true, false]);
  const given = encodeURIComponent(value);
  expect(secure.tokenOf({ cookie: `leadline=${given}` })).toBeNull();
  expect(secure.tokenOf({ cookie: `leadline=x; __Host-leadline=${given}` })).toBe(TOKEN);
});
