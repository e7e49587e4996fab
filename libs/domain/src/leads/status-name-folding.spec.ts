import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { foldAskedName, foldStatusName } from '@app/contracts/stage.words';

/** How many code points PostgreSQL 18.4 (Unicode 16.0) folds to something other than their NFC form, and which. */
const ORACLE = {
  count: 1533,
  sha256: '61223ce7a462a2089515daa53707f87f32ed9dd0a94795ce6c7e66dec1ae6c86',
};

/** The capitals of Unicode 17.0, which Node 24 folds and PostgreSQL 18 does not know yet. */
const CAPITALS_OF_UNICODE_17 = /^[\ua7ce\ua7d2\ua7d4\u{16ea0}-\u{16eb8}]$/u;

function* everyCharacter(): Generator<string> {
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
  }
}

/** Every character that is folded to something other than its NFC form, with what it is folded to. */
const folded = new Map<string, string>();

beforeAll(() => {
  for (const character of everyCharacter()) {
    const name = foldStatusName(character);
    if (name !== character.normalize('NFC')) folded.set(character, name);
  }
});

/** Strings with many letters whose case depends on neighbours, order or locale. */
const trickyName = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'ΣσςıiIİßẞſsfﬁαΑάᾳᾼΐŉǰᏰᏸꭰKÅ. -', '\u0345', '\u0301', '\u0307', '\u0323', '\u0342'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
});

describe('foldStatusName', () => {
  it.each([
    ['Cyrillic capitals', 'ОПЛАЧЕНО', 'Оплачено'],
    ['Ё and Й composed or not', 'Ещё ЙОД', 'ЕЩЕ\u0308 и\u0306од'],
    ['sharp s and two letters', 'STRASSE', 'straße'],
    ['the capital sharp s', 'STRAẞE', 'straße'],
    ['a sigma at the end of a word', 'ΟΔΟΣ', 'οδος'],
    ['a final sigma and a medial one', 'οδοσ', 'οδος'],
    ['a sigma that only looks final beside ı', 'ΑΣıΒ', 'ασıβ'],
    ['the long s', 'ſtage', 'STAGE'],
    ['the Kelvin and Ångström signs', '\u212a \u212b', 'k å'],
    ['a ligature', 'ﬁnal ﬄ', 'FINAL FFL'],
    ['the Armenian ligature', 'և', 'ԵՒ'],
    ['the micro sign', 'µ', 'Μ'],
    ['a title-case digraph', 'ǅ', 'ǆ'],
    ['old and new small Cherokee', 'ᏸꭰ', 'ᏰᎠ'],
    ['an iota written below, beside and alone', 'ᾳ', 'ΑΙ'],
    ['an iota below placed before the accent', 'α\u0345\u0301', 'Ά\u0345'],
    ['a Greek letter with two accents', 'ΐ', 'Ϊ\u0301'],
    ['an apostrophe n', 'ŉ', 'ʼN'],
    ['the dotted capital I and its two parts', 'İ', 'i\u0307'],
    ['letters beyond the first plane', '𐐀𞤀', '𐐨𞤢'],
  ])('takes as one name: %s', (_what, one, other) => {
    expect(foldStatusName(one)).toBe(foldStatusName(other));
  });

  it.each([
    ['dotless ı and i', 'ı', 'i'],
    ['dotless ı and I', 'ı', 'I'],
    ['dotless ı and İ', 'ı', 'İ'],
    ['İ and i', 'İ', 'i'],
    ['an accent and none', 'é', 'e'],
    ['Ё and Е', 'Ё', 'Е'],
    ['Latin and Cyrillic look-alikes', 'COP', 'СОР'],
    ['full-width and plain letters', 'Ａ', 'a'],
    ['different spaces', 'in work', 'in\u00a0work'],
  ])('keeps apart: %s', (_what, one, other) => {
    expect(foldStatusName(one)).not.toBe(foldStatusName(other));
  });

  it('folds every character as PostgreSQL 18 casefold() does', () => {
    const hash = createHash('sha256');
    let count = 0;
    for (const [character, name] of folded) {
      if (CAPITALS_OF_UNICODE_17.test(character)) continue;
      hash.update(`${character.codePointAt(0)!.toString(16)} ${name}\n`);
      count += 1;
    }
    // After an upgrade of Node a difference means new letters. Ask the database again before changing these figures.
    expect({ count, sha256: hash.digest('hex') }).toEqual(ORACLE);
  });

  it('changes exactly the characters of which Unicode says that case folding changes them', () => {
    const changes = /^\p{Changes_When_Casefolded}$/u;
    const wrong: string[] = [];
    for (const character of everyCharacter()) {
      if (folded.has(character) !== changes.test(character))
        wrong.push(character.codePointAt(0)!.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('folds a name as it folds its letters one by one', () => {
    fc.assert(
      fc.property(trickyName, (name) => {
        const letters = [...name.normalize('NFC')].map((letter) => foldStatusName(letter));
        expect(foldStatusName(name)).toBe(letters.join('').normalize('NFC'));
      }),
      { numRuns: 5_000 },
    );
  });

  it('leaves a folded name as it is', () => {
    fc.assert(
      fc.property(trickyName, (name) => {
        const once = foldStatusName(name);
        expect(foldStatusName(once)).toBe(once);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is blind to how an accent is encoded', () => {
    fc.assert(
      fc.property(trickyName, (name) => {
        expect(foldStatusName(name.normalize('NFD'))).toBe(foldStatusName(name));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a name that is asked for', () => {
  it('is folded where a stage may have it, composed', () => {
    expect(foldAskedName('ОПЛАЧЕНО')).toBe('оплачено');
    expect(foldAskedName('e\u0301'.repeat(255))).toBe('é'.repeat(255));
    expect(foldAskedName('e\u0301'.repeat(256))).toBeNull();
  });

  it('of very many marks in the wrong order is refused at once', () => {
    const begun = performance.now();
    expect(foldAskedName('a' + '\u0300'.repeat(110_000) + '\u0316'.repeat(110_000))).toBeNull();
    // To compose it takes seconds.
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
