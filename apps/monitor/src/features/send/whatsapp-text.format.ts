/** A piece of a text as WhatsApp shows it. */
export type TextPiece = string | { mark: 'bold' | 'italic' | 'strike' | 'mono'; inside: TextPiece[] };

const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

/** Between marks stands a text of one line that neither begins nor ends with a blank; around them no letter or digit. */
const MARKED =
  /```([^`]+)```|`([^`\n]+)`|(?<![\p{L}\p{N}*_~])([*_~])(?!\s)((?:(?!\3)[^\n])+?)(?<!\s)\3(?![\p{L}\p{N}])/u;

/** Reads WhatsApp's marks: *bold*, _italic_, ~strike~, `mono` and ```mono```. */
export function readMarks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let rest = text;
  for (let found = MARKED.exec(rest); found; found = MARKED.exec(rest)) {
    const [whole, block, line, sign, marked = ''] = found;
    if (found.index > 0) pieces.push(rest.slice(0, found.index));
    const mono = block ?? line;
    pieces.push(
      mono === undefined
        ? { mark: MARKS[sign as keyof typeof MARKS], inside: readMarks(marked) }
        : { mark: 'mono', inside: [mono] },
    );
    rest = rest.slice(found.index + whole.length);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
