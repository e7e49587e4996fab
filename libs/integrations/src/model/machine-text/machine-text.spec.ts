import fc from 'fast-check';
import { IS_LONG, triesOf } from '../../../../../test/support/long.mode';
import { DONE, event } from '../../../../../test/support/stand-ins/completion.script';
import { MARKS, THOUGHT_NAMES } from './machine-marks-table';
import { readForPeople, readMachineText } from './machine-text';
import { regularStream } from '../regular-stream';
import { processorMsOf } from '../../../../../test/support/processor.time';

const TOOLS = new Set(['hand_over', 'move_lead', 'find_order', 'order', 'delivery', 'price']);
const read = (text: string) => readMachineText(text, TOOLS);

describe('a text for people', () => {
  it.each([
    'Hello! It costs 15,000 ₸.',
    'Да, мы открыты. Приходите!\n\nМы на проспекте Абая, 150.',
    'a < b and b > c, I think <3',
    'Send this:\n\n```json\n{\n  "name": "Anna",\n  "phone": "+7700"\n}\n```\n\nThe answer has the id.',
    'package.json:\n```json\n{\n  "name": "shop",\n  "scripts": {"a": "}"}\n}\n```\nThen run it.',
    'Send this JSON:\n```json\n{"name": "Anna", "phone": "+7700"}\n```',
    'The error is:\n```json\n{"message": "Invalid token", "code": 401}\n```',
    'Цена: <s>было 5000 ₸</s> 4000 ₸',
    '<s>Old price: 5000 ₸</s> 4000 ₸',
    'A laptop (<s>it was 300 000 ₸</s>) 250 000 ₸',
    'Das Buch ‹Thinking› kostet 12 €.',
    '<user> – your login\n<password> – your password',
    'analysis of blood: 3,500 ₸',
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
    'Here is my response: yes.',
    'Action: call us.\nAnswer: yes.',
    'Reasoning: it is near.\nThe answer: yes.',
    'Our names: [REASON], [ANALYSIS], [TEXT], [name]',
    'Prices >>> here\n>>> and there',
    'Thinking... it may be free.',
    'Call -> tool, function call, to=us',
    '<start_here> and <end_here>, <text> of 5 pages',
    'Please <call us> about the <toolbox>: <action needed>',
    'At night it is <0',
    'Thinking...\nWe have it.',
    'Your promo code: ```SALE10```.',
    'Code: ```A1``` or ```B2```, both are good.',
    '```js\nlet a = 1;\n```\n```js\nlet b = 2;\n```',
    'An empty block: ```\n```',
    'Please send <order_number> <return_reason> <photo>. We answer today.',
    'Please name the <cancel-reason>. We answer today.',
    'Our class <<Inner Peace>> starts at 9. Shall I book you in?',
    'Our class <<Reflection>> starts at 9. Shall I book you in?',
    'Write <reason for return> in the form. We answer today.',
    'Tell us <what you think> or <thoughts on it>. We read it all.',
    'Our <think-tank> meets on Monday. Come by!',
    'Fill in <your name>, <phone> and <delivery_address>, please.',
    'Заполните <номер_заказа> и <причина_возврата>. Ответим сегодня.',
    'Bitte <Bestellnummer> und <Grund_der_Rückgabe> angeben. Wir antworten heute.',
    'Tell me <your_thoughts>, and the <refund_reasoning>. Bye.',
    'Visit our <Observation deck> at 9. Bring <tools you need>.',
    'Type <kitchen_tools> in the search. Bye.',
    'The pipe is < inner diameter 20 mm, so it fits. Shall I order it?',
    'If it is < call us: +7 701 000 00 00',
    'If it is <call us: +7 701 000 00 00',
    'If it is <call us',
    'It is < think about it',
    'Sorry </3 we ran out. More on Monday!',
    'Sorry </3',
    'We love you <3',
    'We love you <333 and all',
    'see [menu]~',
    'Write [think] in the form, we know what it means.',
    'Your word is [Thinking]. Come by!',
    'Choose one: [think], [act].',
    'Поле «[think]» оставьте пустым.',
    'We are hiring:\nmanager\nassistant\ncashier',
    'Our [reason] and [analysis] are free.',
    'see [menu',
    'see [Menu] or [price list',
    'Цена < 5 000 ₸, доставка → 500 ₸',
    'Größe <größer als 40',
    'a <-> b, c <= d, e => f, g <- h, i -> j',
    'Prices: <5 kg: 10 €, >5 kg: 15 €',
    '＜menu＞ and ＜price list＞',
    'Tap <Call> to reach us',
    'Tap <Action>, then <Call>',
    'Tap <Reply> or <Message> to write to us.',
    'Analysis: full blood count, 3,500 ₸, on an empty stomach.\nResponse: the same day by e-mail.',
    'Analysis: vitamin D\nPrice: 20 $\nReply: YES to book',
    '**Analysis:** vitamin D\nReply: YES to book',
    'Thoughts: a gift, or a card.\nReply: 1 or 2',
    'Анализ: витамин D\nОтвет: в тот же день',
    'Analyse: Vitamin D\nAntwort: am selben Tag',
    'Answer: yes, we are open.',
    'Answer: 20 $\nResponse: today',
    'Thought: a card is a good gift, too. Shall I add one?',
    'Thought of a gift? Write to us.',
    'Reasoning: we are near.',
    'Action: Sale(-20%)',
    'Action: call()',
    'Action: Sale (-20 %), today only!\nCome by.',
    '>>>Sale\nAll phones -20%',
    '>>> Акция\nВсе телефоны -20%',
    'For instance:\n```json\n{"order": {"id": 5}}\n```',
    'Your <order> is ready, the <price> is 20 $, the <delivery> is free.',
    'Please send <order>',
    'Price: <s>100</s> 80 $',
    'Type <s> for small, <m> for medium.',
    'Size <s>',
    'Größe S<M<L',
    'Class <<Thinking>>, <<Reasoning>>',
    'ТВ <40" и >50"',
    'Hello <name>, your order <order> is <status>.',
    'Цена: <s>15 000 ₸</s> 12 000 ₸',
    'Login: <user>, password: by e-mail',
    'Write to <user>@example.com, or <human> help.',
    'Monospace: ```+7 701 000 00 00```',
    '*Bold*, _italic_, ~struck~ and `code`',
    'Gutschein: ```SOMMER```, gültig bis 31.12.',
    'Код: ```ЛЕТО10```. Действует до 31.12.',
    '1) a\n2) b\n> quoted\n- item',
    '{name}, your {{code}} is [code]',
    'Grund: <3 gute Gründe>',
    '50% off (today!) → https://example.com/?q=<code>&a=[1]',
    'Тег `<think>` в HTML не бывает, не пишите его.',
    'The tags `<think>` and `</think>` are not HTML. The token `<|im_end|>` ends a turn.',
    'Human: так начинается фильм.',
    'The claim_end> and ‹Antwort› or <im_here>',
    '```js\n{ colour: "red", sizes: [1, 2] }\n```',
    '```',
    '***',
    'In C++ `vector<int>`, in Java `List<String>`, and `<order>` in ours.',
    'Write `[think]` there, or `</s>`.',
    'Analysis\nand message',
    'The final message: hello',
    'We open at 9. The assistant: Dana.',
    '5 < 6 and 7 > 6; x <= y, y >= z; ‹a› ‹b›; 〈context〉, ＜search＞',
    'C:\\_data\\<name>, \\[order 5\\]',
    'Die Seite ‹Kontakt› und ‹Über uns›, 〈書名〉, ⟨x⟩',
    'Our plan: {reason}, {thought}, {analysis} in {order}.',
    'A <plan> of the <context>, <search> and <meta>. <план>',
    'Tom &lt;3 Ann, 5 &lt; 6 and 7 &gt; 6, &lt;order number&gt;',
    '"Yes," she said. "No," he said.',
    'Use JSON: it is plain text.',
    'json\nis a format',
    "{'curly'} words",
    '["a" or "b"] is our way',
    'Calling tool: a hammer.\nTool call: free of charge',
    'We are hiring:\nmanager: 500 000 ₸\nassistant: 300 000 ₸',
    'The ****** rating is 6 stars: ****',
    'A password: ****\n****\n> quoted\n>\n> twice',
    'Our roles:\nAssistant: answers your questions\nHuman: checks the orders',
    '- Human: checks the orders\n- Assistant: answers your questions',
    '1. User: dana\n2. Bot: @shop_bot',
    'Our roles:\nHuman: checks the orders\nAssistant: answers',
    'Кто отвечает:\nAssistant: отвечает\nHuman: проверяет',
    'Who works with you:\nManager: Dana\nAssistant: Aida\nHuman: Timur',
    'Your login:\nUser: dana\nBot: @shop_bot',
    'Assistant: answers, Human: checks',
    'HTML:\n```html\n<!-- a comment -->\n<search>x</search>\n```\nThat is it.',
    'Put this into the page:\n\n```html\n<!--more-->\n```',
    '```html\n<form><search><input></search></form>\n```',
    '```html\n<details><summary>Thinking of buying?</summary>Yes</details>\n```',
    'Add this:\n```xml\n<plan>Basic</plan>\n<context>shop</context>\n<message>Hi</message>\n```\nDone.',
    'Array<Reason> is the type, Promise<Analysis>, too.',
    'The field is of type `Array<Reason>`. A list of them is List<Reasoning>.',
    '```ts\nconst why: Array<Reason> = [];\nconst own: Basket<Thought> = get();\n```',
    'std::vector<analysis> has them all.',
    'The webhook sends {"text": "Hello"} to you.',
    'Send us {"message": "Hello"}.',
    'The field takes {"answer": "yes"}',
    'It answers: {"message": "Invalid token", "code": 401}',
    '<тон голоса>, <номер order> and <Сот>',
    'Слово «think», книга 《Reflection》, 【акция】',
    'Кто где:\nПользователь: пишет\nАссистент: отвечает',
    '**Roles:**\n**User:** dana\n**Bot:** @shop_bot',
    '**Roles:**\n**User**: dana\n**Bot**: @shop_bot',
    '*Roles:*\n*User:* dana\n*Bot:* @shop_bot',
    'Рассуждение: почему так вышло. Ответ найдёте в договоре.',
    '<reasoning_effort> is a field.',
    'Ассистент стоматолога: Дана',
    '<b>Sale</b>',
    '<note>\n<to>Ann</to>\n</note>',
    'We cite turn 0 of our search. The ctrl key, <Ctrl> + C, <ctrl>.',
    'A comment begins with `<!--` and ends with `-->`. All else is text.',
    'Comments begin with `<!--`: nobody sees them.',
    'Why it may come back:\n<details><summary>Rejection reasons</summary>Size</details>',
    'We have <s>express</s> standard delivery now.',
    'Our interface answers so:\n\n```json\n{"reply": "Hello"}\n```\n\nRead the field reply.',
    'The field is {"answer": "yes"}, or it says: {"answer"}',
  ])('stays as it is: %j', (text) => {
    expect(read(text)).toEqual({ text, calls: [], isBroken: false });
  });
});

