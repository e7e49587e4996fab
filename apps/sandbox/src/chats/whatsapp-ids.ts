import { createHash, randomBytes } from 'node:crypto';

/** Countries by the beginning of their phones. The longest matching beginning counts. */
const COUNTRIES: Readonly<Record<string, string>> = {
  '7': 'RU',
  '76': 'KZ',
  '77': 'KZ',
  '1': 'US',
  '44': 'GB',
  '49': 'DE',
  '90': 'TR',
  '375': 'BY',
  '380': 'UA',
  '994': 'AZ',
  '996': 'KG',
  '998': 'UZ',
};
const PREFIX_MAX = 3;
const ELSEWHERE = 'ZZ';

const PHONE_FORMAT = /^[1-9][0-9]{6,14}$/;

export const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

/** A phone as Meta reads one: punctuation between the digits does not matter. Null if it is no phone. */
export function readPhone(value: string): string | null {
  if (!/^\+?[0-9 ()-]+$/.test(value)) return null;
  const digits = digitsOf(value);
  return PHONE_FORMAT.test(digits) ? `+${digits}` : null;
}

/** The business-scoped user id of a phone. The same phone and business give the same id, which cannot be reversed. */
export function userIdOf(phone: string, business: string): string {
  const digits = digitsOf(phone);
  let country = ELSEWHERE;
  for (let length = 1; length <= PREFIX_MAX; length += 1)
    country = COUNTRIES[digits.slice(0, length)] ?? country;
  const hash = createHash('sha256').update(`${business}:${digits}`).digest();
  return `${country}.${(hash.readBigUInt64BE() % 10n ** 15n).toString().padStart(15, '1')}`;
}

/** An id in WhatsApp's form: the phone and random bytes, in base64. */
export function newWhatsappId(phone: string, incoming: boolean): string {
  const digits = Buffer.from(digitsOf(phone), 'latin1');
  return `wamid.${Buffer.concat([
    Buffer.from([0x1c, 0x18, digits.length]),
    digits,
    Buffer.from([0x15, 0x02, 0x00, incoming ? 0x12 : 0x11, 0x18, 0x12]),
    Buffer.from(randomHex(), 'latin1'),
    Buffer.from([0]),
  ]).toString('base64')}`;
}

const RANDOM_BYTES = 9;
let drawn = Buffer.alloc(0);

/** Random bytes are drawn in bulk, because each draw has a high fixed cost. */
function randomHex(): string {
  if (drawn.length < RANDOM_BYTES) drawn = randomBytes(RANDOM_BYTES * 500);
  const hex = drawn.toString('hex', 0, RANDOM_BYTES).toUpperCase();
  drawn = drawn.subarray(RANDOM_BYTES);
  return hex;
}

/** Whole seconds since 1970: the form of times at both providers. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);
