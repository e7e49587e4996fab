import { guessSingleByte } from './text-encoding';

/** Node has no encoder of either. */
function encoderOf(encoding: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const byteOf = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return (text) =>
    Uint8Array.from(text, (sign) => {
      const byte = byteOf.get(sign);
      if (byte === undefined) throw new Error(`${sign} is not in ${encoding}`);
      return byte;
    });
}

const guessOf = (bytes: Uint8Array, pieces = 1): string | null => {
  const guess = guessSingleByte();
  const length = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += length) guess.add(bytes.subarray(at, at + length));
  return guess.end();
};
const cyrillic = encoderOf('windows-1251');
const latin = encoderOf('windows-1252');

describe('a text of one byte a letter', () => {
  it.each([
    'phone;name\n+77010000001;Ёжик',
    'Айгерим, оптом; г. Алматы, ул. Абая № 5',
    'Київ, вул. Хрещатик; «Їжак» – і ще',
    'ТОО «Ромашка»; Wi-Fi; а',
    'Йод',
  ])('is Cyrillic where all its words are: %s', (text) => {
    expect(guessOf(cyrillic(text))).toBe('windows-1251');
    for (const pieces of [2, 3, 7, text.length]) expect(guessOf(cyrillic(text), pieces)).toBe('windows-1251');
  });

  it.each([
    'phone;name\n+34911234567;José',
    'Jürgen Groß; Müller & Söhne',
    '¿Qué tal? Ñ à Málaga; 5 € nº 7ª',
    'Françoise, œuvre; Åsa; 20 °C; “déjà”',
    'Zoë – naïve',
    '20 °C; “plain”',
  ])('is Latin where all its words are: %s', (text) => {
    expect(guessOf(latin(text))).toBe('windows-1252');
    for (const pieces of [2, 3, 7, text.length]) expect(guessOf(latin(text), pieces)).toBe('windows-1252');
  });

  it.each<[string, Uint8Array]>([
    ['words of both alphabets', Uint8Array.of(...cyrillic('Айгерим; '), ...latin('José'))],
    ['a word that mixes them', cyrillic('Анна; VIPклиент')],
    ['a letter alone', latin('é')],
    ['a word of two letters', cyrillic('Ян')],
    ['an amount alone', latin('5 €')],
    ['Turkish in its own encoding', encoderOf('windows-1254')('Çağrı')],
    ['Polish in its own encoding', encoderOf('windows-1250')('Łukasz Dąb')],
    ['Russian of DOS', encoderOf('ibm866')('Привет, Анна')],
    ['Russian of Unix', encoderOf('koi8-r')('Привет, Анна')],
  ])('is not guessed from %s', (_, bytes) => {
    expect(guessOf(bytes)).toBeNull();
  });
});
