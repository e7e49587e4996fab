/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { csvOfTable } from './csv-file';

const written = (text: string): string =>
  csvOfTable(['text'], [[text]])
    .split('\r\n')
    .slice(1)
    .join('\r\n')
    .replaceAll('"', '');

it.each([
  '=1',
  '+7 (702)',
  '-1',
  '@a',
  '＝1',
  '\t=1',
  ' =1',
  ...[...'\u200b\u3164\ufe0f\u2800\u115f\u1160\uffa0\u17b4'].map((sign) => `${sign}=1`),
])('a cell that a spreadsheet would take for a formula begins with an apostrophe: %j', (text) =>
  expect(written(text)).toBe(`'${text}`),
);

it.each(['+77010000001', 'a=1', "'=1", '', 'Аида', ' Аида', '\u3164Аида'])(
  'any other cell stays as it is: %j',
  (text) => expect(written(text)).toBe(text),
);
