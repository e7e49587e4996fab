import { fitted, widthOf } from './safe.text';

const GAP = '  ';
const NARROWEST = 6;
/** What is copied into the next command. */
const ID = /^(?:thread_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Takes columns of the widest that may give way, until so many are taken or none is left to take. */
function narrow(widths: number[], mayGive: (column: number) => boolean, excess: number): void {
  let left = excess;
  while (left > 0) {
    const widest = widths.reduce(
      (found, width, column) =>
        mayGive(column) && width > NARROWEST && width > (widths[found] ?? 0) ? column : found,
      -1,
    );
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
    left -= 1;
  }
}

/** Columns that fit into a width. The header comes first. Ids give way last. */
export function columnsOf(rows: readonly (readonly string[])[], width: number): string[] {
  const [header = [], ...lines] = rows;
  const widths = header.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const hasIds = header.map((_, column) => lines.some((row) => ID.test(row[column] ?? '')));
  const excess = (): number =>
    widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  narrow(widths, (column) => !hasIds[column], excess());
  narrow(widths, () => true, excess());
  return rows.map((row) =>
    widths
      .map((each, column) => {
        const cell = fitted(row[column] ?? '', each);
        return cell + ' '.repeat(each - widthOf(cell));
      })
      .join(GAP)
      .trimEnd(),
  );
}
