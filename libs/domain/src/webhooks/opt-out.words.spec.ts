import fc from 'fast-check';
import { areOptWords, optRequestOf as requestOf, ownOptWords } from './opt-out.words';

const NONE = ownOptWords([], []);
const optRequestOf = (texts: readonly string[], own = NONE) => requestOf(texts, own);

describe('a message that asks to be left alone', () => {
  it.each([
    'stop',
    'STOP',
    'Stop.',
    '  stop  ',
    '«СТОП»',
    '"стоп"',
    'стоп!!!',
    '🛑 STOP 🛑',
    '❤️стоп❤️',
    'unsubscribe',
    'Opt-out',
    'OPT   OUT',
    'отписаться',
    'ОТПИСАТЬСЯ.',
    'Отпишите меня',
    'Тоқтату',
    'ｓｔｏｐ',
    '𝐒𝐓𝐎𝐏',
    'ST\u200BOP',
    '\uFEFFstop\u200E',
    'Stop promotions',
    'please stop',
    'STOP, please!',
    'пожалуйста, стоп',
    'S.T.O.P.',
    'стоп🙏пожалуйста',
    'BAJA',
    'Parar',
    'alto',
    'SAIR',
    'Descadastrar',
    'ARRET',
    'Arrêt.',
    'Désabonner',
    'desabonner svp',
    'Stopp bitte',
    'Abmelden',
    'DUR',
    'ÇIK',
    'cik',
    'Durdur lütfen',
    'Ferma',
    'basta!',
    'Wypisz',
    'rezygnuje',
    'Berhenti',
    'توقف',
    'إيقاف',
    'रोकें',
    'बंद करें।',
    'Відписатися',
    'Отписка',
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
  it.each([
    'start',
    'START!',
    'Старт',
    'начать',
    'Подписаться',
    'CTAPT',
    'бастау',
    'Почати',
    'Empezar',
    'Começar',
    'comecar',
    'Commencer',
    'Starten',
    'BAŞLA',
    'Inizia',
    'Mulai',
    'ابدأ',
    'शुरू',
    'start please',
  ])('is %j', (text) => {
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
