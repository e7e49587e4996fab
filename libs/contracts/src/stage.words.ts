/** Kinds of a funnel stage, in the specification's words. */
export const STAGE_KINDS = ['active', 'qualified', 'awaiting_payment', 'success', 'failure'] as const;

export type StageKind = (typeof STAGE_KINDS)[number];

/** Who gets every lead that enters the stage. */
export const STAGE_RULES = ['ai', 'operator'] as const;

export type StageRule = (typeof STAGE_RULES)[number];

/** Longest name that a stage can have, composed, in UTF-16 code units. */
const NAME_LENGTH_MAX = 255;

/** Canonical decomposition makes at most four units of one. */
const DECOMPOSED_LENGTH_MAX = 4 * NAME_LENGTH_MAX;

/** The only letter that must not be mapped to its upper case: through 'I' it would become equal to 'i'. */
const DOTLESS_I = 'ı';

/** Only Cherokee folds to capitals. Its small letters were added later, and a published folding never changes. */
const SMALL_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;

/**
 * The form in which stage names are compared. Two names are the same stage when their folded forms are equal.
 *
 * Equal are: 'ОПЛАЧЕНО' and 'Оплачено'; 'STRASSE', 'straße' and 'STRAẞE'; 'ΣΊΣΥΦΟΣ' and 'σίσυφος'; a precomposed 'é'
 * and 'e' with an accent. Different are: 'ı', 'i' and 'İ'. Spaces and accents count.
 *
 * The form is NFC, then Unicode's full case folding (statuses C and F of CaseFolding.txt, without the Turkic rows),
 * then NFC again. It depends on no locale, never throws, and folding twice changes nothing. It is never shown to
 * people: 'ﬁ' becomes 'fi' and 'ß' becomes 'ss', so it may be three times as long as the name.
 *
 * It equals PostgreSQL 18.4's `normalize(casefold(normalize(name) COLLATE "pg_unicode_fast"))` on all 292,530 code
 * points of Unicode 16.0 and on random strings. Node 24 knows Unicode 17.0, whose 28 new capitals (꟎, ꟒, ꟔ and the 25
 * of Beria Erfe) PostgreSQL does not fold yet.
 */
export function foldStatusName(name: string): string {
  return name.normalize('NFC').split(DOTLESS_I).map(foldCase).join(DOTLESS_I).normalize('NFC');
}

/**
 * The folded form of a name in a request; null for a name that is too long for any stage. The length is checked first
 * because composing takes quadratic time in a run of marks: 440,000 marks, which one request can hold, would block
 * the process for 24 s (measured).
 */
export function foldAskedName(name: string): string | null {
  if (name.length > DECOMPOSED_LENGTH_MAX || name.normalize('NFC').length > NAME_LENGTH_MAX) return null;
  return foldStatusName(name);
}

/** Full case folding by JavaScript's three mappings. `part` is in NFC and contains no 'ı'. */
function foldCase(part: string): string {
  return (
    part
      // Lower case first: 'ẞ' is its own upper case, and only 'ß' becomes 'SS'.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // The one lower case that depends on neighbours: a sigma at the end of a word.
      .replaceAll('ς', 'σ')
      .replace(SMALL_CHEROKEE, (letter) => letter.toUpperCase())
  );
}
