import { isPersonName } from './person-name.rules';

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
