import fc from 'fast-check';
import { IS_LONG, triesOf } from '../../../../test/support/long.mode';
import { DONE, event } from '../../../../test/support/stand-ins/completion.script';
import { readMachineText } from './machine.text';
import { regularStream } from './regular.stream';

const TOOLS = new Set(['hand_over', 'move_lead', 'find_order', 'order', 'delivery', 'price']);
const read = (text: string) => readMachineText(text, TOOLS);

describe('a text for people', () => {
  it.each([
    'Hello! It costs 15,000 ₸.',
    'Да, мы открыты. Приходите!\n\nМы на проспекте Абая, 150.',
    'a < b and b > c, I think <3',
    'Press [operator] or [1].',
    'Your login:\nUser: dana\nPassword: by e-mail',
    '{curly} words, [square] ones (and round)',
    'https://example.com/a?b=<c>&d=[e]',
    '`code` and ```js\nlet a = {b: 1};\n```',
    'Call (727) 123-45-67',
    'We think: it is free.',
    'Thoughts? Write to us.',
    'Assistant manager: Dana',
    'Model: Galaxy S24\nPrice: 450 000 ₸',
    'Bot: @shop_bot',
    'Reasoning and analysis are free.',
    'Analysis costs 5,000 ₸.',
    '**Reasoning:** we are near.\nCome by.',
    'Prices [from (1,000)]',
    'Send it to=dana or {nobody}',
    'می‌خواهم 👨‍👩‍👧',
    'For you:\n```js\nlet a = {b: 1};\n```',
    '**Analysis:**\nDry skin: cream A.\n\n**Response time:** 5 minutes',
    '**Thoughts on your plan:** good.\n\n**Answers to your questions**\n1. yes',
    '<cost-analysis> is a file.',
    'Please send <order number> and <delivery address>.',
    'Your order {"id": 5}',
    'Our price for delivery ("express") is 100, delivery("express") or not.',
    'analysis: your blood test is ready. assistant final',
    'Our functools [a, b]',
    'An example:\n```json\n{"status": 5}\n```',
    'Find_order (by phone) is our way to move_lead times.',
    'Write "name": "Dana" (or hand_over).',
    'می‌خواهم <3 👨‍👩‍👧 [ok]',
  ])('stays as it is: %j', (text) => {
    expect(read(text)).toEqual({ text, calls: [], isBroken: false });
  });
});

describe('thoughts', () => {
  it.each([
    ['<think>a thought</think>Hello.'],
    ['<think>\na thought\n</think>\n\nHello.'],
    ['a thought\n</think>\nHello.'],
    ['<thinking>a thought</thinking>\nHello.'],
    ['< Think >a</ think >Hello.'],
    ['<think type="deep">a</think>Hello.'],
    ['<thought>a</thought>Hello.<thought>b'],
    ['[THINK]a[/THINK]Hello.'],
    ['a[/THINK]Hello.'],
    ['◁think▷a◁/think▷Hello.'],
    ['<|think|>a<|/think|>Hello.'],
    ['<|begin_of_thought|>a<|end_of_thought|>Hello.'],
    ['<unused94>thought a<unused95>Hello.'],
    ['<|channel>thought\na<channel|>Hello.'],
    ['<seed:think>a</seed:think>Hello.'],
    ['&lt;think&gt;a&lt;/think&gt;Hello.'],
    ['<think>a<think>b</think>c</think>Hello.'],
    ['<think>a</think><think>b</think>Hello.'],
    ['<thi<think>x</think>nk>a</think>Hello.'],
    ['<think>a</think><answer>Hello.</answer>'],
    ['Hello.<think>a thought without an end'],
    ['Hello.<thi'],
    ['Hello.</'],
    ['analysisThe user greets. I greet.assistantfinalHello.'],
    ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>'],
    ['<|start|>assistant<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>Hello.'],
    ['analysisТайная мысль.assistantfinalHello.'],
    ['<\u200bthink>a</think\ufeff>Hello.'],
    ['＜think＞a＜／think＞Hello.'],
    ['<details type="reasoning"><summary>Thinking…</summary>a</details>Hello.'],
    ['<details>\n<summary>Размышления</summary>\na\n</details>\n\nHello.'],
    ['```thinking\na\n```\nHello.'],
    ['**Thinking:** a\n\nb\n\n**Answer:** Hello.'],
    ['### Reasoning\na\n\n### Final answer\nHello.'],
    ['**Analysis**\na\n\n**Final answer:** Hello.'],
    ['**Analysis:** the customer lies.\n\n**Response:** Hello.'],
    ['### Reasoning\na\n### Answer: Hello.'],
    ['**Thought process:** a\n**Reply to customer:** Hello.'],
    ['analysis\nThe user wants it.\n\nassistant final\nHello.'],
    ['<thinking_process>a</thinking_process>Hello.'],
    ['<thought-process>a</thought-process>Hello.'],
    ['<internal_thoughts>a</internal_thoughts>Hello.'],
    ['<chain_of_thought>a</chain_of_thought>Hello.'],
    ['<reasoning_content>a</reasoning_content>Hello.'],
    ['[THOUGHT]a[/THOUGHT]Hello.'],
    ['[REASONING]a[/REASONING]\nHello.'],
    ['Hello.\n[REASONING] a'],
    ['<th\u200cink>a</thin\u200dk>Hello.'],
    ['<thi\u2061nk>a</think>Hello.'],
  ])('of %j are taken out', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });

  it.each([
    ['<think>only that'],
    ['only that</think>'],
    ['<|channel|>analysis<|message|>only that'],
    ['thought\nonly that, by Gemini'],
  ])('alone leave nothing: %j', (text) => {
    expect(read(text)).toEqual({ text: '', calls: [], isBroken: false });
  });
});

