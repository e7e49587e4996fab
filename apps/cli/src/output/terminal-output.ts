import type { CliEnvironment } from '../cli-environment';

/** What would move the cursor, colour, make a sound, or turn the direction of the text. */
const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text of customers, models and people on one line of a terminal: what would act there is shown instead. */
export const safeText = (text: string): string => text.replace(ACTS, (sign) => SHORT[sign] ?? escaped(sign));

/** JSON that is the same to programs and acts on no terminal. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(ACTS, (sign) => (sign === '\n' ? sign : escaped(sign)));

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Two columns wide: emoji, and what East Asia writes. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])/u;
const NARROW = /^[\u0020-\u024f\u0400-\u04ff]*$/;

const widthOfOne = (sign: string): number => (WIDE.test(sign) ? 2 : /^\p{Mark}+$/u.test(sign) ? 0 : 1);

/** How many columns of a terminal a text takes. */
function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments.segment(text)) width += widthOfOne(segment);
  return width;
}

/** The beginning that fits into so many columns, with … where something is left out. */
function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of segments.segment(text)) {
    width += widthOfOne(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

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
function columnsOf(rows: readonly (readonly string[])[], width: number): string[] {
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

type Cell = string | number | boolean | null | undefined;

const DEFAULT_WIDTH = 80;

const words = (cell: Cell): string => {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return safeText(String(cell));
};

/** A reader that has seen enough, such as `head`, ends us without a word; a full disk is said. */
export function endWithReader(): void {
  process.stderr.on('error', () => process.exit(1));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`Error: the output cannot be written: ${safeText(error.message)}\n`);
    process.exit(1);
  });
}

/** What people and programs read of a command: what was asked for on stdout, everything else on stderr. */
export class Output {
  constructor(
    readonly isJson: boolean,
    private readonly environment: CliEnvironment,
    private readonly out: NodeJS.WriteStream = process.stdout,
    private readonly err: NodeJS.WriteStream = process.stderr,
  ) {}

  /** Whether somebody watches what is told beside. */
  get isWatched(): boolean {
    return this.err.isTTY && !this.isJson;
  }

  /** What the service answered: with --json as it is, else as `show` tells it. */
  answer(data: unknown, show: () => void): void {
    if (this.isJson) this.out.write(`${safeJson(data, 2)}\n`);
    else show();
  }

  /** One of a stream of answers. */
  item(data: unknown, show: () => string): void {
    this.out.write(`${this.isJson ? safeJson(data) : show()}\n`);
  }

  /** On a terminal in columns that fit, else with tabs and whole, for other programs. */
  table(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const texts = [header, ...rows.map((row) => row.map(words))];
    if (!this.out.isTTY) {
      this.out.write(texts.map((row) => `${row.join('\t')}\n`).join(''));
      return;
    }
    const [head = '', ...lines] = columnsOf(texts, this.out.columns || DEFAULT_WIDTH);
    this.out.write(`${[this.bold(head), ...lines].join('\n')}\n`);
  }

  /** Names and values, one below the other. */
  facts(pairs: readonly (readonly [name: string, value: Cell])[]): void {
    const longest = Math.max(...pairs.map(([name]) => name.length));
    for (const [name, value] of pairs) this.out.write(`${name.padEnd(longest)}  ${words(value)}\n`);
  }

  /** An answer of any form. */
  json(data: unknown): void {
    this.out.write(`${safeJson(data, 2)}\n`);
  }

  /** Our own words, of several lines. */
  text(lines: string): void {
    this.out.write(`${lines}\n`);
  }

  /** One line, whoever wrote what is in it. */
  line(text: string): void {
    this.out.write(`${safeText(text)}\n`);
  }

  /** A part of a file. Resolves when more may be given. */
  bytes(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) =>
      this.out.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }

  get isTerminal(): boolean {
    return this.out.isTTY;
  }

  /** To whoever sits there, on a line of its own; programs read the exit code. */
  note(text: string): void {
    if (!this.isJson) this.err.write(`${safeText(text)}\n`);
  }

  /** How to go on after the end, on stderr: to programs as a line of JSON. */
  hint(data: object, text: string): void {
    if (this.isJson) this.err.write(`${safeJson(data)}\n`);
    else this.note(text);
  }

  private bold(text: string): string {
    return this.environment.mayColor ? `\u001b[1m${text}\u001b[22m` : text;
  }
}
