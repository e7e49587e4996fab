import { Marked, type Token, type Tokens } from 'marked';

/** Without blocks of code by indentation: what a model indents is text. */
const parser = new Marked({ gfm: true, breaks: true, tokenizer: { code: () => undefined } });

const SAFE_ADDRESS = /^(?:https?:|mailto:|tel:)/i;

/** The marks of WhatsApp do not reach over the end of a line. */
const marked = (mark: string, text: string): string =>
  text.replace(/[^\n]+/g, (line) => {
    const words = line.trim();
    return words === '' || words === mark ? line : line.replace(words, () => `${mark}${words}${mark}`);
  });

/** A heading is bold as a whole. */
const bold = (text: string): string => marked('*', text.replaceAll('*', ''));

function addressed(text: string, href: string, raw: string): string {
  // An address that was written as such stays so.
  if (!raw.startsWith('[') && !raw.startsWith('![')) return text;
  if (!SAFE_ADDRESS.test(href)) return raw;
  const address = href.replace(/^(?:mailto|tel):/i, '');
  return text === '' || text === href || text === address ? address : `${text}: ${address}`;
}

/** An image is a link to it. */
function imageLink(tag: string): string {
  const [text, address] = [attributeOf(tag, 'alt'), attributeOf(tag, 'src')];
  return SAFE_ADDRESS.test(address) ? [text, address].filter((part) => part !== '').join(': ') : text;
}

const HTML: readonly [RegExp, string][] = [
  [/<br\s*\/?>/gi, '\n'],
  [/<hr\s*\/?>/gi, ''],
  [/<\/?(?:b|strong)>/gi, '*'],
  [/<\/?(?:i|em)>/gi, '_'],
  [/<\/?(?:s|del|strike)>/gi, '~'],
  [/<li>/gi, '- '],
  [/<\/?(?:p|div|span|u|ul|ol|li|h[1-6]|table|thead|tbody|tr|td|th)(?:\s[^<>]*)?>/gi, ''],
];

