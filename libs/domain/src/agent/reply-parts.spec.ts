import { partsOf, splitReply } from './reply-parts';

const AGENT = { handover_text: null, reply_parts_max: 3 };
const LONG = 'Передаю ваш вопрос коллеге, он напишет вам в ближайшее время, подождите.';
const OWN = `Одну минуту, зову коллегу, оставайтесь на связи, пожалуйста, это быстро.\n\nСпасибо, что ждёте.`;

it('a reply has as many messages as its agent allows', () => {
  expect(partsOf(AGENT, `${LONG}\n\nСпасибо!`, false)).toEqual([LONG, 'Спасибо!']);
  expect(partsOf({ ...AGENT, reply_parts_max: 1 }, `${LONG}\n\nСпасибо!`, false)).toHaveLength(1);
  expect(partsOf(AGENT, ' ', false)).toEqual([]);
});

describe('a hand-over', () => {
  it('is announced in one message, where the model writes several', () => {
    expect(partsOf(AGENT, `${LONG}\n\nСпасибо!`, true)).toEqual([`${LONG}\n\nСпасибо!`]);
  });

  it.each(['Слова модели.', ' '])(
    'is announced in the agent’s own words where there are some, not in %j',
    (said) => {
      expect(partsOf({ ...AGENT, handover_text: OWN }, said, true)).toEqual([OWN]);
    },
  );

  it('leaves a reply that hands nothing over in the model’s words', () => {
    expect(partsOf({ ...AGENT, handover_text: OWN }, 'Слова модели.', false)).toEqual(['Слова модели.']);
  });
});

const long = (words: string): string => words.padEnd(60, '.');

describe('a reply is split', () => {
  it('into its paragraphs', () => {
    expect(splitReply(`${long('One')}\n\n${long('Two')}\n \n\nThree`, 3)).toEqual([
      long('One'),
      long('Two'),
      'Three',
    ]);
  });

  it('with short paragraphs before the next one', () => {
    expect(splitReply(`Hi!\n\n${long('One')}\n\nTwo`, 3)).toEqual([`Hi!\n\n${long('One')}`, 'Two']);
  });

  it('into no more messages than are allowed: the last one has everything left', () => {
    expect(splitReply(`${long('One')}\n\n${long('Two')}\n\n${long('Three')}`, 2)).toEqual([
      long('One'),
      `${long('Two')}\n\n${long('Three')}`,
    ]);
  });

  it('without invisible paragraphs', () => {
    expect(splitReply(`${long('One')}\n\n\u200b\n\n${long('Two')}\n\n👍`, 3)).toEqual([
      long('One'),
      long('Two'),
      '👍',
    ]);
  });

  it.each(['', '  \n\n \t\n', '\u200b', '\u2060\n\n\ufeff\u200d'])(
    'into nothing where nothing is said (%j)',
    (text) => {
      expect(splitReply(text, 3)).toEqual([]);
    },
  );
});

describe('a paragraph longer than a message', () => {
  it('is cut at the end of a sentence', () => {
    const sentence = `${'word '.repeat(599)}end. `;
    const parts = splitReply(sentence.repeat(2), 3);
    expect(parts).toEqual([sentence.trim(), sentence.trim()]);
  });

  it('is cut at a word where no sentence ends', () => {
    const parts = splitReply('word '.repeat(1_500), 10);
    expect(parts.every((part) => part.length <= 4_096 && /^word( word)*$/.test(part))).toBe(true);
    expect(parts.join(' ')).toBe('word '.repeat(1_500).trim());
  });

  it('is never cut inside a character', () => {
    const text = `x${'😀'.repeat(3_000)}`;
    const parts = splitReply(text, 10);
    expect(parts.every((part) => part.isWellFormed() && part.length <= 4_096)).toBe(true);
    expect(parts.join('')).toBe(text);
  });

  it('loses its end where no more messages are wanted', () => {
    expect(splitReply('x'.repeat(10_000), 2).map(({ length }) => length)).toEqual([4_096, 4_096]);
  });
});

it.each(['Правда! ', 'Правда? ', '«Правда.» ', 'Правда… ', 'Правда\n'])(
  'cuts behind a sentence such as %j',
  (sentence) => {
    const words = 'слово '.repeat(600);
    const [head] = splitReply(`${words}${sentence}${words}`, 2);
    expect(head).toBe(`${words}${sentence}`.trim());
  },
);
