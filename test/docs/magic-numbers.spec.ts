import { MAGIC_NUMBERS, type MagicNumber, MAGIC_WORDS, type MagicWord } from '@app/contracts/magic-numbers';
import { readPages } from './markdown.document';

const PHONE_ROW = /^\| `\+\d+` \|/;
const WORD_ROW = /^\| `#/;

/** The cells of the page's rows that begin so. */
function rowsOf(begin: RegExp): string[][] {
  const page = readPages().find(({ path }) => path === 'docs/running/demo.md');
  return (page?.text ?? '')
    .split('\n')
    .filter((line) => begin.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The number of the error on each channel, as the page writes it. */
function codesOf({ code }: MagicNumber): string {
  if (code === undefined) return '';
  const { waba_coexistence: cloud, waba } = code;
  if (cloud === waba) return String(cloud ?? '');
  return `${cloud ?? 'none'}; Gupshup: ${waba ?? 'none'}`;
}

it('lists on the page about the demo what the sandbox does with each magic phone', () => {
  expect(rowsOf(PHONE_ROW)).toEqual(
    MAGIC_NUMBERS.map((number) => [`\`${number.phone}\``, number.happens, codesOf(number)]),
  );
});

it('lists there what the scripted model does at each magic word', () => {
  expect(rowsOf(WORD_ROW)).toEqual(
    MAGIC_WORDS.map(({ word, example = word, happens }: MagicWord) => [`\`${example}\``, happens]),
  );
});
