import fc from 'fast-check';
import { areOptWords, optRequestOf as requestOf, ownOptWords } from './opt-out.words';

const NONE = ownOptWords([], []);
const optRequestOf = (texts: readonly string[], own = NONE) => requestOf(texts, own);

/** What must be known in each language; Meta's own button below marketing messages is the last of the stops. */
const KNOWN: { language: string; stops: string[]; starts: string[]; please: string }[] = [
  {
    ...{ language: 'en', please: 'please', starts: ['start'] },
    stops: ['stop', 'stop all', 'unsubscribe', 'opt out', 'optout', 'stop promotions'],
  },
  {
    ...{ language: 'ru', please: 'пожалуйста', starts: ['старт'] },
    stops: ['стоп', 'отписаться', 'отписка', 'отпишите', 'остановить рекламу'],
  },
  {
    ...{ language: 'kk', please: 'өтінемін', starts: ['бастау'] },
    stops: ['тоқта', 'тоқтату', 'жарнаманы тоқтату'],
  },
  {
    ...{ language: 'uk', please: 'будь ласка', starts: ['почати'] },
    stops: ['відписатися', 'відписка', 'зупинити рекламні повідомлення'],
  },
  {
    ...{ language: 'es', please: 'por favor', starts: ['empezar', 'iniciar'] },
    stops: ['baja', 'parar', 'alto', 'detener promociones'],
  },
  {
    ...{ language: 'pt', please: 'por favor', starts: ['começar'] },
    stops: ['sair', 'descadastrar', 'parar promoções'],
  },
  {
    ...{ language: 'fr', please: "s'il vous plaît", starts: ['commencer'] },
    stops: ['arret', 'arrêt', 'désabonner', 'arrêter les promotions'],
  },
  {
    ...{ language: 'de', please: 'bitte', starts: ['starten'] },
    stops: ['stopp', 'abmelden', 'abbestellen', 'promotionen stoppen'],
  },
  {
    ...{ language: 'tr', please: 'lütfen', starts: ['başla'] },
    stops: ['dur', 'durdur', 'çık', 'promosyonları durdur'],
  },
  {
    ...{ language: 'it', please: 'per favore', starts: ['inizia'] },
    stops: ['ferma', 'basta', 'interrompi promozioni'],
  },
  {
    ...{ language: 'pl', please: 'proszę', starts: [] },
    stops: ['wypisz', 'rezygnuję', 'zatrzymaj promocje'],
  },
  {
    ...{ language: 'id', please: 'tolong', starts: ['mulai'] },
    stops: ['berhenti', 'hentikan promosi'],
  },
  {
    ...{ language: 'ar', please: 'من فضلك', starts: ['ابدأ'] },
    stops: ['توقف', 'إيقاف', 'إيقاف العروض الترويجية'],
  },
  {
    ...{ language: 'hi', please: 'कृपया', starts: ['शुरू'] },
    stops: ['रोकें', 'बंद करें', 'प्रमोशन बंद करें'],
  },
];

describe.each(KNOWN)('the words of $language', ({ language, stops, starts, please }) => {
  const words = [
    ...stops.map((word) => [word, 'stop'] as const),
    ...starts.map((word) => [word, 'start'] as const),
  ];

  it.each(words)('have %j, whatever is around it: %s', (word, asked) => {
    const upper = word.toLocaleUpperCase(language);
    const written = [
      ...[word, upper, `  ${word}\n`, `${word}.`, `${upper}!!!`, `«${word}»`, `"${word}"`, `🙏 ${word} 🙏`],
      ...[
        `${word}🛑`,
        `${please} ${word}`,
        `${word}, ${please}.`,
        `${upper} ${please}!`,
        `${word}🙏${please}`,
      ],
    ];
    for (const text of written) expect([text, optRequestOf([text])]).toEqual([text, asked]);
  });

  it.each(words)('have %j as a whole message only: %s', (word) => {
    for (const text of [`${word} 7`, `7 ${word}`, `x${word}`, `${word}x`, `${word} ${word}`])
      expect([text, optRequestOf([text])]).toEqual([text, null]);
  });
});

