import { withoutMarkdown } from './markdown-text';
import { processorMsOf } from '../../../../../test/support/processor.time';

it.each([
  ['**Flat white** costs **900** tenge', '*Flat white* costs *900* tenge'],
  ['__Flat white__ costs __900__', '*Flat white* costs *900*'],
  ['an *open* day, an _open_ day', 'an _open_ day, an _open_ day'],
  ['***Важно:*** сегодня', '_*Важно:*_ сегодня'],
  ['**two\nlines**', '*two*\n*lines*'],
  ['## Our prices\n- one', '*Our prices*\n- one'],
  ['# **Prices** #', '*Prices*'],
  ['Prices\n======\n\nAll', '*Prices*\n\nAll'],
  ['See [our site](https://shop.example/a?b=1).', 'See our site: https://shop.example/a?b=1.'],
  ['[https://shop.example](https://shop.example)', 'https://shop.example'],
  ['[**Here**](https://shop.example)', '*Here*: https://shop.example'],
  ['[call](tel:+77010000000)', 'call: +77010000000'],
  ['<https://shop.example>', 'https://shop.example'],
  ['![Photo](https://shop.example/a.jpg)', 'Photo: https://shop.example/a.jpg'],
  ['![](https://shop.example/a.jpg)', 'https://shop.example/a.jpg'],
  ['~~1000~~ 900', '~1000~ 900'],
  ['* one\n* two', '- one\n- two'],
  ['- one\n  - inner\n- two', '- one\n  - inner\n- two'],
  ['3. three\n4. **four**', '3. three\n4. *four*'],
  ['- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
  ['| Drink | Price |\n|---|---|\n| Latte | **900** |\n| Tea | |', '*Drink – Price*\nLatte – *900*\nTea'],
  ['One\n\n---\n\nTwo', 'One\n\nTwo'],
  ['One<br>two<br/>three', 'One\ntwo\nthree'],
  ['<b>One</b> and <i>two</i>', '*One* and _two_'],
  ['a \\* b', 'a * b'],
  ['价格是**900**元', '价格是*900*元'],
  ['**Цена:**100 ₸', '*Цена:* 100 ₸'],
  ['Это**«Лето»**, да', 'Это *«Лето»*, да'],
  [
    'See <a href="https://shop.example/?a=1&amp;b=2" target="_blank">our <b>site</b></a>.',
    'See our *site*: https://shop.example/?a=1&b=2.',
  ],
  ['<a href="javascript:alert(1)">here</a>', 'here'],
  ['<img src="https://shop.example/a.jpg" alt="Two cups">', 'Two cups: https://shop.example/a.jpg'],
  ['A&nbsp;&mdash; b &amp; &quot;c&quot; &laquo;d&raquo; &lt;3', 'A — b & "c" «d» <3'],
  ['> quoted\n> twice', '> quoted\n> twice'],
])('%j is said as %j', (written, said) => {
  expect(withoutMarkdown(written)).toBe(said);
});

it.each([
  '2 ** 3 ** 4',
  '2*3*4',
  '2**3**4 and 2~~3~~4',
  'a*b*c',
  'ширина*высота*глубина',
  'order #12 and #3',
  '**open',
  '[note] (later)',
  '[x](javascript:alert(1))',
  'x ~~ y ~~ z',
  'snake_case_name',
  'https://shop.example/a_b_c?d=*e*',
  'dana@shop.example, www.shop.example',
  'use `**kwargs` there',
  '```\n**code**\n\n| a |\n```',
  'One.\nTwo.\n\nThree:\nfour',
  '+7 701 000 00 00',
  'a < b & c > d',
  'use `<a href="x">` and `&nbsp;` there',
  'R&D; AT&T; https://shop.example/?a=1&copy=2',
  'a **b** c'.replaceAll('**', '** '),
  '<дата> и <имя>',
  '',
])('%j stays as it is', (written) => {
  expect(withoutMarkdown(written)).toBe(written);
});

it('of any size is said in no time', () => {
  const tookMs = processorMsOf(() => {
    for (const piece of ['*', '**a', '_', '[', '![', '<', '`', '> ', '- ', '| a |\n', '~~'])
      withoutMarkdown(piece.repeat(Math.ceil(8_000 / piece.length)));
  });
  expect(tookMs).toBeLessThan(10_000);
});
