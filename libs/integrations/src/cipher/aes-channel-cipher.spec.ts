import { randomBytes } from 'node:crypto';
import { AesChannelCipher } from './aes-channel-cipher';

const KEY = randomBytes(32).toString('hex');
const BOUND = 'account/bot/waba';
const TOKEN = 'EAAG-токен-☕';

const cipher = new AesChannelCipher(KEY);
const { keyId, sealed } = cipher.seal(TOKEN, BOUND);

it('opens what it sealed, in this process and in the next', () => {
  expect(cipher.open(keyId, sealed, BOUND)).toBe(TOKEN);
  expect(new AesChannelCipher(KEY.toUpperCase()).open(keyId, sealed, BOUND)).toBe(TOKEN);
});

it('seals an empty text and a long one', () => {
  for (const text of ['', 'x'.repeat(100_000)]) {
    const made = cipher.seal(text, BOUND);
    expect(cipher.open(made.keyId, made.sealed, BOUND)).toBe(text);
  }
});

it('shows nothing of the text, and never the same bytes twice', () => {
  expect(sealed.includes(Buffer.from(TOKEN))).toBe(false);
  const pieces = Array.from({ length: 50 }, () => cipher.seal(TOKEN, BOUND).sealed.toString('hex'));
  expect(new Set(pieces).size).toBe(50);
});

it('opens nowhere but where it belongs', () => {
  for (const bound of ['account/bot/waba_coexistence', 'account/other/waba', '', `${BOUND} `]) {
    expect(() => cipher.open(keyId, sealed, bound)).toThrow();
  }
});

it('does not open when any one bit is another', () => {
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const bent = Buffer.from(sealed);
    bent[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => cipher.open(keyId, bent, BOUND)).toThrow();
  }
});

it('does not open when it is cut short', () => {
  for (let length = 0; length < sealed.length; length++) {
    expect(() => cipher.open(keyId, sealed.subarray(0, length), BOUND)).toThrow();
  }
});

it('names the key that is missing, and shows neither key nor text', () => {
  const other = new AesChannelCipher(randomBytes(32).toString('hex'));
  const open = (): string => other.open(keyId, sealed, BOUND);
  expect(open).toThrow(`sealed by the key ${keyId}`);
  expect(open).not.toThrow(KEY);
});

it('does not open by another key, whatever its id claims', () => {
  const other = new AesChannelCipher(randomBytes(32).toString('hex'));
  const otherId = other.seal('', BOUND).keyId;
  expect(otherId).not.toBe(keyId);
  expect(() => other.open(otherId, sealed, BOUND)).toThrow();
});

it.each(['', 'ab', KEY.slice(2), `${KEY}00`, 'z'.repeat(64)])('is not made of the key %j', (key) => {
  expect(() => new AesChannelCipher(key)).toThrow('32 bytes');
});
