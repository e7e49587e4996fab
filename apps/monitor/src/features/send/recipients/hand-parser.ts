/** A line with cells, as people type or paste it. */
interface HandLine {
  /** From 1. */
  line: number;
  cells: readonly string[];
}

const SEPARATORS = ['\t', ';', ','] as const;

const linesOf = (text: string): { line: number; words: string }[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((words, n) => ({ line: n + 1, words: words.trim() }))
    .filter(({ words }) => words !== '');

/** Phones alone, one a line or several with commas between them. */
export const phonesOf = (text: string): HandLine[] =>
  linesOf(text).flatMap(({ line, words }) =>
    words
      .split(/[,;\t]/)
      .map((phone) => phone.trim())
      .filter((phone) => phone !== '')
      .map((phone) => ({ line, cells: [phone] })),
  );

/** A phone and its values in each line, with tabs, semicolons or commas between them: the first of these that it has. */
export const phonesWithValues = (text: string): HandLine[] =>
  linesOf(text).map(({ line, words }) => {
    const separator = SEPARATORS.find((one) => words.includes(one)) ?? ',';
    return { line, cells: words.split(separator).map((cell) => cell.trim()) };
  });