const withoutTags = (html: string): string =>
  HTML.reduce((text, [tag, mark]) => text.replace(tag, mark), html.replace(/<img\s[^<>]*>/gi, imageLink));

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"' },
  ...{ mdash: '—', ndash: '–', hellip: '…', laquo: '«', raquo: '»', bull: '•', copy: '©', reg: '®' },
};
const withoutEntities = (text: string): string =>
  text.replace(/&(#?[a-z\d]{2,6});/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

function attributeOf(tag: string, name: string): string {
  const [, quoted, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\\s"'<>]+))`, 'i').exec(tag) ?? [];
  return withoutEntities(quoted ?? single ?? bare ?? '');
}

/** Bold that a parser does not take for such: its sign stands between a letter and a punctuation mark. */
const UNFLANKED: readonly [RegExp, string][] = [
  [/(?<![^\s\p{P}])\*\*(?=\S)([^*\n]{0,200}\p{P})\*\*(?=[\p{L}\p{N}])/gu, '*$1* '],
  [/(?<=[\p{L}\p{N}])\*\*(?=\p{P})([^*\n]{0,200}\S)\*\*(?![\p{L}\p{N}])/gu, ' *$1*'],
];
const plain = (text: string): string =>
  withoutEntities(UNFLANKED.reduce((rest, [sign, bold]) => rest.replace(sign, bold), text));

/** Tokens of our kind have tokens within. */
const within = (token: Token): Token[] => ('tokens' in token && token.tokens ? token.tokens : []);

/** Whether marks stand within a word or a number, as those of a product do: the messenger sets no such words apart. */
function isWithinWord({ type, raw }: Token, before = '', after = ''): boolean {
  const sign = type === 'em' && raw.startsWith('*') ? /[\p{L}\p{N}]/u : /\d/;
  return /^(?:em|strong|del)$/.test(type) && sign.test(before.at(-1) ?? '') && sign.test(after[0] ?? '');
}

/** Links as HTML has them are links. */
function withLinks(tokens: readonly Token[]): readonly Token[] {
  const isTag = (token: Token, tag: RegExp): boolean => token.type === 'html' && tag.test(token.raw);
  const from = tokens.findIndex((token) => isTag(token, /^<a\s/i));
  const to = tokens.findIndex((token, n) => n > from && isTag(token, /^<\/a\s*>/i));
  if (from < 0 || to < 0) return tokens;
  const href = attributeOf(tokens[from]?.raw ?? '', 'href');
  const text = tokens.slice(from + 1, to);
  const link = { type: 'link', raw: '[', href, tokens: text } as Tokens.Link;
  const linked = SAFE_ADDRESS.test(href) ? [link] : text;
  return [...tokens.slice(0, from), ...linked, ...withLinks(tokens.slice(to + 1))];
}

function inline(given: readonly Token[]): string {
  const tokens = withLinks(given);
  return tokens
    .map((token, n) => {
      if (isWithinWord(token, tokens[n - 1]?.raw, tokens[n + 1]?.raw)) return token.raw;
      switch (token.type) {
        case 'strong':
          return marked('*', inline(within(token)));
        case 'em':
          return marked('_', inline(within(token)));
        case 'del':
          return marked('~', inline(within(token)));
        case 'link':
          return addressed(inline(within(token)), (token as Tokens.Link).href, token.raw);
        case 'image':
          return addressed((token as Tokens.Image).text, (token as Tokens.Image).href, token.raw);
        case 'br':
          return '\n';
        case 'escape':
          return (token as Tokens.Escape).text;
        case 'html':
          return withoutTags(token.raw);
        case 'text':
          return within(token).length > 0 ? inline(within(token)) : plain(token.raw);
        default:
          return token.raw;
      }
    })
    .join('');
}

const indented = (text: string, by: string): string => text.replace(/\n(?=.)/g, `\n${by}`);

function list({ ordered, start, items }: Tokens.List): string {
  const first = Number(start) || 1;
  return items
    .map((item, index) => {
      const mark = ordered ? `${first + index}.` : '-';
      const done = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
      return `${mark} ${done}${indented(blocks(item.tokens).trim(), '  ')}`;
    })
    .join('\n');
}

function table({ header, rows }: Tokens.Table): string {
  const line = (cells: readonly Tokens.TableCell[]): string =>
    cells
      .map(({ tokens }) => inline(tokens).trim())
      .filter((text) => text !== '')
      .join(' – ');
  return [bold(line(header)), ...rows.map(line)].filter((text) => text !== '').join('\n');
}

/** What stands between two blocks is what the model wrote there. */
function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token) + (/\n*$/.exec(token.raw)?.[0] ?? '')).join('');
}

function block(token: Token): string {
  switch (token.type) {
    case 'heading':
      return bold(inline(within(token)));
    case 'paragraph':
    case 'text':
      return within(token).length > 0 ? inline(within(token)).replace(/\n+$/, '') : token.raw.trimEnd();
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'blockquote':
      return blocks(within(token)).trim().replace(/^/gm, '> ');
    case 'html':
      return withoutTags(token.raw.trimEnd());
    case 'hr':
    case 'def':
    case 'space':
    case 'checkbox':
      return '';
    default:
      return token.raw.replace(/\n+$/, '');
  }
}

/**
 * A model's text as a messenger shows it. Some models write Markdown whatever their instructions say. WhatsApp has
 * marks of its own (`*bold*`, `_italic_`, `~struck~`, code, lists, quotes; its help centre, "How to format your
 * messages") and no headings, tables, rules or named links. Marks without a partner stay as they are.
 */
export function withoutMarkdown(text: string): string {
  try {
    return blocks(parser.lexer(text))
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  } catch (error) {
    // The parser calls itself for what is nested, and thousands of levels exceed the stack.
    if (error instanceof RangeError) return text.trim();
    throw error;
  }
}
