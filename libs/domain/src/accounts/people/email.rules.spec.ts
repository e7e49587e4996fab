import { isEmail } from './email.rules';

it.each([
  'dana@example.com',
  'Dana.K+leads@sales.example.com',
  'o’neil@example.com',
  'ｄａｎａ@example.com',
  'дана@пример.рф',
  'admin@localhost',
])('%j is an address', (text) => {
  expect(isEmail(text)).toBe(true);
});

it.each([
  'dana',
  '@example.com',
  'dana@',
  'a@b@example.com',
  'a＠b@example.com',
  'dana k@example.com',
  'dana\u00A0k@example.com',
  'Dana <dana@example.com>',
  '<dana@example.com>',
  'dana@example.com,second',
  'dana，x@example.com',
  '.dana@example.com',
  'dana.@example.com',
  'da..na@example.com',
  'dana@.example.com',
  'dana@example.com.',
  'dana@example..com',
  'dana‥k@example.com',
  'dana\u202E@example.com',
  'dana\n@example.com',
  `${'x'.repeat(65)}@example.com`,
])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});
