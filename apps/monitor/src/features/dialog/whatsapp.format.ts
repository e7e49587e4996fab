/** A part of a text as WhatsApp draws it. */
export interface StyledPart {
  text: string;
  style: 'plain' | 'bold' | 'italic' | 'struck' | 'code';
}

const STYLES = { '*': 'bold', _: 'italic', '~': 'struck' } as const;
/** Signs count around words, not within them. */
const STYLED = /```([\s\S]+?)```|(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\2(?![\p{L}\p{N}])/gu;

/** Finds what WhatsApp draws in bold, in italics, struck out and in a fixed width. */
export function styledParts(text: string): StyledPart[] {
  const parts: StyledPart[] = [];
  let from = 0;
  for (const match of text.matchAll(STYLED)) {
    const [whole, code, sign, words = ''] = match;
    if (match.index > from) parts.push({ text: text.slice(from, match.index), style: 'plain' });
    parts.push(
      code === undefined
        ? { text: words, style: STYLES[sign as keyof typeof STYLES] }
        : { text: code, style: 'code' },
    );
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), style: 'plain' });
  return parts;
}