describe('a message that asks to be left alone', () => {
  it.each([
    '❤️стоп❤️',
    'Opt-out',
    'OPT   OUT',
    'Отпишите меня',
    'ｓｔｏｐ',
    '𝐒𝐓𝐎𝐏',
    'ST\u200BOP',
    '\uFEFFstop\u200E',
    'S.T.O.P.',
    'desabonner svp',
    'cik',
    'rezygnuje',
    'बंद करें।',
    'Please unsubscribe me',
    'Отписаться от рассылки',
  ])('is %j', (text) => {
    expect(optRequestOf([text])).toBe('stop');
  });

  it.each([
    ['CTOП', 'Latin C, T and O'],
    ['СTOП', 'Latin T and O'],
    ['SТОР', 'Cyrillic Т, О and Р'],
    ['oтпиcaтьcя', 'Latin o, c and a'],
  ])('is %j: %s', (text) => {
    expect(optRequestOf([text])).toBe('stop');
  });
});

describe('a message that asks to be written to again', () => {
  it.each(['начать', 'Подписаться', 'CTAPT', 'comecar'])('is %j', (text) => {
    expect(optRequestOf([text])).toBe('start');
  });
});

describe('any other message', () => {
  it.each([
    '',
    '   ',
    '🛑',
    '...',
    'stop it please',
    'please',
    'por favor',
    'ok стоп пожалуйста',
    'alto y bajo',
    'a basta',
    'до завтра',
    'не стоп',
    'стопка',
    'nonstop',
    'остановка',
    'Когда старт продаж?',
    'cancel',
    'отказ',
    's t o p',
  ])('asks for neither: %j', (text) => {
    expect(optRequestOf([text])).toBeNull();
  });

  it('may be of any length', () => {
    expect(optRequestOf([`стоп ${'x'.repeat(1_000_000)}`, '!'.repeat(1_000_000)])).toBeNull();
  });
});

it('takes a button by its label or its payload', () => {
  expect(optRequestOf(['Больше не хочу', 'STOP'])).toBe('stop');
  expect(optRequestOf(['Отписаться', 'btn_17'])).toBe('stop');
});

it('takes the words of the account, beside those that everybody knows', () => {
  const own = ownOptWords(['Хватит!', 'no más', 'please stop writing'], ['Let’s go']);
  const asked = (text: string) => optRequestOf([text], own);
  expect(['хватит', 'NO MAS.', 'Please stop writing', 'стоп'].map(asked)).toEqual([
    'stop',
    'stop',
    'stop',
    'stop',
  ]);
  expect(['let’s go 🙏', 'start'].map(asked)).toEqual(['start', 'start']);
  expect(['хватит уже', 'no', 'please', ''].map(asked)).toEqual([null, null, null, null]);
  expect(optRequestOf(['хватит'])).toBeNull();
});

it('takes a word of signs alone where a message is nothing but these signs', () => {
  const own = ownOptWords(['❌', '⛔️', '👎', '--'], ['✅']);
  const asked = (text: string) => optRequestOf([text], own);
  expect(['❌', ' ❌\uFE0F ', '⛔', '👎🏽', '- -'].map(asked)).toEqual(new Array(5).fill('stop'));
  expect(asked('✅')).toBe('start');
  expect(['❌ дорого', 'ok ❌', '❌✅', '🛑', '...', '-', ''].map(asked)).toEqual(new Array(7).fill(null));
});

it.each([
  [true, []],
  [true, ['no more', 'я'.repeat(60), '7', '❌', '...']],
  [true, new Array(50).fill('no')],
  [false, new Array(51).fill('no')],
  [false, ['']],
  [false, [' ']],
  [false, ['\u200B\uFE0F']],
  [false, ['я'.repeat(61)]],
  [false, [7]],
  [false, 'no'],
  [false, null],
])('knows whether words can be those of an account: %s of %j', (can, words) => {
  expect(areOptWords(words)).toBe(can);
});

it('ignores a text that says both', () => {
  expect(optRequestOf(['start', 'stop'])).toBe('stop');
  expect(optRequestOf(['stop', 'start'])).toBe('stop');
});

it('finds a word between any characters that are neither letters nor numbers', () => {
  const mark = fc.string({ unit: fc.constantFrom(...' \t\n.,!?…"«»()-*_~🙏🛑\u200B\uFE0F'), maxLength: 20 });
  fc.assert(
    fc.property(
      mark,
      fc.constantFrom('stop', 'СТОП', 'отписаться', 'Unsubscribe'),
      mark,
      (left, word, right) => {
        expect(optRequestOf([left + word + right])).toBe('stop');
      },
    ),
  );
});

it('never throws', () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => void optRequestOf(texts)));
});
