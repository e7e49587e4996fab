/** Longest name that a stage can have, composed, in UTF-16 code units. */
const NAME_LENGTH_MAX = 255;

/** Canonical decomposition makes at most four units of one. */
const DECOMPOSED_LENGTH_MAX = 4 * NAME_LENGTH_MAX;

/** The only letter that must be kept from its own upper case: through 'I' it would come to equal 'i'. */
const DOTLESS_I = 'ı';

/** Cherokee alone folds to capitals: its small letters came later, and a folding once published is final. */
const SMALL_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;

/**
 * The form in which stage names are compared: two names are the same stage when their folded forms are
 * equal. 'ОПЛАЧЕНО' = 'Оплачено', 'STRASSE' = 'straße' = 'STRAẞE', 'ΣΊΣΥΦΟΣ' = 'σίσυφος', a precomposed
 * 'é' = 'e' and an accent; but 'ı', 'i' and 'İ' are three letters. Never shown to a person: 'ﬁ' comes
 * back as 'fi', 'ß' as 'ss', so the result may be up to three times as long as the name.
 *
 * What it is: canonical composition (NFC), the full case folding of Unicode (statuses C and F of
 * CaseFolding.txt, no Turkic rows), NFC again. It neither trims nor collapses spaces and does not ignore
 * accents. Idempotent, no locale has a say, never throws.
 *
 * Source: equal, code unit for code unit, to PostgreSQL 18.4's
 * `normalize(casefold(normalize(name) COLLATE "pg_unicode_fast"))` on each of the 292 530 code points
 * Unicode 16.0 assigns and on random strings of cased letters and marks. Node 24 knows Unicode 17.0: the 28
 * capitals which that version added (꟎, ꟒, ꟔ and the 25 of Beria Erfe) fold here and not yet there.
 */
export function foldStatusName(name: string): string {
  return name.normalize('NFC').split(DOTLESS_I).map(foldCase).join(DOTLESS_I).normalize('NFC');
}

/**
 * The folded form of a name that is asked for; null for one too long to be any stage's. Composing takes time by the
 * square of a run of marks: the 440,000 of one request would hold a whole process for 24 s (measured), so it is not
 * tried on more than a stage's name can be, taken apart.
 */
export function foldAskedName(name: string): string | null {
  if (name.length > DECOMPOSED_LENGTH_MAX || name.normalize('NFC').length > NAME_LENGTH_MAX) return null;
  return foldStatusName(name);
}

/** Full case folding by the three mappings JavaScript has; `part` is in NFC and holds no 'ı'. */
function foldCase(part: string): string {
  return (
    part
      // Lower first: 'ẞ' is its own upper case, and only 'ß' becomes 'SS'.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // The one lower case that depends on the neighbours: a sigma that ends a word.
      .replaceAll('ς', 'σ')
      .replace(SMALL_CHEROKEE, (letter) => letter.toUpperCase())
  );
}