/** What nobody but a machine may read, in all that follows. */
const SECRET = 'hunter2';
const CALL = `{"name": "find_order", "arguments": {"of": "${SECRET}"}}`;

/** A mark with one of its names. */
const named = (mark: string, name: string): string =>
  mark.startsWith('[')
    ? mark.replace('NAME', name.toUpperCase())
    : mark.replace('NAME', name).replace('WORD', name);
const isOfCalls = (tag: string | undefined): boolean => tag?.endsWith('tool_call') ?? false;

/** All marks around thoughts that the table has: the first of them with each of its names, the others with one. */
const THOUGHT_MARKS = MARKS.filter(([, , tag]) => !isOfCalls(tag)).flatMap(([opening, closing], n) =>
  (n === 0 || IS_LONG ? THOUGHT_NAMES : THOUGHT_NAMES.slice(0, 1))
    .filter((name) => !opening.startsWith('[') || /^(?:think|thought|reasoning)/.test(name))
    .filter((name) => !opening.includes('WORD') || /^\w+$/.test(name))
    .map((name): [string, string] => [named(opening, name), named(closing, name)]),
);
const CALL_MARKS = MARKS.filter(([opening, , tag]) => isOfCalls(tag) || /NAME/.test(opening)).map(
  ([opening, closing]): [string, string] => [named(opening, 'tool_call'), named(closing, 'tool_call')],
);

/** Spellings of their marks that were seen, whatever the table has. */
const SPELLINGS: readonly (readonly [opening: string, closing: string])[] = [
  ['<think>', '</think>'],
  ['<THINK>', '</THINK>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<thoughts>', '</thoughts>'],
  ['<thought_process>', '</thought_process>'],
  ['<reason>', '</reason>'],
  ['<reason_steps>', '</reason_steps>'],
  ['<reason_content>', '</reason_content>'],
  ['<reasoning>', '</reasoning>'],
  ['<reasoning_steps>', '</reasoning_steps>'],
  ['<reasoning-process>', '</reasoning-process>'],
  ['<innerMonologue>', '</innerMonologue>'],
  ['<innerThoughts>', '</innerThoughts>'],
  ['<inner_thought>', '</inner_thought>'],
  ['<inner-monologue>', '</inner-monologue>'],
  ['<internalReasoning>', '</internalReasoning>'],
  ['<internal_reasoning>', '</internal_reasoning>'],
  ['<chain-of-thoughts>', '</chain-of-thoughts>'],
  ['<chainOfThought>', '</chainOfThought>'],
  ['<Thought Process>', '</Thought Process>'],
  ['<cot>', '</cot>'],
  ['<reflection>', '</reflection>'],
  ['<scratchpad>', '</scratchpad>'],
  ['<analysis>', '</analysis>'],
  ['<rationale>', '</rationale>'],
  ['<antThinking>', '</antThinking>'],
  ['<seed:think>', '</seed:think>'],
  ['&lt;think>', '&lt;/think>'],
  ['<think&gt;', '</think&gt;'],
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['[THINK]', '[/THINK]'],
  ['[Think]', '[/Think]'],
  ['[think]', '[/think]'],
  ['[Thinking]', '[/Thinking]'],
  ['[thinking]', '[/thinking]'],
  ['[THOUGHTS]', '[/THOUGHTS]'],
  ['[REASONING]', '[/REASONING]'],
  ['◁think▷', '◁/think▷'],
  ['◁思考▷', '◁/思考▷'],
  ['＜think＞', '＜/think＞'],
  ['＜think＞', '＜／think＞'],
  ['＜ thinking ＞', '＜／ thinking ＞'],
  ['<|think|>', '<|/think|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<unused94>thought', '<unused95>'],
  ['<|channel>thought', '<channel|>'],
  ['<｜think｜>', '</｜think｜>'],
  ['<｜think｜>', '<｜/think｜>'],
  ['<|think|>', '</|think|>'],
  ['<｜begin▁of▁thinking｜>', '<｜end▁of▁thinking｜>'],
  ['<start_of_thought>', '<end_of_thought>'],
  ['<|start_of_thinking|>', '<|end_of_thinking|>'],
  ['{think}', '{/think}'],
  ['{thinking}', '{/thinking}'],
  ['［THINK］', '［/THINK］'],
  ['【think】', '【/think】'],
  ['<th\u0456nk>', '</th\u0456nk>'],
  ['<think>', '</th\u0456nk>'],
  ['<ｔｈｉｎｋ>', '</ｔｈｉｎｋ>'],
  ['<ctrl94>thought', '<ctrl95>'],
  ['<!-- ', ' -->'],
];
/** Words around what is no thought, but not for people either: marks only in pairs. */
const BLOCKS = [
  ...['plan', 'planning', 'context', 'search', 'meta', 'system-reminder', 'system_reminder', 'system'],
  ...['размышления', 'рассуждения', 'мысли', 'Мысли'],
];
/** What a mark's signs are written as, where they are not written as themselves. */
const SIGNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'single quotes': { '<': '‹', '>': '›' },
  'old angle brackets': { '<': '\u2329', '>': '\u232a' },
  'angle brackets': { '<': '〈', '>': '〉' },
  'mathematical brackets': { '<': '⟨', '>': '⟩' },
  'small signs': { '<': '﹤', '>': '﹥' },
  'wide signs': { '<': '＜', '>': '＞', '/': '／', '|': '｜' },
  'wide bars': { '|': '｜' },
  'bars of mathematics': { '|': '∣' },
  'drawn bars': { '|': '│' },
  'wide bars and blanks': { '|': '｜', _: '▁' },
  'codes of HTML': { '<': '&lt;', '>': '&gt;' },
  'codes of HTML, twice': { '<': '&amp;lt;', '>': '&amp;gt;' },
  'numbers of HTML': { '<': '&#60;', '>': '&#62;' },
  'hexadecimal numbers of HTML': { '<': '&#x3C;', '>': '&#x3e;' },
  'codes of JSON': { '<': '\\u003c', '>': '\\u003E' },
  'half escaped signs': { '<': '\\<', _: '\\_' },
  'escaped signs': { '<': '\\<', '>': '\\>', '|': '\\|', _: '\\_', '/': '\\/' },
  'signs escaped twice': { '<': '\\\\\\<', '>': '\\\\\\>', '|': '\\\\\\|', _: '\\\\\\_' },
};
/** Of a mark, not of what stands within it. */
const spelled = (mark: string, signs: Readonly<Record<string, string>>): string =>
  mark.replace(/<[^<>]*>/g, (tag) => tag.replace(/[<>|_/]/g, (sign) => signs[sign] ?? sign));

