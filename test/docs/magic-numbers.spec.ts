import { MAGIC_NUMBERS, type MagicNumber } from '@app/contracts/magic.numbers';
import { readPages } from '../support/markdown.document';

const ROW = /^\| `(\+\d+)` \|/;

/** The number of the error on each channel, as the page writes it. */
function codesOf({ code }: MagicNumber): string {
  if (code === undefined) return '';
  const { waba_coexistence: cloud, waba } = code;
  if (cloud === waba) return String(cloud ?? '');
  return `${cloud ?? 'none'}; Gupshup: ${waba ?? 'none'}`;
}

it('lists on the page about the demo what the sandbox does with each magic phone', () => {
  const page = readPages().find(({ path }) => path === 'docs/running/demo.md');
  const rows = (page?.text ?? '')
    .split('\n')
    .filter((line) => ROW.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(
    MAGIC_NUMBERS.map((number) => [`\`${number.phone}\``, number.happens, codesOf(number)]),
  );
});
