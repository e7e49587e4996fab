import { Metadata, type CountryCode, type MetadataJson } from 'libphonenumber-js/core';
import numberingPlans from 'libphonenumber-js/max/metadata';
import { UNSEEN } from './free-text';
import type { PhoneFault } from './phone.words';

/** A phone as E.164 has it today, with its plus, or why there is none. */
export type PhoneReading =
  | { readonly phone: string; readonly fault?: undefined }
  | { readonly phone: null; readonly fault: PhoneFault };

const INVISIBLE = new RegExp(`[${UNSEEN}]`, 'gu');
/** What people write between digits. Two lines are two phones. */
const MARKS =
  /(?:(?![\r\n\v\f\u2028\u2029])[\s\p{Pd}().[\]/~\u02d7\u2043\u207b\u208b\u2212\u2053\u223c\u2796\u30fc\uff08\uff09\uff0e\uff0f\uff3b\uff3d\uff5e])+/gu;
/** Marks that also part two phones. */
const WIDE = /[/\uff0f\t]|\s{2}/;
const OTHER_DIGITS = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;
/** The digit that is dialled at home only, as people put it into international numbers. */
const HOME_DIGIT = /[([\uff08]\s*0\s*[)\]\uff09]/;
const EXTENSION =
  /\d[\s,.;(]*(?:ext(?:n|ension)?|x|#|доб(?:авочный)?|внутр?|int|anexo|ramal)[\s.:=]*\d+[\s)]*$/iu;
/** A spreadsheet's number is no phone: digits were lost, or come from nowhere. */
const DECIMAL = /^(?:0|[1-9]\d*)[.,]\d+$|^[^.,]*[.,]\d{1,2}$/;
/** How a spreadsheet writes a long number of its own accord. */
const ROUNDED = /^\d([.,]\d+)?[eе]\+?\d+$/i;
/** How a spreadsheet keeps a text from being a formula, and how a link has a phone. */
const AROUND = /^'|^tel:/i;
const DIGITS = /^\+?\d+$/;
/** Of an international number, as E.164 has it. */
const DIGITS_MAX = 15;
/** With fewer digits it is a number of no country that nobody has named. */
const DIGITS_MIN = 7;
/** With fewer digits nothing is a number of its own, but the end of what stands before it, such as an extension. */
const OWN_DIGITS_MIN = 4;
const CALLING_CODE_MAX = 3;

/** Dialed at home in Mexico: all but the 0 until 2019, which people still write and the metadata no longer knows. */
const HOME_PREFIX_OF_MEXICO = '01|04[45]|0';

/** Kinds of numbers in the metadata. A number of another length than these is said to be too short or too long. */
const USUAL_KINDS = ['FIXED_LINE', 'MOBILE'];
const KINDS = [
  ...USUAL_KINDS,
  ...['PREMIUM_RATE', 'TOLL_FREE', 'SHARED_COST', 'VOIP', 'PERSONAL_NUMBER', 'PAGER', 'UAN', 'VOICEMAIL'],
];

/** What the metadata says of a country; the library's own types leave it out. */
interface PlanMetadata {
  nationalNumberPattern(): string;
  possibleLengths(): number[];
  leadingDigits(): string | undefined;
  nationalPrefixForParsing(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
  type(kind: string): { pattern(): string | undefined; possibleLengths(): number[] | undefined } | undefined;
}

/** The numbers of a country. */
interface Plan {
  /** Null: of no country, such as satellites. */
  country: string | null;
  /** With which only numbers of this country begin, of those that share its calling code. */
  leading: RegExp | null;
  /** Of its usual numbers. */
  lengths: readonly number[];
  isNumber: (national: string) => boolean;
  /** Without what is dialled at home before a number. */
  withoutHomePrefix: (national: string) => string;
}

const planOf = (country: string | null, given: PlanMetadata): Plan => {
  const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
  const general = whole(given.nationalNumberPattern());
  const kinds = KINDS.flatMap((kind) => {
    const type = given.type(kind);
    const pattern = type?.pattern();
    const lengths = type?.possibleLengths() ?? given.possibleLengths();
    return pattern ? [{ pattern: whole(pattern), lengths, isUsual: USUAL_KINDS.includes(kind) }] : [];
  });
  const usual = kinds.filter(({ isUsual }) => isUsual).flatMap(({ lengths }) => lengths);
  const leading = given.leadingDigits();
  const prefix = country === 'MX' ? HOME_PREFIX_OF_MEXICO : given.nationalPrefixForParsing();
  const homePrefix = prefix ? new RegExp(`^(?:${prefix})`) : null;
  const rule = given.nationalPrefixTransformRule();
  return {
    country,
    leading: leading ? new RegExp(`^(?:${leading})`) : null,
    lengths: usual.length > 0 ? usual : given.possibleLengths(),
    isNumber: (national) =>
      general.test(national) &&
      kinds.some(({ pattern, lengths }) => lengths.includes(national.length) && pattern.test(national)),
    withoutHomePrefix: (national) => {
      const found = homePrefix?.exec(national);
      if (!homePrefix || !found) return national;
      // The last group is of what the rule keeps.
      const isRuled = rule && found.length > 1 && found[found.length - 1] !== undefined;
      return isRuled ? national.replace(homePrefix, rule) : national.slice(found[0].length);
    },
  };
};

const { country_calling_codes, nonGeographic } = numberingPlans as MetadataJson;
/** By calling codes: null where there is none. Each is made when it is needed first. */
const plansByCode = new Map<string, readonly Plan[] | null>();

function makePlans(code: string): readonly Plan[] | null {
  const metadata = new Metadata(numberingPlans as MetadataJson);
  const select = (country: string): PlanMetadata => {
    metadata.selectNumberingPlan(country as CountryCode);
    return metadata.numberingPlan as unknown as PlanMetadata;
  };
  const countries = (country_calling_codes as Readonly<Record<string, readonly string[]>>)[code];
  if (countries) return countries.map((country) => planOf(country, select(country)));
  return code in nonGeographic ? [planOf(null, select(code))] : null;
}

/** Of all countries that share a calling code. */
function plansOf(code: string): readonly Plan[] | null {
  let plans = plansByCode.get(code);
  if (plans === undefined) plansByCode.set(code, (plans = makePlans(code)));
  return plans;
}

/** The plan in which a number is valid. */
const validPlan = (plans: readonly Plan[], national: string): Plan | undefined => {
  const own = plans.find(({ leading }) => leading?.test(national) === true);
  if (own) return own.isNumber(national) ? own : undefined;
  return plans.find(({ leading, isNumber }) => leading === null && isNumber(national));
};

/**
 * Numbers as they are today, though written as they were: Mexico's mobiles have no 1 any more, Brazil's have nine digits, and
 * Argentina's begin with 9, where people at home write 15 after the area.
 */
const today = (code: string, national: string): string => {
  if (code === '52') return national.replace(/^1(?=\d{10}$)/, '');
  if (code === '55') return national.replace(/^(\d\d)(?=[6-9]\d{7}$)/, '$19');
  const [argentina] = code === '54' && national.length === 12 ? (plansOf(code) ?? []) : [];
  return argentina ? argentina.withoutHomePrefix(national) : national;
};

const fault = (reason: PhoneFault): PhoneReading => ({ phone: null, fault: reason });

const lengthFault = (plans: readonly Plan[], nationals: readonly string[]): PhoneReading => {
  const lengths = plans.flatMap((plan) => plan.lengths);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  if (nationals.every(({ length }) => length < least)) return fault('too_short');
  return fault(nationals.every(({ length }) => length > most) ? 'too_long' : 'not_valid');
};

/** @param digits behind the plus: no rule of a country changes them */
function readInternational(digits: string): PhoneReading {
  if (digits.length > DIGITS_MAX) return fault('too_long');
  for (let length = 1; length <= Math.min(CALLING_CODE_MAX, digits.length); length += 1) {
    const code = digits.slice(0, length);
    const plans = plansOf(code);
    if (plans === null) continue;
    const national = today(code, digits.slice(length));
    if (validPlan(plans, national)) return { phone: `+${code}${national}` };
    return lengthFault(plans, [national]);
  }
  return fault(digits.length < DIGITS_MIN ? 'too_short' : 'not_valid');
}

/** @param digits without a plus: read as in the country, and only there */
function readNational(digits: string, country: string | null): PhoneReading {
  if (digits.length > DIGITS_MAX + 1) return fault('too_long');
  const code = country === null ? undefined : callingCodeOf(country);
  const plans = code === undefined ? null : plansOf(code);
  if (code === undefined || plans === null)
    return fault(digits.length < DIGITS_MIN ? 'too_short' : 'no_country');
  const own = plans.find((plan) => plan.country === country) ?? plans[0];
  const nationals = [digits, own?.withoutHomePrefix(digits) ?? digits];
  if (digits.startsWith(code)) nationals.push(digits.slice(code.length));
  const phones = new Set(
    nationals
      .map((national) => today(code, national))
      .filter((national) => validPlan(plans, national))
      .map((national) => `+${code}${national}`),
  );
  const [phone] = phones;
  if (phone === undefined) return lengthFault(plans, nationals);
  if (phone.length > '+'.length + DIGITS_MAX) return fault('too_long');
  const elsewhere = readInternational(digits).phone;
  if (elsewhere !== null) phones.add(elsewhere);
  return phones.size > 1 ? fault('ambiguous') : { phone };
}

/** Undefined: it has no phones of its own. */
const callingCodeOf = (country: string): string | undefined =>
  Object.entries(country_calling_codes).find(([, countries]) =>
    (countries as string[]).includes(country),
  )?.[0];

const one = (readings: readonly PhoneReading[]): PhoneReading => {
  const phones = new Set(readings.flatMap(({ phone }) => (phone === null ? [] : [phone])));
  if (phones.size > 1) return fault('ambiguous');
  return readings.find(({ phone }) => phone !== null) ?? (readings[0] as PhoneReading);
};

/** Whether a spreadsheet has made a number of a phone, whose last digits are lost by that. */
export const isRounded = (text: string): boolean => ROUNDED.test(text.trim());

/**
 * Reads a phone as people write it, by the numbering plans of libphonenumber. What begins with a plus or 00 is international;
 * all else is read as in the country. What could be another number is a fault: no digit is guessed.
 * @param country ISO 3166; null: only international numbers are read
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const given = text
    .replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\uff0b', '+')
    .replace(INVISIBLE, '')
    .trim()
    .replace(AROUND, '')
    .trim();
  if (given === '') return fault('empty');
  if (EXTENSION.test(given) || DECIMAL.test(given) || ROUNDED.test(given)) return fault('not_valid');
  if (/\p{L}/u.test(given)) return fault('letters');
  const forms = HOME_DIGIT.test(given) ? [given.replace(HOME_DIGIT, ''), given] : [given];
  return one(forms.map((form) => readMarked(form, country)));
}

const isNumber = ({ phone, fault: reason }: PhoneReading): boolean =>
  phone !== null || reason === 'ambiguous';

/**
 * Where numbers have no fixed length, as in Austria, two of them in one cell would be a third one. The second is told by its
 * beginning, its area's or its country's, or by what stands between them: without either it could be a long extension, which
 * belongs to its number there.
 */
function readMarked(text: string, country: string | null): PhoneReading {
  const read = (part: string, at: string | null): PhoneReading => readDigits(part.replace(MARKS, ''), at);
  const whole = read(text, country);
  if (whole.phone === null) return whole;
  const isTwo = [...text.matchAll(MARKS)].some(({ index, 0: marks }) => {
    const rest = text.slice(index + marks.length);
    const isWide = WIDE.test(marks);
    if (rest.replace(MARKS, '').length < OWN_DIGITS_MIN) return false;
    // Without a sign of its beginning the rest may be the end of the number, such as an extension of a switchboard.
    if (!isWide && !rest.startsWith('0')) return false;
    if (!isNumber(read(text.slice(0, index), country))) return false;
    return isWide || isNumber(read(rest, countryOfPhone(whole.phone)));
  });
  return isTwo ? fault('too_long') : whole;
}

function readDigits(digits: string, country: string | null): PhoneReading {
  if (digits === '') return fault('empty');
  if (!DIGITS.test(digits)) return fault('not_valid');
  if (digits.startsWith('+')) return readInternational(digits.slice(1));
  return digits.startsWith('00') ? readInternational(digits.slice(2)) : readNational(digits, country);
}

/** The country of a phone with its plus; null: the phone is not valid, or of no country. */
export function countryOfPhone(phone: string): string | null {
  for (let length = 1; length <= CALLING_CODE_MAX; length += 1) {
    const plans = plansOf(phone.slice(1, 1 + length));
    if (plans) return validPlan(plans, phone.slice(1 + length))?.country ?? null;
  }
  return null;
}