/** Thoughts that are hidden wherever they stand. */
const THOUGHTS: readonly string[] = [
  ...SPELLINGS.map(([opening, closing]) => `${opening}${SECRET}${closing}Hello.`),
  ...['answer', 'final', 'reply'].map((name) => `＜think＞${SECRET}＜/think＞＜${name}＞Hello.＜／${name}＞`),
  `<think>${SECRET}</think>\n<answer>\nHello.\n</answer>`,
  ...THOUGHT_MARKS.map(([opening, closing]) => `${opening}${SECRET}${closing}Hello.`),
  `<think>\n${SECRET}\n</think>\n\nHello.`,
  `<\u0442hink>${SECRET}</think>Hello.`,
  `<\u{1d42d}hink>${SECRET}</\u{1d42d}hink>Hello.`,
  `< Think >${SECRET}</ think >Hello.`,
  `<think type="deep">${SECRET}</think>Hello.`,
  `<thought>${SECRET}</thought>Hello.<thought>${SECRET}`,
  `<mm:think>${SECRET}</mm:think>Hello.`,
  `<seed:think>${SECRET}<seed:cot_budget_reflect>${SECRET}</seed:cot_budget_reflect></seed:think>Hello.`,
  `<longcat_think>${SECRET}</longcat_think>Hello.`,
  `<think:6124c78e>${SECRET}</think:6124c78e>Hello.`,
  `<think_on>${SECRET}</think_on>Hello.`,
  `<think>${SECRET}<think>${SECRET}</think>${SECRET}</think>Hello.`,
  `<think>${SECRET}</think><think>${SECRET}</think>Hello.`,
  `<thi<think>${SECRET}</think>nk>${SECRET}</think>Hello.`,
  `‹thi<think>${SECRET}</think>nk›${SECRET}‹/think›Hello.`,
  `<think>${SECRET}</think><answer>Hello.</answer>`,
  `Hello.<think>${SECRET}`,
  `<\u200bthink>${SECRET}</think\ufeff>Hello.`,
  `<th\u200cink>${SECRET}</thin\u200dk>Hello.`,
  `<thi\u2061nk>${SECRET}</think>Hello.`,
  `<details type="reasoning"><summary>Thinking…</summary>${SECRET}</details>Hello.`,
  `<details>\n<summary>Размышления</summary>\n${SECRET}\n</details>\n\nHello.`,
  `\`\`\`thinking\n${SECRET}\n\`\`\`\nHello.`,
  `<thinking_process>${SECRET}</thinking_process>Hello.`,
  `<thought-process>${SECRET}</thought-process>Hello.`,
  `<internal_thoughts>${SECRET}</internal_thoughts>Hello.`,
  `<chain_of_thought>${SECRET}</chain_of_thought>Hello.`,
  `<reasoning_content>${SECRET}</reasoning_content>Hello.`,
  `Hello.\n[REASONING] ${SECRET}`,
  `<|assistant|>think\n${SECRET}<|assistant|>Hello.`,
  `<|im_start|>think\n${SECRET}<|im_end|>\n<|im_start|>answer\nHello.`,
  `<|message_model|><|content_thinking|>${SECRET}<|end_message|><|message_model|><|content_text|>Hello.<|end_message|>`,
  `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>`,
  `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_TEXT|>Hello.<|END_TEXT|>`,
  `<|begin_of_thought|>${SECRET}<|end_of_thought|><|begin_of_solution|>Hello.<|end_of_solution|>`,
  `<|open|>think<|sep|>${SECRET}<|close|>think<|sep|><|open|>response<|sep|>Hello.<|close|>response<|sep|>`,
];
/** Thoughts that are hidden where an answer begins with them. */
const FIRST_THOUGHTS: readonly string[] = [
  `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>`,
  `<|start|>assistant<|channel|>analysis<|message|>${SECRET}<|end|><|channel|>final<|message|>Hello.`,
  `<|channel|>analysis<|message|>${SECRET}<|end|>Hello.`,
  `Here is my thought process:\n${SECRET}\nHere is my response:\nHello.`,
  `Here's my thought process: ${SECRET} Here's my response: Hello.`,
];
/** Thoughts that are known as such only by what follows them, if an answer begins with them. */
const TOLD_LATER: readonly string[] = [
  `Thinking...\n${SECRET}\n...done thinking.\n\nHello.`,
  `analysisThe user greets. ${SECRET}.assistantfinalHello.`,
  `analysisТайная мысль: ${SECRET}.assistantfinalHello.`,
  `analysis\nThe user wants ${SECRET}.\n\nassistant final\nHello.`,
  `**Thinking:** a\n\n${SECRET}\n\n**Answer:** Hello.`,
  `### Reasoning\n${SECRET}\n\n### Final answer\nHello.`,
  `**Analysis**\n${SECRET}\n\n**Final answer:** Hello.`,
  `**Analysis:** the customer lies, ${SECRET}.\n\n**Response:** Hello.`,
  // gpt-oss, where the request has the first token.
  `analysis<|message|>${SECRET}<|end|>Hello.`,
  `analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>Hello.`,
  `analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>${SECRET}`,
  `### Reasoning\n${SECRET}\n### Answer: Hello.`,
  `**Thought process:** ${SECRET}\n**Reply to customer:** Hello.`,
  `Thought: ${SECRET}\nAnswer: Hello.`,
  `Thought: a\n${SECRET}\nFinal Answer: Hello.`,
  `Reasoning: ${SECRET}\n\nResponse: Hello.`,
  `Thinking Process:\n\n1. ${SECRET}\n\nFinal answer: Hello.`,
  `Рассуждение: ${SECRET}\nОтвет: Hello.`,
  `**Ход мыслей:** ${SECRET}\n\n**Ответ клиенту:** Hello.`,
  `/think\n${SECRET}<|im_end|>\n<|im_start|>assistant\nHello.<|endofturn|>`,
  `${SECRET}<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|><|endofturn|>`,
  `${SECRET}<|im_end|>\n<|im_start|>assistant\nHello.<|endofturn|>`,
  `The user greets, ${SECRET}.\nassistant\nHello.`,
  ...['reasoning', 'thought', 'Analysis', 'inner_monologue', 'reason'].map(
    (name) => `[${name}]${SECRET}[/${name}]Hello.`,
  ),
];

