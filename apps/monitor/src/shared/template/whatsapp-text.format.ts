type Mark = 'bold' | 'italic' | 'struck' | 'code' | 'quote' | 'item';

/** A piece of a text as WhatsApp shows it. */
export type TextPiece = string | { mark: Mark; inside: TextPiece[] };

const MARKS = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

/** Between marks stands a text of one line that neither begins nor ends with a blank; around them no letter or digit. */
const WITHIN_LINE =
  /`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}])(?<sign>[*_~])(?!\s|\k<sign>)(?<marked>(?:(?!\k<sign>)[^\n])+?)(?<!\s)\k<sign>(?![\p{L}\p{N}])/u;
const ANYWHERE = new RegExp(
  ['```(?<block>[^]+?)```', '^> (?<quote>.*)', '^[*-] (?<item>.*)', WITHIN_LINE.source].join('|'),
  'gmu',
);
const IN_LINE = new RegExp(WITHIN_LINE.source, 'gu');

/** Reads WhatsApp's marks: *bold*, _italic_, ~struck~, `code`, ```code```, and the lines of quotes and lists. */
export const readMarks = (text: string): TextPiece[] => piecesOf(text, ANYWHERE);

function piecesOf(text: string, marks: RegExp): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(pieceOf(match.groups ?? {}));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

function pieceOf({
  block,
  code,
  quote,
  item,
  sign,
  marked = '',
}: Partial<Record<string, string>>): TextPiece {
  const literal = block ?? code;
  if (literal !== undefined) return { mark: 'code', inside: [literal] };
  if (quote !== undefined) return { mark: 'quote', inside: piecesOf(quote, IN_LINE) };
  if (item !== undefined) return { mark: 'item', inside: piecesOf(item, IN_LINE) };
  return { mark: MARKS[sign as keyof typeof MARKS], inside: piecesOf(marked, IN_LINE) };
}
