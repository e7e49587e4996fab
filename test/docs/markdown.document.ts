import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** A fenced block: ```sh test, its words after the language being what the tests go by. */
export interface Block {
  language: string;
  words: string[];
  text: string;
  line: number;
}

/** A page of the documentation. */
export interface Page {
  /** From the repository's root, such as docs/integrators/leads.md. */
  path: string;
  text: string;
  blocks: Block[];
}

/** What a page says whose commands succeed again on data that they have changed. */
export const REPEATABLE = 'gone through as often as you like';

/** Pages beside what they explain. */
const BESIDE = ['apps', 'examples', 'libs', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => basename(name) === 'README.md')
    .map((name) => join(folder, name)),
);

/** Also within a list, where it is indented. */
const FENCE = /^( *)```(\S*)(.*)$/;

/** Every page that the repository keeps for people: those at its top, those below docs, and those beside what they explain. */
export function readPages(): Page[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [...top, ...below, ...BESIDE].sort().map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, blocks: blocksOf(text) };
  });
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { lines: string[]; indent: string }) | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', language = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open && line === `${open.indent}\`\`\``) {
      blocks.push({
        language: open.language,
        words: open.words,
        text: open.lines.join('\n'),
        line: open.line,
      });
      open = null;
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else if (language) {
      const words = rest.split(' ').filter((word) => word !== '');
      open = { language, words, text: '', line: index + 2, lines: [], indent };
    }
  }
  if (open) throw new Error(`the block at line ${open.line} is not closed`);
  return blocks;
}

/** Links and pictures that lead nowhere: a missing file, or a heading that the target page lacks. */
export function deadLinks(page: Page): string[] {
  const prose = page.text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, a, b]) => a ?? b ?? '',
  );
  return targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [path = '', heading] = target.split('#');
    const file = path === '' ? page.path : relative(ROOT, join(ROOT, dirname(page.path), path));
    if (!existsSync(join(ROOT, file))) return true;
    return heading !== undefined && !headingsOf(readFileSync(join(ROOT, file), 'utf8')).includes(heading);
  });
}

/** Headings as GitHub names them in links. */
const headingsOf = (text: string): string[] =>
  [...text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
