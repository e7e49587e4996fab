import type { IncomingHttpHeaders } from 'node:http';
import { OriginRule } from './origin.rules';

const HOST = '127.0.0.1:3000';
const rule = new OriginRule({ value: 'http://leadline.example.com' });

/** Whether what a page does in a person's name, a socket with a key, and one by a session are let in. */
const letIn = (headers: IncomingHttpHeaders, by = rule): boolean[] =>
  [
    () => by.requireOwn(headers),
    () => by.requireNoForeign(headers),
    () => by.requireOwnSocket(headers, false),
  ].map((check) => {
    try {
      check();
      return true;
    } catch {
      return false;
    }
  });

it.each(['http://leadline.example.com', `http://${HOST}`])(
  'a page of the service may all of it, by its public name and by the one it was reached by: %s',
  (origin) => {
    expect(letIn({ origin, host: HOST })).toEqual([true, true, true]);
  },
);

it.each([
  ['nothing', ''],
  ['null, as of a sandboxed frame', 'null'],
  ['another site', 'https://evil.example'],
  ['a sub-domain', `http://sub.${HOST}`],
  ['a name that begins alike', 'http://127.0.0.1.evil.example:3000'],
  ['another port', 'http://127.0.0.1:3001'],
  ['no port', 'http://127.0.0.1'],
  ['the host as a user', `http://${HOST}@evil.example`],
  ['two origins', `http://${HOST} https://evil.example`],
  ['a list', `http://${HOST}, https://evil.example`],
  ['a path', `http://${HOST}/`],
  ['the other protocol', `https://${HOST}`],
  ['another scheme', `app://${HOST}`],
  ['a file', 'file://'],
])('an Origin that is another one may nothing: %s', (_, origin) => {
  expect(letIn({ origin, host: HOST })).toEqual([false, false, false]);
});

it('without an Origin a program comes in by a key alone', () => {
  expect(letIn({ host: HOST })).toEqual([false, true, false]);
});

it.each([
  ['same-origin', true, true],
  ['same-origin', false, false],
  ['cross-site', true, false],
  ['same-site', true, false],
  ['none', true, false],
])('a socket by a session without an Origin, from %s (polling: %s): %s', (site, isPolling, isIn) => {
  const open = () => rule.requireOwnSocket({ host: HOST, 'sec-fetch-site': site }, isPolling);
  if (isIn) expect(open).not.toThrow();
  else expect(open).toThrow();
});

it('another Origin is not let in by what says where the page is from', () => {
  const headers = { host: HOST, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' };
  expect(() => rule.requireOwnSocket(headers, true)).toThrow();
});

it('behind https the same host without TLS is another origin', () => {
  const secure = new OriginRule({ value: 'https://leadline.example.com' });
  const host = 'leadline.example.com';
  for (const origin of [`http://${host}`, `http://${host}:443`, `https://${host}:8443`])
    expect(letIn({ origin, host }, secure)).toEqual([false, false, false]);
  for (const at of [host, '10.0.0.7:3000'])
    expect(letIn({ origin: `https://${host}`, host: at }, secure)).toEqual([true, true, true]);
});