describe('thoughts', () => {
  it.each([
    ...THOUGHTS,
    ...FIRST_THOUGHTS,
    ...TOLD_LATER,
    `${SECRET}<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>`,
    `Hello.<|im_end|>\n<|im_start|>assistant\n${SECRET}`,
    `Hello. [think] ${SECRET}`,
    `Hello.\n[think]\n${SECRET}`,
    `Hello.[think]${SECRET}[/think]`,
    'Hello.<thi',
    'Hello.</',
    'Hello.<|open|>thi',
    'Hello.<|plamo:begin_th',
  ])('of %j are taken out', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });

  it.each([
    ...['my_thoughts', 'self_reflection', 'step_by_step_thinking', 'agent-reasoning', 'inner'],
    ...['thinking_mode', 'reasoning_summary_text', 'thought-signature'],
  ])('that a mark <%s> opens are taken out if another one closes them', (name) => {
    const text = `Hello.<${name}>${SECRET}</${name}>`;
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
    expect(read(`Write <${name}> here. Bye.`).text).toBe(`Write <${name}> here. Bye.`);
  });

  it('leave the code before them whole', () => {
    expect(read(`\`\`\`js\nlet a;\n\`\`\`\n<think>${SECRET}</think>`).text).toBe('```js\nlet a;\n```');
  });

  it.each(BLOCKS)('and blocks <%s> are taken out as pairs, and only so', (name) => {
    expect(read(`<${name}>\n${SECRET}\n</${name}>\nHello.`).text).toBe('Hello.');
    expect(read(`Hello.<${name}>${SECRET}</${name}>`).text).toBe('Hello.');
    expect(read(`Write <${name}> here. Bye.`).text).toBe(`Write <${name}> here. Bye.`);
  });

  it.each(Object.entries(SIGNS))('and tokens are known in %s', (_, signs) => {
    const marks = [...SPELLINGS, ...THOUGHT_MARKS].filter(([opening]) => /^<(?!!)/.test(opening));
    const wrong = marks.flatMap(([opening, closing]) => {
      const texts = [
        `${spelled(opening, signs)}${SECRET}${spelled(closing, signs)}\nHello.`,
        `Hello.\n${spelled(opening, signs)}${SECRET}${spelled(closing, signs)}`,
        ...(/^(?:\[unused|<unused|<.?channel)/.test(opening)
          ? []
          : [`${SECRET}\n${spelled(closing, signs)}\nHello.`]),
      ];
      return texts.flatMap((text) => (read(text).text === 'Hello.' ? [] : [[text, read(text).text]]));
    });
    expect(wrong).toEqual([]);
    for (const end of ['<|im_end|>', '</s>', '<|eot_id|>', '<eos>', '<|end_of_sentence|>']) {
      const text = `Hello.${spelled(end, signs)}${SECRET}`;
      expect([text, read(text).text]).toEqual([text, 'Hello.']);
    }
  });

  it.each([
    [`**<think>**${SECRET}**</think>**\n\nHello.`],
    [`**<think>** ${SECRET} **</think>**\n\nHello.`],
    [`${SECRET} **</think>**\n\nHello.`],
    [`\`<think>\`${SECRET}\`</think>\`Hello.`],
    [`\`\`\`\n<think>${SECRET}</think>\n\`\`\`\nHello.`],
    [`> <think>${SECRET}</think>\n\nHello.`],
    [`Hello.\n\n**<|im_end|>**`],
    [`Hello. **<|im_end|>**`],
  ])('leave nothing of what sets them apart: %j', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });

  it.each([
    ['<think>only that'],
    ['only that</think>'],
    ['<|channel|>analysis<|message|>only that'],
    ['thought\nonly that, by Gemini'],
    ['Here is my thought process:\nonly that'],
  ])('alone leave nothing: %j', (text) => {
    expect(read(text)).toEqual({ text: '', calls: [], isBroken: false });
  });

  it.each([
    ['Thought: I should look.\nAction: None', ''],
    ['Thought: I should look.\nAction: find_order', ''],
    ['Thought: I should look.\nObservation: no', ''],
    ["Here's a thinking process:\n\n1. **Analyze User Input:** a price", ''],
    ['Thinking Process:\n\n1.  **Analyze the Request:** a price', ''],
    ['user\nHow much is it?', ''],
    ['Hello. ...94>thought CRITICAL INSTRUCTION 1: none of it', 'Hello.'],
    ['s\u115fthought\nCRITICAL INSTRUCTION 1: none of it', ''],
    ['Hello. <reason>the customer lies', 'Hello.'],
    ['<analysis>the customer lies', ''],
  ])('that may be none, or came to no answer, are asked for again: %j', (text, words) => {
    expect(read(text)).toEqual({ text: words, calls: [], isBroken: true });
  });

  it.each([
    [
      'Question: How much?\nThought: I know the price, the margin is 40%.\nFinal Answer: 20 $',
      'Question: How much?\n20 $',
    ],
    ['Hi!\nThought: the margin\nis 40%.\nFinal Answer: 20 $', 'Hi!\n20 $'],
    ['Thought: no tool needed.\nAction: None\nFinal Answer: 20 $', '20 $'],
    ['Thought: none.\nAction: None\nAction Input: None\nFinal Answer: 20 $', '20 $'],
    [`Hi!\nThought: ${'the margin is 40%. '.repeat(500)}\nFinal Answer: 20 $`, 'Hi!\n20 $'],
    ['Final Answer: 20 $', '20 $'],
    ['It is:\nFinal Answer: 20 $\nFinal Answer: 25 $', 'It is:\n20 $\n25 $'],
    ['It costs 20 $.<|im_end|>\n<|im_start|>assistant\nAnything else?', 'It costs 20 $.'],
  ])('before a last answer, or in a turn of their own, are not in it: %j', (text, words) => {
    expect(read(text)).toEqual({ text: words, calls: [], isBroken: false });
  });
});

/** What ends an answer, or is no part of it. */
const TURNS: readonly string[] = [
  'Hello.<|im_end|>',
  `<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\n${SECRET}`,
  `Hello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n${SECRET}`,
  '<|start_header_id|>assistant<|end_header_id|>\n\nHello.',
  'Hello.</s>',
  `<s>Hello.</s><s>${SECRET}`,
  `Hello.<end_of_turn>\n<start_of_turn>user\n${SECRET}`,
  `Hello.[/INST] ${SECRET}`,
  'Hello.<｜end▁of▁sentence｜>',
  `<｜Assistant｜>Hello.<｜User｜>${SECRET}`,
  `<|assistant|>\nHello.<|user|>\n${SECRET}`,
  `Hello.<|endoftext|>Human: ${SECRET}`,
  'Hel<|reserved_special_token_5|>lo.',
  `Hello.<|header_start|>user<|header_end|>\n\n${SECRET}`,
  `<|im_assistant|>assistant<|im_middle|>Hello.<|im_user|>user<|im_middle|>${SECRET}`,
  `<|start_of_role|>assistant<|end_of_role|>Hello.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>${SECRET}`,
  `Hello.<|assistant_end|><|user_start|>${SECRET}`,
  `[|assistant|]Hello.[|endofturn|]\n[|user|]${SECRET}`,
  `<seed:bos>assistant\nHello.<seed:eos><seed:bos>user\n${SECRET}`,
  `]~!b[]~b]ai\nHello.[e~[\n]~b]user\n${SECRET}[e~[`,
  `Hello.<|message_sep|>\n\nuser<|role_sep|>\n${SECRET}`,
  `Hello.<end_of_utterance>\nUser: ${SECRET}`,
  'Hello.[EOT]',
  'Hello.<0x0A>',
  '<SPECIAL_12>Hello.',
  '<|tool_response|>' + SECRET,
  `<tool_response>${SECRET}</tool_response>Hello.`,
  `<｜tool▁output▁begin｜>${SECRET}<｜tool▁output▁end｜>Hello.`,
  ...[
    'tool-response',
    'toolResponse',
    'tool_results',
    'tool-result',
    'function_response',
    'Function-Results',
  ].map((name) => `Hello.<${name}>${SECRET}</${name}>`),
  'Hello.</_call>',
  'Hello.\n</parameter></invoke>',
  'Hello【4:0†prices.pdf】.',
  'Hello\ue200cite\ue202turn0search0\ue201.',
];

it('a call that is cut behind JSON that is whole is taken out alone', () => {
  const shown = 'Send this:\n{\n"name": "Anna"\n}\nOne moment.';
  expect(read(`${shown}\n\n{"name": "hand_`)).toEqual({ text: shown, calls: [], isBroken: true });
});

it('is asked for again where gpt-oss thought without an end, and its tokens are gone', () => {
  expect(read('analysisThe user wants the price. We need to')).toEqual({
    text: '',
    calls: [],
    isBroken: true,
  });
  expect(read('assistantanalysisWe look.')).toMatchObject({ text: '', isBroken: true });
});