describe('tokens of turns', () => {
  it.each([
    ['Hello.<|im_end|>'],
    ['<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nHow much?'],
    ['Hello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHow much?'],
    ['<|start_header_id|>assistant<|end_header_id|>\n\nHello.'],
    ['Hello.</s>'],
    ['<s>Hello.</s><s>more'],
    ['Hello.<end_of_turn>\n<start_of_turn>user\nHow much?'],
    ['Hello.[/INST] more'],
    ['Hello.<｜end▁of▁sentence｜>'],
    ['<｜Assistant｜>Hello.<｜User｜>How much?'],
    ['<|assistant|>\nHello.<|user|>\nHow much?'],
    ['Hello.<|endoftext|>Human: more'],
    ['Hel<|reserved_special_token_5|>lo.'],
    ['Hello.\nHuman: How much?\nAssistant: 100'],
    ['Hello.\nUser: How much?\nAssistant: 100'],
    ['Hello.\n### Instruction: more'],
    ['Assistant: Hello.'],
    ['assistant\nHello.'],
  ])('end %j', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });
});

describe('a call that is written as text', () => {
  const REASON = { reason: 'a complaint' };
  const JSON_CALL = '{"name": "hand_over", "arguments": {"reason": "a complaint"}}';
  it.each([
    [`<tool_call>${JSON_CALL}</tool_call>`],
    [`<tool_call>\n${JSON_CALL}\n</tool_call>`],
    [`<tool_call>\n${JSON_CALL}`],
    [`<think>so</think><tool_call>${JSON_CALL}</tool_call>`],
    [`so</think>${JSON_CALL}</tool_call>`],
    [`<tool_calls>[${JSON_CALL}]</tool_calls>`],
    [`<function_call>${JSON_CALL}</function_call>`],
    ['<tool_call>{"name":"hand_over","arguments":"{\\"reason\\":\\"a complaint\\"}"}</tool_call>'],
    [
      '<tool_call>{"type":"function","function":{"name":"hand_over","parameters":{"reason":"a complaint"}}}</tool_call>',
    ],
    ['<function=hand_over>{"reason": "a complaint"}</function>'],
    [
      '<tool_call>\n<function=hand_over>\n<parameter=reason>\na complaint\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      '<minimax:tool_call>\n<invoke name="hand_over">\n<parameter name="reason">a complaint</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      '<function_calls><invoke name="hand_over"><parameter name="reason">a complaint</parameter></invoke></function_calls>',
    ],
    ['<tool_call>hand_over\n<arg_key>reason</arg_key>\n<arg_value>a complaint</arg_value>\n</tool_call>'],
    [`[TOOL_CALLS][${JSON_CALL}]`],
    [`[TOOL_CALLS] [${JSON_CALL}]</s>`],
    ['[TOOL_CALLS]hand_over[ARGS]{"reason": "a complaint"}'],
    ['<|python_tag|>{"name": "hand_over", "parameters": {"reason": "a complaint"}}<|eom_id|>'],
    ['<|python_tag|>hand_over.call(reason="a complaint")'],
    [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.hand_over:0<|tool_call_argument_begin|>{"reason": "a complaint"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>hand_over\n```json\n{"reason": "a complaint"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>hand_over<｜tool▁sep｜>{"reason": "a complaint"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      '<|channel|>commentary to=functions.hand_over <|constrain|>json<|message|>{"reason": "a complaint"}<|call|>',
    ],
    [
      '<|start|>assistant to=functions.hand_over<|channel|>commentary json<|message|>{"reason": "a complaint"}<|call|>',
    ],
    ['<|tool_call>call:hand_over{"reason": "a complaint"}<tool_call|>'],
    ['```tool_code\nprint(default_api.hand_over(reason="a complaint"))\n```'],
    ['```json\n' + JSON_CALL + '\n```'],
    [JSON_CALL],
    [`[${JSON_CALL}]`],
    [`{"tool_calls": [${JSON_CALL}]}`],
    ['hand_over({"reason": "a complaint"})'],
    ['functions.hand_over{"reason": "a complaint"}'],
    ['hand_over(reason="a complaint")'],
    ["hand_over(reason='a complaint')"],
    ['[Calling tool: hand_over with arguments: {"reason": "a complaint"}]'],
    ['Action: hand_over\nAction Input: {"reason": "a complaint"}'],
    ['Thought: a secret\nof two lines\nAction: hand_over\nAction Input: {"reason": "a complaint"}'],
    ['[hand_over(reason="a complaint")]'],
    [
      '<｜DSML｜function_calls><｜DSML｜invoke name="hand_over"><｜DSML｜parameter name="reason" string="true">a complaint</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
    ],
    [`functools[${JSON_CALL}]`],
    ['<hand_over><reason>a complaint</reason></hand_over>'],
    ['<hand_over>{"reason": "a complaint"}</hand_over>'],
    ['assistantcommentary to=functions.hand_over json{"reason": "a complaint"}'],
    ['to=hand_over {"reason": "a complaint"}'],
  ])('is a call: %j', (text) => {
    const { calls, ...rest } = read(text);
    expect(calls.map(({ name, input }) => ({ name, input: JSON.parse(input) as unknown }))).toEqual([
      { name: 'hand_over', input: REASON },
    ]);
    expect(rest).toEqual({ text: '', isBroken: false });
  });

  it.each([
    [`One moment.\n<tool_call>${JSON_CALL}</tool_call>`, 'One moment.'],
    [`One moment.\n\n${JSON_CALL}`, 'One moment.'],
    [`One moment.\n${JSON_CALL}`, 'One moment.'],
    [`One moment.\n\n\`\`\`json\n${JSON_CALL}\n\`\`\``, 'One moment.'],
    [`<tool_call>${JSON_CALL}</tool_call>\nOne moment.<|im_end|>`, 'One moment.'],
    ['One moment. [hand_over(reason="a (real) complaint")]', 'One moment.'],
    [`One moment.\nfunctools[${JSON_CALL}]`, 'One moment.'],
    ['One moment. <hand_over><reason>a</reason></hand_over>', 'One moment.'],
    ['hand_over(reason="a")\nOne moment.', 'One moment.'],
    ['One moment.\nhand_over(reason="a")\nThank you.', 'One moment.\n\nThank you.'],
    ['One moment: hand_over({"reason": "a"})', 'One moment:'],
    ['One moment. `hand_over(reason="a (real) one")`', 'One moment.'],
    [`One moment! ${JSON_CALL} Thank you.`, 'One moment! Thank you.'],
    ['One moment.\n@hand_over {"reason": "a"}', 'One moment.'],
    ['One moment. <hand_over reason="a"/>', 'One moment.'],
    ['One moment. <hand_over/>', 'One moment.'],
    ['One moment. {"type":"function","function":{"name":"hand_over","arguments":{}}}', 'One moment.'],
    ['One moment. {"tool_call": {"name": "hand_over"}} Bye.', 'One moment. Bye.'],
    ['One moment. [hand_over(reason="a"), hand_over(reason="b")] Bye.', 'One moment. Bye.'],
    ['One moment. print(hand_over(reason="a"))', 'One moment.'],
    ['One moment.\n**hand_over(reason="a")**', 'One moment.'],
    ['One moment. <hand_over reason="a">x</hand_over> Bye.', 'One moment. Bye.'],
  ])('leaves the text beside it: %j', (text, words) => {
    expect(read(text)).toMatchObject({ text: words, isBroken: false });
    expect(new Set(read(text).calls.map(({ name }) => name))).toEqual(new Set(['hand_over']));
  });

  it('may be one of several, each once', () => {
    const text = `<tool_call>{"name":"find_order","arguments":{"n":1}}</tool_call><tool_call>{"name":"find_order","arguments":{"n":2}}</tool_call>`;
    expect(read(text).calls.map(({ input }) => input)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('may be one of a list', () => {
    const { calls, text } = read('[find_order(n=1), move_lead(status_id="a, b", reason=\'(c)\')]');
    expect([text, ...calls.map(({ name, input }) => [name, JSON.parse(input) as unknown])]).toEqual([
      '',
      ['find_order', { n: 1 }],
      ['move_lead', { status_id: 'a, b', reason: '(c)' }],
    ]);
  });

  it('may name a tool that does not exist', () => {
    expect(read('<tool_call>{"name":"refund","arguments":{}}</tool_call>').calls).toEqual([
      { name: 'refund', input: '{}' },
    ]);
  });

  it.each([
    ['<tool_call>{"name": "hand_over", "arguments": {</tool_call>'],
    ['<tool_call>{"name": "hand_over", "argu'],
    ['<tool_call>please</tool_call> Hello.'],
    ['[TOOL_CALLS]what'],
    ['{"name": "hand_over", "argum'],
    ['{"status": 5}'],
    ['<|tool_call>call:hand_over{reason:<|"|>a<|"|>}<tool_call|>'],
    ['One moment. hand_over(reason="a'],
    ['One moment. hand_over(reason=a b "c")'],
    ['One moment. {"name": "hand_over", "arguments": {"reason"'],
  ])('that cannot be understood is broken: %j', (text) => {
    expect(read(text)).toMatchObject({ calls: [], isBroken: true });
  });
});

it.each([
  ['a call that begins again and again', '\nto=a {'],
  ['a call of ours that begins again and again', 'hand_over("'],
  ['JSON of ours that begins again and again', '{"name":"hand_over"'],
  ['a tag of ours that begins again and again', '<hand_over '],
])('reads %s in a time that grows with its length', (_, piece) => {
  const timeOf = (length: number): number => {
    const text = piece.repeat(length / piece.length);
    const begun = process.cpuUsage();
    read(text);
    return process.cpuUsage(begun).user / 1_000;
  };
  timeOf(2_000);
  // By the square of it, it would take sixteen times as long, and a quarter of a second at least.
  expect(timeOf(80_000)).toBeLessThan(Math.max(250, 8 * timeOf(20_000)));
});

describe('an answer in JSON', () => {
  it.each([
    ['{"response": "Hello."}'],
    ['{"role": "assistant", "content": "Hello."}'],
    ['```json\n{"reply": "Hello."}\n```'],
    ['{"message": {"content": [{"type": "text", "text": "Hello."}]}}'],
    ['[{"type": "text", "text": "Hello."}]'],
    ['{"answer": "<think>so</think>Hello."}'],
    ['Вот ответ:\n```json\n{"reply": "Hello."}\n```'],
  ])('is its text: %j', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });
});

describe('any text', () => {
  /** A secret that no customer may read, in each of the forms, before or after the words. */
  const HIDDEN: readonly ((secret: string) => string)[] = [
    (secret) => `<think>${secret}</think>`,
    (secret) => `<Thinking>\n${secret}\n</Thinking>\n`,
    (secret) => `[THINK]${secret}[/THINK]`,
    (secret) => `◁think▷${secret}◁/think▷`,
    (secret) => `<tool_call>{"name":"find_order","arguments":{"of":"${secret}"}}</tool_call>`,
    (secret) => `<function=find_order>{"of":"${secret}"}</function>`,
    (secret) => `<invoke name="find_order"><parameter name="of">${secret}</parameter></invoke>`,
    (secret) =>
      `<|tool_call_begin|>functions.find_order:0<|tool_call_argument_begin|>{"of":"${secret}"}<|tool_call_end|>`,
    (secret) => `<｜tool▁call▁begin｜>find_order<｜tool▁sep｜>{"of":"${secret}"}<｜tool▁call▁end｜>`,
    (secret) => `<tool_response>${secret}</tool_response>`,
    (secret) => `\n\n{"name":"find_order","arguments":{"of":"${secret}"}}\n\n`,
    () => '<|im_start|>assistant\n',
    (secret) => `<|im_end|>\n<|im_start|>user\n${secret}<|im_end|>`,
    (secret) => `<end_of_turn>\n<start_of_turn>user\n${secret}`,
    (secret) => `</s>${secret}`,
    (secret) =>
      `<｜DSML｜invoke name="find_order"><｜DSML｜parameter name="of">${secret}</｜DSML｜parameter></｜DSML｜invoke>`,
    (secret) => `<find_order><of>${secret}</of></find_order>`,
    (secret) => `<details type="reasoning">${secret}</details>`,
  ];
  const SECRET = 'hunter2';
  const MARKS =
    /<\/?think|<\/?thinking|\[\/?THINK|◁|<\|?\/?tool|<function|<invoke|<\||\|>|｜|▁|"arguments"|_of_turn|<\/s/i;
  const piece = fc.oneof(
    fc.constantFrom('Hello. ', 'Да, есть. ', '15 000 ₸ < 20 000 ₸. ', '😀 ', 'a\n\nb. ', '"Yes," she said. '),
    fc.constantFrom(...HIDDEN).map((hide) => hide(SECRET)),
  );

  it('cut anywhere holds no mark and nothing that was hidden', () => {
    let cuts = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const whole = pieces.join('');
        for (let at = 0; at <= whole.length; at += IS_LONG ? 1 : 5) {
          cuts += 1;
          const { text } = read(whole.slice(0, at));
          expect(text).not.toMatch(MARKS);
          expect(text).not.toContain(SECRET);
        }
      }),
      { numRuns: triesOf(300, 5_000) },
    );
    expect(cuts).toBeGreaterThan(1_000);
  });

  it('of a stream that is cut at every byte holds none either', async () => {
    /** The text that has come by each event, when the bytes come one by one. */
    async function* comingOf(stream: Buffer): AsyncGenerator<string> {
      let written = '';
      const bytes = ReadableStream.from(Array.from(stream, (byte) => Uint8Array.of(byte)));
      const texts = regularStream(bytes).pipeThrough(new TextDecoderStream());
      for await (const coming of texts) {
        if (coming.startsWith('data: {'))
          written += (JSON.parse(coming.slice('data: '.length)) as Chunk).choices[0]?.delta.content ?? '';
        yield written;
      }
    }
    interface Chunk {
      choices: { delta: { content: string | null } }[];
    }
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(2, 5, 11),
        async (pieces, size) => {
          const whole = pieces.join('');
          const deltas = whole.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
          const events = deltas.map((content) => event({ content })).join('');
          const stream = Buffer.from(events + event({}, 'stop') + DONE);
          cuts += stream.length;
          let last = '';
          for await (const written of comingOf(stream)) {
            if (written === last) continue;
            const { text } = read(written);
            expect(text).not.toMatch(MARKS);
            expect(text).not.toContain(SECRET);
            last = written;
          }
          expect(last).toBe(whole);
        },
      ),
      { numRuns: triesOf(30, 5_000) },
    );
    expect(cuts).toBeGreaterThan(10_000);
  });

  it('that is read is read alike again', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const { text } = read(pieces.join(''));
        expect(read(text)).toEqual({ text, calls: [], isBroken: false });
      }),
      { numRuns: 300 },
    );
  });

  it('of any size is read in no time', () => {
    const began = performance.now();
    for (const mark of [
      '<',
      '<|',
      '<think>',
      '</think>',
      '\n',
      ' ',
      '{',
      '}',
      ')',
      'a(',
      '<function=a>',
      '[TOOL_CALLS]',
      '```\n',
      'Action: a\n',
      'User:\n',
      '<details>',
      '```thinking\n',
      'functools[',
      'to=a {',
      'Thought: a\n',
      '[a(',
      '<hand_over>',
      '**thinking\n',
      '＜think',
      '"',
      '<tool_call>',
    ])
      read(mark.repeat(20_000));
    // A reader that goes back and forth over it would take hours; a busy machine takes half a minute.
    expect(performance.now() - began).toBeLessThan(100_000);
  });
});
