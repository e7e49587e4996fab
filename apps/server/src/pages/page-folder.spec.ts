import { encodingFor, ENCODINGS } from './page-folder';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['*', 'br'],
  ['gzip, br', 'br'],
  ['GZIP', 'gzip'],
  ['gzip ; q=0.9 , br ; q=0.8', 'gzip'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['identity;q=0', 'identity'],
  ['identity;q=0.5, gzip;q=0.4', 'identity'],
  ['br;q=2, gzip;q=0.1', 'gzip'],
  ['br;level=1', 'identity'],
])('Accept-Encoding %j gets %s', (header, encoding) => {
  expect(encodingFor(header, ENCODINGS)).toBe(encoding);
});

it('only forms that are there are sent', () => {
  expect(encodingFor('br, gzip', ['gzip', 'identity'])).toBe('gzip');
  expect(encodingFor('br, gzip', ['identity'])).toBe('identity');
});