it.each(['<｜DSML｜', '<|DSML|', '&lt;｜DSML｜', '‹｜｜DSML｜｜'])(
  'DeepSeek’s own tags are known as %s',
  (sign) => {
    const close = sign.replace(/^(<|&lt;|‹)/, '$1/');
    const text = `Hello.${sign}invoke name="hand_over">${sign}parameter name="reason" string="true">a${close}parameter>${close}invoke>`;
    expect(read(text)).toEqual({
      ...{ text: 'Hello.', isBroken: false, calls: [{ name: 'hand_over', input: '{"reason":"a"}' }] },
    });
  },
);

describe('tokens of turns', () => {
  it('after a list begin as anywhere', () => {
    const list = 'Prices:\nSmall: 10 $\nLarge: 20 $';
    expect(read(`${list}\nHuman: ${SECRET}\nAssistant: 15 $`).text).toBe(list);
  });

  it.each([
    ...TURNS.filter((text) => text.includes('Hel')),
    `Hello.\nHuman: ${SECRET}\nAssistant: 100`,
    `Hello.\nUser: ${SECRET}\nAssistant: 100`,
    `Hello.\nUSER: ${SECRET}\nASSISTANT: 100`,
    `Hello.\n**Human:** ${SECRET}\n**Assistant:** 100`,
    `Hello.\nКлиент: ${SECRET}\nАссистент: 100`,
    // It could be a list of people without a heading. What might be a turn that was made up is not for anybody.
    `Hello.\nHuman: ${SECRET} checks\nAssistant: answers`,
    `Hello.\n**Human**: ${SECRET}\n**Assistant**: 100`,
    `Hello.\n*Human:* ${SECRET}\n*Assistant:* 100`,
    `Hello.\n__User__: ${SECRET}\n__Assistant__: 100`,
    `Hello.\n[User]: ${SECRET}\n[Assistant]: 100`,
    `Hello.\nUser：${SECRET}\nAssistant：100`,
    `Hello.\n### User：${SECRET}\n### Assistant：100`,
    `Hello.\nКлиент: ${SECRET}\nИИ: 100`,
    '**Assistant**: Hello.',
    'Assistant：Hello.',
    '**Assistant:** Hello.',
    'Ассистент: Hello.',
    'Hello.<ctrl46>',
    'Hello.<ctrl46><ctrl46>',
    '<start_of_image>Hello.',
    'Hello. citeturn0search5turn0search15',
    '<customer_reply>Hello.</customer_reply>',
    '<final_response>\nHello.\n</final_response>',
    '<text>Hello.</text>',
    `Hello.\n### Instruction: ${SECRET}`,
    `Hello.\nassistant: ${SECRET}`,
    `Hello.\n\nAssistant: ${SECRET}`,
    `Hello.<im_end>\n<im_start>user\n${SECRET}`,
    `Hello.<| im_end |>${SECRET}`,
    `Hello.|im_end|>${SECRET}`,
    `Hello.&lt;|im_end|&gt;${SECRET}`,
    'Hello.<eos_token>',
    '<bos_token>Hello.',
    'Hello.[/s]',
    'Assistant: Hello.',
    'assistant\nHello.',
  ])('end %j', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });
});

/** Calls that are hidden wherever they stand. */
const CALLS: readonly string[] = [
  ...CALL_MARKS.map(([opening, closing]) => `${opening}${CALL}${closing}`),
  ...CALL_MARKS.map(([opening]) => `${opening}${CALL}`),
  `<tool_calls>[${CALL}]</tool_calls>`,
  `<function_call>${CALL}</function_call>`,
  `<function=find_order>{"of":"${SECRET}"}</function>`,
  `<tool_call>\n<function=find_order>\n<parameter=of>\n${SECRET}\n</parameter>\n</function>\n</tool_call>`,
  `<minimax:tool_call>\n<invoke name="find_order">\n<parameter name="of">${SECRET}</parameter>\n</invoke>\n</minimax:tool_call>`,
  `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="find_order"><of>${SECRET}]<]minimax[>[</of></invoke></tool_call>`,
  `<function_calls><invoke name="find_order"><parameter name="of">${SECRET}</parameter></invoke></function_calls>`,
  `<function_calls>\nfind_order(of="${SECRET}")\n</function_calls>`,
  `<tool_call>find_order\n<arg_key>of</arg_key>\n<arg_value>${SECRET}</arg_value>\n</tool_call>`,
  `<longcat_tool_call>find_order\n<longcat_arg_key>of</longcat_arg_key>\n<longcat_arg_value>${SECRET}</longcat_arg_value>\n</longcat_tool_call>`,
  `<TOOLCALL>[${CALL}]</TOOLCALL>`,
  `<steptml:toolcall><steptml:invoke name="find_order"><steptml:parameter name="of">${SECRET}</steptml:parameter></steptml:invoke></steptml:toolcall>`,
  `<seed:tool_call>\n<function=find_order>\n<parameter=of>${SECRET}</parameter>\n</function>\n</seed:tool_call>`,
  `[TOOL_CALLS][${CALL}]`,
  `[TOOL_CALLS] [${CALL}]</s>`,
  `[TOOL_CALLS]find_order[ARGS]{"of": "${SECRET}"}`,
  `[TOOL_CALLS]find_order[CALL_ID]abc123456[ARGS]{"of": "${SECRET}"}`,
  `[TOOL_REQUEST]${CALL}[END_TOOL_REQUEST]`,
  `<|python_tag|>{"name": "find_order", "parameters": {"of": "${SECRET}"}}<|eom_id|>`,
  `<|python_tag|>find_order.call(of="${SECRET}")`,
  `<|tool_calls_section_begin|><|tool_call_begin|>functions.find_order:0<|tool_call_argument_begin|>{"of": "${SECRET}"}<|tool_call_end|><|tool_calls_section_end|>`,
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_order\n\`\`\`json\n{"of": "${SECRET}"}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find_order<｜tool▁sep｜>{"of": "${SECRET}"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find_order"><steptml:parameter name="of">${SECRET}</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
  `<｜DSML｜function_calls><｜DSML｜invoke name="find_order"><｜DSML｜parameter name="of" string="true">${SECRET}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`,
  `<|tool_call>call:find_order{"of": "${SECRET}"}<tool_call|>`,
  `<|tool_call>call:find_order{of:<|"|>${SECRET}<|"|>}<tool_call|>`,
  `<start_function_call>call:find_order{of:<escape>${SECRET}<escape>}<end_function_call>`,
  `<ctrl42>call:default_api:find_order{of:<ctrl46>${SECRET}<ctrl46>}`,
  `<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "find_order", "parameters": {"of": "${SECRET}"}}\n]<|END_ACTION|>`,
  `<|tools_prefix|>[{"find_order": {"of": "${SECRET}"}}]<|tools_suffix|>`,
  `<|tool_call_start|>[find_order(of="${SECRET}")]<|tool_call_end|>`,
  `<|action_start|><|plugin|>\n{"name": "find_order", "parameters": {"of": "${SECRET}"}}<|action_end|>`,
  `<|FunctionCallBegin|>[{"name":"find_order","parameters":{"of":"${SECRET}"}}]<|FunctionCallEnd|>`,
  `<|function_call|>${CALL}<|message_sep|>`,
  `<|open|>tools<|sep|><|open|>call tool="find_order" index="1"<|sep|><|open|>argument key="of" type="string"<|sep|>${SECRET}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
  `<|message_model|>find_order<|content_invoke_tool_json|>{"name":"find_order","args":{"of":"${SECRET}"}}<|end_message|>`,
  `<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>find_order<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"of":"${SECRET}"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>`,
  `\`\`\`tool_code\nprint(default_api.find_order(of="${SECRET}"))\n\`\`\``,
  `<tool-call>${CALL}</tool-call>`,
  `<function-call>${CALL}</function-call>`,
  `<ToolCall>${CALL}</ToolCall>`,
  `< calls>\n<|DSML|invoke name="find_order">\n<|DSML|parameter name="of" string="true">${SECRET}</|DSML|parameter>\n</|DSML|invoke>\n</|DSML|calls>`,
  `<use_tool><name>find_order</name><input>{"of": "${SECRET}"}</input></use_tool>`,
  `<use_tool><name>find_order</name><input><of>${SECRET}</of></input></use_tool>`,
  `<find_order><of>${SECRET}</of></find_order>`,
  `<find_order>{"of": "${SECRET}"}</find_order>`,
];
/** Calls that are known as such once they are whole, or where an answer begins with them. */
const WHOLE_CALLS: readonly string[] = [
  `find_order<|content_invoke_tool_json|>{"name":"find_order","args":{"of":"${SECRET}"}}<|end_message|>`,
  `✿FUNCTION✿: find_order\n✿ARGS✿: {"of": "${SECRET}"}\n✿RESULT✿: ${SECRET}\n✿RETURN✿: ${SECRET}`,
  `function call<|role_sep|>\n${CALL}<|message_sep|>`,
  `<|im_start|>assistant -> tool/function_call\n[${CALL}]<|im_end|>`,
  `>>>find_order\n{"of": "${SECRET}"}`,
  `functools[${CALL}]`,
  `Action: find_order\nAction Input: {"of": "${SECRET}"}`,
  `Action: find_order\nAction Input: {"of": "${SECRET}"}\nObservation: ${SECRET}\nThought: ${SECRET}\nFinal Answer: ${SECRET}`,
  `Thought: a secret\nof ${SECRET}\nAction: find_order\nAction Input: {"of": "${SECRET}"}`,
  `Action: \`\`\`json\n[{"tool_name": "find_order", "parameters": {"of": "${SECRET}"}}]\n\`\`\``,
  `Action: find_order(of="${SECRET}")`,
  `{"tool_uses": [{"recipient_name": "functions.find_order", "parameters": {"of": "${SECRET}"}}]}`,
  `<|channel|>commentary to=functions.find_order <|constrain|>json<|message|>{"of": "${SECRET}"}<|call|>`,
  `<|start|>assistant to=functions.find_order<|channel|>commentary json<|message|>{"of": "${SECRET}"}<|call|>`,
  `assistantcommentary to=functions.find_order json{"of": "${SECRET}"}`,
  `to=find_order {"of": "${SECRET}"}`,
  `\`\`\`json\n${CALL}\n\`\`\``,
  CALL,
  `[${CALL}]`,
  `{"tool_calls": [${CALL}]}`,
  `find_order({"of": "${SECRET}"})`,
  `functions.find_order{"of": "${SECRET}"}`,
  `find_order(of="${SECRET}")`,
  `find_order(of='${SECRET}')`,
  `[Calling tool: find_order with arguments: {"of": "${SECRET}"}]`,
  `[tool_call: find_order {"of": "${SECRET}"}]`,
  `Calling tool: find_order with arguments {"of": "${SECRET}"}`,
  `Calling tool find_order with arguments: {"of": "${SECRET}"}`,
  `Tool call: find_order({"of": "${SECRET}"})`,
  `Calling function: find_order {"of": "${SECRET}"}`,
  `[find_order(of="${SECRET}")]`,
];

