import { ValidationError } from '@app/contracts/coded.errors';
import { isWithoutBody, parseJsonBody } from './json-body';
import { processorMsOf } from '../../../../../test/support/processor.time';

const JSON_TYPE = 'application/json';

const parsed = (text: string, headers: Record<string, string> = { 'content-type': JSON_TYPE }): object =>
  parseJsonBody(headers, Buffer.from(text));

/** The path and the message with which it is refused. */
function refusalOf(text: string, headers?: Record<string, string>): [path: string, message: string] {
  try {
    parsed(text, headers);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const [{ path, message } = { path: 'none', message: '' }] = error.details;
    return [path, message];
  }
  throw new Error('it was taken');
}

it.each([
  [''],
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['application/vnd.api+json'],
  ['application/jsonp'],
  ['application/json; charset=latin1'],
  ['application/json; charset=utf-16'],
  ['application/json, text/plain'],
  [';;;'],
])('a body of the type "%s" is refused', (type) => {
  expect(refusalOf('{}', { 'content-type': type })).toEqual(['', expect.stringContaining('Content-Type')]);
});

it('a body without a type is refused', () => {
  expect(refusalOf('{}', {})).toEqual(['', expect.stringContaining('Content-Type')]);
});

it.each([
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ;',
])('a body of the type %s is taken', (type) => {
  expect(parsed('{"a":1}', { 'content-type': type })).toEqual({ a: 1 });
});

it('a type of very many blanks is refused at once', () => {
  const tookMs = processorMsOf(() => {
    for (const type of [`${JSON_TYPE}${' '.repeat(15_000)}x`, `${JSON_TYPE};${'\t '.repeat(8_000)}x`])
      for (let tries = 0; tries < 60; tries++) refusalOf('{}', { 'content-type': type });
  });
  // Quadratic time would be seconds.
  expect(tookMs).toBeLessThan(1_000);
});

it.each(['gzip', 'br', 'deflate', 'identity, gzip'])('a body encoded by %s is refused', (encoding) => {
  const headers = { 'content-type': JSON_TYPE, 'content-encoding': encoding };
  expect(refusalOf('{}', headers)).toEqual(['', expect.stringContaining('compressed')]);
});

it.each(['[]', '[{}]', 'null', 'true', '7', '"text"'])('%s is no object', (text) => {
  expect(refusalOf(text)).toEqual(['', 'the body must be a JSON object']);
});

it('what the strict parser refuses is a violation at its path', () => {
  expect(refusalOf('{"items":[{"id":1,"id":2}]}')[0]).toBe('items[0].id');
  expect(refusalOf('{"a":1,}')[0]).toBe('');
});

it('a call says that it has no body by no length, or by the length 0', () => {
  expect([{}, { 'content-length': '0' }].map(isWithoutBody)).toEqual([true, true]);
  expect([{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }].map(isWithoutBody)).toEqual([
    false,
    false,
  ]);
});
