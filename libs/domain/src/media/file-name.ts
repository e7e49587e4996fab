const LENGTH_MAX = 200;
/**
 * Control characters, separators of lines, and those that turn the direction of text, which disguise an ending. The two
 * joiners stay: words in Persian and Hindi are spelt with them, and families of emoji are joined by them.
 */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const NOTHING_TO_READ = /^[.\u200C\u200D]*$/u;

/**
 * A file's name as a sender gave it, without folders and invisible characters, at most 200 characters; the ending
 * stays. Null where nothing is left.
 */
export function fileNameOf(given: string | null | undefined): string | null {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(INVISIBLE, '').normalize('NFC').trim();
  if (NOTHING_TO_READ.test(name)) return null;
  const letters = [...name];
  if (letters.length <= LENGTH_MAX) return name;
  const dot = letters.lastIndexOf('.');
  const ending = dot > 0 && letters.length - dot <= 16 ? letters.slice(dot) : [];
  return [...letters.slice(0, LENGTH_MAX - ending.length), ...ending].join('');
}
