/**
 * Numbers that WhatsApp names otherwise than they are dialled (facts 10.2): Brazil's ninth digit of mobiles, Mexico's
 * 1 and Argentina's 9 after the country code. Only numbers of the full length are of that form.
 */
const FOLDED: readonly (readonly [RegExp, string])[] = [
  [/^\+55(\d\d)9(\d{8})$/, '+55$1$2'],
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+549(\d{10})$/, '+54$1'],
];

/**
 * The address by which a dialog is found: one for all forms of a number, so that an answer comes into the dialog that
 * was opened by dialling. For finding only: it may be nobody's number, so nothing is ever sent to it.
 * @param phone with its plus
 */
export function contactOf(phone: string): string {
  for (const [form, folded] of FOLDED) {
    if (form.test(phone)) return phone.replace(form, folded);
  }
  return phone;
}