describe('a call that is written as text', () => {
  const JSON_CALL = '{"name": "hand_over", "arguments": {"reason": "a complaint"}}';
  it.each([
    ...CALLS,
    ...WHOLE_CALLS,
    `<think>so</think><tool_call>${CALL}</tool_call>`,
    `so</think>${CALL}</tool_call>`,
    `<tool_call>{"name":"find_order","arguments":"{\\"of\\":\\"${SECRET}\\"}"}</tool_call>`,
    `<tool_call>{"type":"function","function":{"name":"find_order","parameters":{"of":"${SECRET}"}}}</tool_call>`,
  ])('is a call: %j', (text) => {
    const { calls, ...rest } = read(text);
    expect(calls.map(({ name, input }) => ({ name, input: JSON.parse(input) as unknown }))).toEqual([
      { name: 'find_order', input: { of: SECRET } },
    ]);
    expect(rest).toEqual({ text: '', isBroken: false });
  });

  /** Each form that has arguments in tags of their own names, which may be those of thoughts. */
  const IN_TAGS: readonly ((given: string) => string)[] = [
    (given) => `<invoke name="hand_over">${given}</invoke>`,
    (given) => `<function_calls>\n<invoke name="hand_over">\n${given}\n</invoke>\n</function_calls>`,
    (given) => `<function_calls><invoke name="hand_over">${given}</invoke></function_calls>`,
    (given) => `<｜DSML｜invoke name="hand_over">${given}</｜DSML｜invoke>`,
    (given) => `<function=hand_over>${given}</function>`,
    (given) => `<function name="hand_over">${given}</function>`,
    (given) => `<call tool="hand_over">${given}</call>`,
    (given) => `<toolscall name="hand_over">${given}</toolscall>`,
    (given) => `<tool_call><function=hand_over>${given}</function></tool_call>`,
    (given) => `<tool_call><hand_over>${given}</hand_over></tool_call>`,
    (given) => `<tool_call><name>hand_over</name><arguments>${given}</arguments></tool_call>`,
    (given) =>
      `<tool_call><tool_name>hand_over</tool_name><tool_arguments>${given}</tool_arguments></tool_call>`,
    (given) => `<hand_over>${given}</hand_over>`,
    (given) => `[tool_call]<invoke name="hand_over">${given}</invoke>[/tool_call]`,
  ];
  it.each(
    IN_TAGS.flatMap((form) =>
      ['reason', 'analysis', 'rationale', 'search', 'context'].map((name) => [name, form] as const),
    ),
  )('keeps its argument "%s", whose name is one of thoughts: %s', (name, form) => {
    const given = `<${name}>a complaint</${name}>`;
    for (const [text, words] of [
      [form(given), ''],
      [`One moment. ${form(given)}`, 'One moment.'],
      [`<think>so <reason>b</reason></think>One moment. ${form(`\n${given}\n`)}`, 'One moment.'],
      [`so ${form(given)}</think>One moment. ${form(given)}`, 'One moment.'],
    ] as const) {
      const { calls, ...rest } = read(text);
      expect([text, rest]).toEqual([text, { text: words, isBroken: false }]);
      const told = calls.map((call) => [call.name, JSON.parse(call.input) as unknown]);
      expect([text, told]).toEqual([text, [['hand_over', { [name]: 'a complaint' }]]]);
    }
    expect(read(`<think>${form(given)}</think>Hello.`)).toEqual({
      text: 'Hello.',
      calls: [],
      isBroken: false,
    });
  });

  it('after thoughts that nothing opens leaves nothing of them', () => {
    const call = '-> tool/function_call\n[{"name": "hand_over", "arguments": {"reason": "a"}}]<|im_end|>';
    expect(read(`${SECRET}<|im_end|>\n<|im_start|>assistant ${call}`)).toEqual({
      ...{ text: '', isBroken: false, calls: [{ name: 'hand_over', input: '{"reason":"a"}' }] },
    });
  });

  it.each([
    [`[tool_call]${JSON_CALL}[/tool_call] One moment.`, 'One moment.'],
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
    ['One moment. [tool_call:hand_over]', 'One moment.'],
    ['One moment. <ctrl42>call\nprint(hand_over())', 'One moment.'],
    ['One moment.\n.startcall:default_api:hand_over{reason:<ctrl46>a<ctrl46>}', 'One moment.'],
    ['One moment. {"type":"function","function":{"name":"hand_over","arguments":{}}}', 'One moment.'],
    ['One moment. {"tool_call": {"name": "hand_over"}} Bye.', 'One moment. Bye.'],
    ['One moment. [hand_over(reason="a"), hand_over(reason="b")] Bye.', 'One moment. Bye.'],
    ['One moment. print(hand_over(reason="a"))', 'One moment.'],
    ['One moment.\n**hand_over(reason="a")**', 'One moment.'],
    ['One moment. <hand_over reason="a">x</hand_over> Bye.', 'One moment. Bye.'],
    ['One moment. <hand_over>{"reason":"budget < 5000"}</hand_over>', 'One moment.'],
    ['One moment. <function=hand_over>{"reason":"a < b"}</function>', 'One moment.'],
    [`<|im_end|>\n<|im_start|>assistant\nOne moment. <tool_call>${JSON_CALL}</tool_call>`, 'One moment.'],
    [`<|im_end|>\n<|im_start|>assistant\nOne moment.\n\n${JSON_CALL}`, 'One moment.'],
    [`One moment.<tool_call>${JSON_CALL}</tool_call><|im_end|>\n<|im_start|>user\nno`, 'One moment.'],
    [`<tool_call>${JSON_CALL}</tool_call><|im_end|>\n<|im_start|>assistant\nIt is done.`, ''],
    [`${JSON_CALL}<|im_end|>\n<|im_start|>assistant\nIt is done.`, ''],
    [`One moment.\n\`\`\`xml\n<tool_call>${JSON_CALL}</tool_call>\n\`\`\``, 'One moment.'],
    [`\`\`\`A1\`\`\`\n<tool_call>${JSON_CALL}</tool_call>\n\`\`\`B2\`\`\``, '```A1```\n\n```B2```'],
    [`One moment. <action><tool_call>${JSON_CALL}</tool_call></action>`, 'One moment.'],
  ])('leaves the text beside it: %j', (text, words) => {
    expect(read(text)).toMatchObject({ text: words, isBroken: false });
    expect(new Set(read(text).calls.map(({ name }) => name))).toEqual(new Set(['hand_over']));
  });

  it('has its arguments as they were written', () => {
    const given = 'a tag `<b>`, an Array<Reason> and "x"';
    const call = JSON.stringify({ name: 'find_order', arguments: { of: given } });
    expect(read(`<tool_call>${call}</tool_call>`)).toEqual({
      ...{ text: '', isBroken: false, calls: [{ name: 'find_order', input: JSON.stringify({ of: given }) }] },
    });
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
    ['<|tool_call>call:hand_over{reason:<|"|>a<|"|>'],
    ['Hello. to=functions.hand_over  天天中彩票能json\n{"reason": "a"}цҳауеит\nHello.'],
    ['[TOOL_CALL]\n{tool => "hand_over", args => {--reason "a"}}\n[/TOOL_CALL]'],
    ['<invoke name="hand_over">a<b</invoke>'],
    ['Thought: a\nAction: hand_over[a]'],
    ['One moment. hand_over(reason="a'],
    ['One moment. hand_over(reason=a b "c")'],
    ['One moment. {"name": "hand_over", "arguments": {"reason"'],
    ['One moment. <hand_over>what</hand_over>'],
    ['One moment. <order>{"id": 5'],
    ['>>>refund\n{"of": 5'],
    // A server took the call's beginning away.
    ['<name>hand_over\n</parameter>\n<parameter=reason>\na\n</parameter>\n</function>'],
    ['[tool_call:refund]'],
    ['One moment. {"reply": "Hello. We'],
    ['Sure! {"reply": "He said "yes""}'],
    ['Sure! {"reply": "Hello."} Bye.'],
    ["One moment! {'message': 'Hello. We"],
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
    [`[{"type": "reasoning", "text": "${SECRET}"}, {"type": "text", "text": "Hello."}]`],
    ['{"answer": "<think>so</think>Hello."}'],
    ['Вот ответ:\n```json\n{"reply": "Hello."}\n```'],
    ['json\n{"text": "Hello."}'],
    ['JSON: {"text":"Hello."}'],
    ['```json\n{"text":"Hello."}'],
    ['```\n{"text":"Hello."}\n```'],
    ['~~~json\n{"text":"Hello."}\n~~~'],
    ["{'text': 'Hello.'}"],
    ['{text: "Hello."}'],
    ['{"text": "Hello.",}'],
    ["{'thoughts': None, 'text': 'Hello.', 'ok': True}"],
    ['["Hello."]'],
    ['"Hello."'],
    ['"{\\"text\\": \\"Hello.\\"}"'],
    ['```xml\n<reply>Hello.</reply>\n```'],
    ['Here you go: {"message":"Hello."}'],
    ["Вот ответ: {'reply': 'Hello.'}"],
    ['Here is my answer in JSON:\n\n{"thoughts": "a {b}", "reply": "Hello."}'],
    ['Hello.\n{"response": "Hello."}'],
    ['{"action": "Final Answer", "action_input": "Hello."}'],
  ])('is its text: %j', (text) => {
    expect(read(text)).toEqual({ text: 'Hello.', calls: [], isBroken: false });
  });

  it.each([
    ["Sure! {'reply': 'Hello.'}", 'Sure! Hello.'],
    ['Sure! 😀 {"reply": "Hello."}', 'Sure! 😀 Hello.'],
    ['Sure! Here you go: {"message":"Hello."}', 'Sure! Hello.'],
    ['Sure!\n\n```json\n{"reply": "Hello."}\n```', 'Sure!\n\nHello.'],
    ['Sure!\n\n```json\n{"reply": "Hello."}\n```\nAnything else?', 'Sure!\n\nHello.\n\nAnything else?'],
    ['Sure!\n{"role": "assistant", "content": "Hello."}', 'Sure!\nHello.'],
    ['{"reply": "Hello.\n\nCome by."}', 'Hello.\n\nCome by.'],
  ])('is its text, and words before it stay: %j', (text, words) => {
    expect(read(text)).toEqual({ text: words, calls: [], isBroken: false });
  });

  it('behind words may be a call of a tool that does not exist', () => {
    expect(read('One moment. {"name": "refund", "arguments": {"of": 5}}')).toEqual({
      ...{ text: 'One moment.', isBroken: false, calls: [{ name: 'refund', input: '{"of":5}' }] },
    });
  });
});

