import { withoutMarkdown } from './markdown.text';

it.each([
  ['**Flat white** costs **900** tenge', '*Flat white* costs *900* tenge'],
  ['***Важно:*** сегодня', '*Важно:* сегодня'],
  ['## Our prices\n- one', '*Our prices*\n- one'],
  ['# **Prices** #', '*Prices*'],
  ['See [our site](https://shop.example/a?b=1).', 'See our site: https://shop.example/a?b=1.'],
  ['[https://shop.example](https://shop.example)', 'https://shop.example'],
  ['~~1000~~ 900', '~1000~ 900'],
])('%j is said as %j', (written, said) => {
  expect(withoutMarkdown(written)).toBe(said);
});

it.each([
  '2 ** 3 ** 4',
  '*bold* already, and _this_',
  'order #12 and #3',
  '**open',
  'a **\n b **',
  '[note] (later)',
  '[x](javascript:alert(1))',
  'x ~~ y ~~ z',
  '* one\n* two',
  '',
])('%j stays as it is', (written) => {
  expect(withoutMarkdown(written)).toBe(written);
});
