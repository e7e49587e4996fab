/**
 * Numbers that WhatsApp writes differently from the way they are dialled (Meta: phone number formats): Brazil's ninth digit of
 * mobiles, Mexico's 1 and Argentina's 9 after the country code. Only numbers of full length have that form.
 */
export const FOLDED: readonly (readonly [RegExp, string])[] = [
  [/^\+55(\d\d)9(\d{8})$/, '+55$1$2'],
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+549(\d{10})$/, '+54$1'],
];

/**
 * The address by which a dialog is found. All forms of a number have the same address, so an answer finds the dialog
 * that was opened by dialling. It is for finding only: it may not be a real number, so nothing is sent to it.
 * @param phone with its plus
 */
export function contactOf(phone: string): string {
  for (const [form, folded] of FOLDED) {
    if (form.test(phone)) return phone.replace(form, folded);
  }
  return phone;
}