describe('a text as it goes out', () => {
  /** What Markdown takes out in front of a sign, and what it takes out between two. */
  const HIDINGS: Readonly<Record<string, (text: string) => string>> = {
    'escapes of Markdown': (text) => text.replace(/[<>|_[\]]/g, '\\$&'),
    'tags without a meaning': (text) => text.replace(/([<[|｜/]\w)(?=\w)/g, '$1<u></u>'),
  };
  /** Marks of each kind, whatever stands between them. */
  const marks = [
    ...[...SPELLINGS, ...THOUGHT_MARKS]
      .filter(([opening]) => /^[<[]\W?\w/.test(opening))
      .map((pair) => [...pair, 'Hello.']),
    ['Hello.<|im_end|>', '', ''],
    ['Hello.</s>', '', ''],
    ['Hello.[/INST]', '', ''],
  ];

  it.each(Object.entries(HIDINGS))('holds no mark that was behind %s', (_, hidden) => {
    const shown = marks.flatMap(([opening = '', closing = '', rest = '']) => {
      const text = `${hidden(opening)}${SECRET}${hidden(closing)}${rest}`;
      const { text: out } = readForPeople(text, TOOLS);
      return out === 'Hello.' ? [] : [[text, out]];
    });
    expect(shown).toEqual([]);
  });

  it.each([
    ['\\<tool\\_call\\>{"name": "hand_over", "arguments": {"reason": "a"}}\\</tool\\_call\\>'],
    ['\\[TOOL\\_CALLS\\] [{"name": "hand_over", "arguments": {"reason": "a"}}]'],
    ['\\<hand\\_over\\>{"reason": "a"}\\</hand\\_over\\>'],
    ['hand\\_over(reason="a")'],
  ])('makes a call of %j', (text) => {
    expect(readForPeople(text, TOOLS)).toEqual({
      ...{ text: '', isBroken: false, calls: [{ name: 'hand_over', input: '{"reason":"a"}' }] },
    });
  });

  it.each([
    ['**Bold**, *open* and \\*\\*escaped\\*\\*', '*Bold*, _open_ and **escaped**'],
    ['\\[order 5\\] \\<name\\> snake\\_case', '[order 5] <name> snake_case'],
    ['## Our prices\n- 2*3*4', '*Our prices*\n- 2*3*4'],
    ['The tag `<think>` is none.', 'The tag `<think>` is none.'],
  ])('has the marks of the messenger: %j', (text, shown) => {
    expect(readForPeople(text, TOOLS)).toEqual({ text: shown, calls: [], isBroken: false });
  });
});

describe('any text', () => {
  const VISIBLE = ['Hello. ', 'Да, есть. ', '15 000 ₸ < 20 000 ₸. ', '😀 ', 'a\n\nb. ', '"Yes," she said. '];
  const plain = (text: string): string => text.replace(/\s+/g, '');

  const HIDDEN = [...THOUGHTS, ...TURNS, ...CALLS];
  /** The first signs of all marks: none may be seen, however little of it has come. */
  const BEGINNINGS = new Set(
    [...HIDDEN, ...FIRST_THOUGHTS]
      .flatMap((text) => text.split(/hunter2|Hel(?:lo\.)?|(?<=[>\]▷＞])(?=[<[◁＜])|\s+/))
      .filter((part) => /^(?:[<[◁＜]|&lt;)/.test(part) && part.length > 3)
      .map((part) => part.slice(0, 4)),
  );
  /** Lone closing marks: what stands before them is thought. */
  const LATER = [...TOLD_LATER, ...THOUGHT_MARKS.map(([, closing]) => `${SECRET}${closing}`)];

  const piece = fc.constantFrom(...VISIBLE, ...VISIBLE, ...HIDDEN, ...HIDDEN, ...HIDDEN, ...VISIBLE);
  /** An answer, and from where to where it may be cut without showing what is known as hidden only later. */
  const answer = fc
    .record({
      first: fc.option(fc.constantFrom(...FIRST_THOUGHTS, ...LATER), { nil: '', freq: 2 }),
      pieces: fc.array(piece, { minLength: 1, maxLength: 5 }),
      last: fc.option(fc.constantFrom(...WHOLE_CALLS), { nil: '', freq: 2 }),
    })
    .map(({ first, pieces, last }) => {
      const before = first + pieces.join('');
      return {
        text: last === '' ? before : `${before}\n\n${last}`,
        from: LATER.includes(first) ? first.length : 0,
        to: before.length,
      };
    });

  const hasHidden = (text: string): boolean =>
    /hun|unt|nter|ter2/.test(text) || [...BEGINNINGS].some((mark) => text.includes(mark));
  const expectNothingHidden = (text: string): void => {
    if (hasHidden(text)) expect(text).toBe('without anything that was hidden');
  };

  /** Of a whole answer that can be understood, nothing is seen but what is for people. */
  function expectOnlyVisible(text: string): void {
    const read = readMachineText(text, TOOLS);
    if (read.isBroken) return;
    expect(VISIBLE.reduce((rest, each) => rest.replaceAll(plain(each), ''), plain(read.text))).toBe('');
  }

  it('that is hidden, each alone and cut anywhere, shows no mark and nothing that was hidden', () => {
    const shown = [...HIDDEN, ...FIRST_THOUGHTS].flatMap((whole) =>
      Array.from(whole, (_, at) => whole.slice(0, at + 1)).flatMap((cut) => {
        const { text } = read(cut);
        return hasHidden(text) ? [[cut, text]] : [];
      }),
    );
    expect(shown).toEqual([]);
  });

  it.each(['&lt;', '&lt;thi', '<', '＜thin'])('that compares and is cut at %s shows none of it', (cut) => {
    expect(read(`15 000 ₸ < 20 000 ₸. ${cut}`).text).toBe('15 000 ₸ < 20 000 ₸.');
  });

  it('cut anywhere holds no mark and nothing that was hidden', () => {
    let cuts = 0;
    fc.assert(
      fc.property(answer, ({ text: whole, from, to }) => {
        for (let at = from; at <= to; at += IS_LONG ? 1 : 5) {
          cuts += 1;
          expectNothingHidden(read(whole.slice(0, at)).text);
        }
        expectNothingHidden(read(whole).text);
        expectOnlyVisible(whole);
      }),
      { numRuns: triesOf(300, 1_000) },
    );
    expect(cuts).toBeGreaterThan(1_000);
  });

  interface Chunk {
    choices: { delta: { content: string | null } }[];
  }
  /** The text that has come by each event, when the bytes come so many at once. */
  async function* comingOf(stream: Buffer, bytes = 1): AsyncGenerator<string> {
    let written = '';
    const parts = Array.from({ length: Math.ceil(stream.length / bytes) }, (_, n) =>
      stream.subarray(n * bytes, (n + 1) * bytes),
    );
    const texts = regularStream(ReadableStream.from(parts)).pipeThrough(new TextDecoderStream());
    for await (const coming of texts) {
      if (coming.startsWith('data: {'))
        written += (JSON.parse(coming.slice('data: '.length)) as Chunk).choices[0]?.delta.content ?? '';
      yield written;
    }
  }
  const streamOf = (pieces: readonly string[]): Buffer =>
    Buffer.from(pieces.map((content) => event({ content })).join('') + event({}, 'stop') + DONE);

  it('of a stream that is cut at every byte holds none either', async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(answer, fc.constantFrom(5, 11, 31), async ({ text: whole, from, to }, size) => {
        const stream = streamOf(whole.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []);
        cuts += stream.length;
        let last = '';
        for await (const written of comingOf(stream)) {
          if (written === last) continue;
          last = written;
          if (written.length >= from && written.length <= to) expectNothingHidden(read(written).text);
        }
        expect(last).toBe(whole);
        expectNothingHidden(read(last).text);
        expectOnlyVisible(last);
      }),
      { numRuns: triesOf(30, 5_000) },
    );
    expect(cuts).toBeGreaterThan(10_000);
  });

  it.each([...new Set(THOUGHT_MARKS.map(([, closing]) => closing))])(
    'of a stream with the lone closing mark %s anywhere is what follows it',
    async (closing) => {
      const halves = Array.from({ length: closing.length }, (_, at) => [
        `A ${SECRET}${closing.slice(0, at)}`,
        `${closing.slice(at)}Hel`,
        'lo.',
      ]);
      const streams: [string[], string][] = [
        [[closing, 'Hello.'], 'Hello.'],
        [[closing], ''],
        [[`A ${SECRET}`, closing, 'Hello.'], 'Hello.'],
        [[`A hun`, `ter2${closing}Hel`, 'lo.'], 'Hello.'],
        [[`A ${SECRET}`, closing], ''],
        [[`A ${SECRET}${closing}`], ''],
        [[`A ${SECRET}`, ...closing, 'Hello.'], 'Hello.'],
        ...halves.map((pieces): [string[], string] => [pieces, 'Hello.']),
      ];
      for (const [pieces, text] of streams) {
        let whole = '';
        for await (const written of comingOf(streamOf(pieces), 7)) whole = written;
        expect([pieces, read(whole)]).toEqual([pieces, { text, calls: [], isBroken: false }]);
      }
    },
  );

  it('that is read is read alike again', () => {
    fc.assert(
      fc.property(answer, ({ text: whole }) => {
        const { text } = read(whole);
        expect(read(text)).toEqual({ text, calls: [], isBroken: false });
      }),
      { numRuns: 300 },
    );
  });

  it('of any size is read in no time', () => {
    const tookMs = processorMsOf(() => {
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
        '<order>',
        '<message>',
        '<my_thoughts>',
        '```\n<tool_call>hand_over()</tool_call>\n```\n',
        ...[
          '&lt;',
          '‹',
          '\\',
          '\\<',
          '<\\',
          'a `<a>` a',
          '``',
          '<!--',
          '{think}',
          '<plan>',
          '</plan>',
          '.\nassistant',
        ],
        ...[
          'Calling tool: a {\n',
          'Tool call: hand_over {',
          "{'a':",
          '{a: "',
          '["',
          '"a',
          "'",
          '{"a',
          '|im_end',
          '****',
        ],
        ...['analysis<|message|>', 'analysis<|message|><|end|>a', '```a\n<reply>', '*_~>\n'],
        ...[
          'Array<Reason>',
          '```html\n<!--',
          '```html\n<!---->',
          '! {"text":"',
          ': {"reply":"a"}',
          ': {"a":\n',
        ],
        ...['a:\nUser: b\n', 'Assistant: a, Human: ', '【1:2†', '\ue200', '［think', '/a', '<тhink>'],
      ])
        read(mark.repeat(5_000));
      for (const text of [
        `<tool_call>f${'<arg_key></arg_key><arg_value>'.repeat(2_000)}`,
        `<function=f>${'<parameter='.repeat(6_000)}`,
        `<function=f>${'<a>'.repeat(20_000)}`,
        `<function=f>${'<parameter=a>'.repeat(6_000)}`,
      ])
        read(text);
    });
    // A reader that goes back and forth over it would take many minutes.
    expect(tookMs).toBeLessThan(30_000);
  });
});
