import { isEmail, isPersonName } from './person.rules';

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

it.each([
  'Dana\nK',
  'Dana\tK',
  'Dana\u2028K',
  'Dana\u202EK',
  'Dana\u2066K',
  'Dana\u0007K',
  '',
  ' \u200B',
  'x'.repeat(201),
])('a person is not called %j: it breaks the line, turns the text, is not seen, or is too long', (name) => {
  expect(isPersonName(name, 200)).toBe(false);
});

it.each(['Dana', 'Анна-Мария О’Нил 😀', 'x'.repeat(200)])('a person may be called %j', (name) => {
  expect(isPersonName(name, 200)).toBe(true);
});
