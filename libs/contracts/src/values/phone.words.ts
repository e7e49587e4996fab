/** Why a text is no phone. */
export const PHONE_FAULTS = [
  'empty',
  'letters',
  'too_short',
  'too_long',
  'not_valid',
  'no_country',
  'ambiguous',
] as const;

export type PhoneFault = (typeof PHONE_FAULTS)[number];

/** ISO 3166. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

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
