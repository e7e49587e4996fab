import { namesItsHost } from './route-check-middleware';

it.each([
  ['1.1', ['Host', 'a'], true],
  ['1.1', ['Accept', '*/*', 'HOST', ''], true],
  ['1.1', ['Accept', 'host'], false],
  ['1.1', ['Host', 'a', 'host', 'a'], false],
  ['1.0', ['Accept', '*/*'], true],
  ['1.0', ['Host', 'a', 'Host', 'b'], false],
])('a request by HTTP/%s with the headers %j says its host: %s', (httpVersion, rawHeaders, does) => {
  expect(namesItsHost({ httpVersion, rawHeaders })).toBe(does);
});
