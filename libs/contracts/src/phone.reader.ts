/** What people write between digits. */
const MARKS = /[\s().\u2010-\u2015-]/g;
/** A spreadsheet's number is no phone: digits were lost, or come from nowhere. */
const DECIMAL = /^\d+[.,]\d+$/;
/** How a spreadsheet writes a long number of its own accord. */
const ROUNDED = /^\d([.,]\d+)?e\+?\d+$/i;
/** How a spreadsheet keeps a text from being a formula, and how a link has a phone. */
const AROUND = /^'|^tel:/i;
const DIALLED_PLUS = /^00(?=[1-9])/;
/** How people in Kazakhstan and Russia write +7 at home. */
const NATIONAL = /^8(?=\d{10}$)/;
/** What the service takes. */
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Whether a spreadsheet has made a number of a phone, whose last digits are lost by that. */
export const isRounded = (text: string): boolean => ROUNDED.test(text.trim());

/**
 * A phone in the form in which the service takes it; null: it is none. It is read as the service's search reads phones: a
 * plus may be missing or dialled as 00, and eleven digits that begin with 8 are of +7.
 */
export function readPhone(text: string): string | null {
  const given = text.trim().replace(AROUND, '').trim();
  if (DECIMAL.test(given)) return null;
  const digits = given.replace(MARKS, '');
  const phone = digits.startsWith('+')
    ? digits
    : `+${digits.replace(DIALLED_PLUS, '').replace(NATIONAL, '7')}`;
  return PHONE.test(phone) ? phone : null;
}
