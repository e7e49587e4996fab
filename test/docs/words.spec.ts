import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.document';

/** Words that the product once coined, with the standard term to use instead. */
const COINED: Readonly<Record<string, string>> = {
  applier: 'handler',
  bell: 'notify',
  census: 'connection counter',
  crowd: 'busy, or many at once',
  doorbell: 'notify',
  foresight: 'dry run',
  inlet: 'intake',
  keeper: 'what it does: renewal, cache, registry',
  lane: 'send queue',
  patience: 'time limit, or retry policy',
  ring: 'notify',
  shelter: 'private copy',
  teller: 'publisher, or what it does',
  upkeep: 'retention',
  wish: 'opt request',
};

/** "hand off" and "hand over" differ by a preposition only: the product says "hand over", or "send". */
const HAND_OFF = /\bhand(?:s|ed|ing)?[ -]?off\b/i;

const FOLDERS = ['apps', 'docs', 'libs', 'test', 'tools'];
const TEXT = /\.(?:[cm]?js|json|md|ts|txt)$/;
const THIS_FILE = 'test/docs/words.spec.ts';

/** Every file that people read or write, from the repository's root. */
function files(): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const top = readdirSync(ROOT).filter((name) => !name.startsWith('package-lock'));
  return [...top, ...below].filter((name) => TEXT.test(name) && name !== THIS_FILE);
}

/** Words in lower case, those within an identifier too: `sendLane` has `send` and `lane`. */
const wordsOf = (text: string): string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const singular = (word: string): string => word.replace(/(?:ed|ing|s)$/, '');

/** The coined words of a text, each with what to write instead. */
function coinedIn(text: string): string[] {
  const found = new Set(
    [...wordsOf(text), ...wordsOf(text).map(singular)].filter((word) => Object.hasOwn(COINED, word)),
  );
  const hints = [...found].map((word) => `${word}: say ${COINED[word]}`);
  return HAND_OFF.test(text) ? [...hints, 'hand off: say hand over, or send'] : hints;
}

describe('identifiers, comments and documentation', () => {
  it.each([
    ['a word of an identifier', 'const sendLaneMax = 3;', 'lane: say send queue'],
    ['a constant', 'const PATIENCE_MS = 3;', 'patience: say time limit, or retry policy'],
    ['a plural', '// The bells of a process.', 'bell: say notify'],
    ['a preposition', '/** Hands off the part. */', 'hand off: say hand over, or send'],
  ])('are held to standard terms: %s', (_, text, hint) => {
    expect(coinedIn(text)).toEqual([hint]);
  });

  it('have none of the words that the product once coined', () => {
    const all = files();
    expect(all.length).toBeGreaterThan(500);
    const found = all.flatMap((file) =>
      coinedIn(readFileSync(join(ROOT, file), 'utf8')).map((hint) => `${file}: ${hint}`),
    );
    expect(found).toEqual([]);
  });
});
