import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentSchema } from '@app/config/environment-schema';
import { ERROR_CODES } from '@app/contracts/error-codes';
import { START_WORDS, STOP_WORDS } from '@app/domain/webhooks/opt-out.words';
import { CONNECTIONS_MAX } from '@app/persistence/database/connection-budget';
import { STATUS_OF_CODE } from '../../apps/server/src/http/errors/error-statuses';
import type { Argv } from 'yargs';
import { VERBS } from '../../apps/cli/src/verbs/verbs-table';
import { deadLinks, readPages, REPEATABLE, ROOT, type Block } from './markdown.document';

const pages = readPages();
/** E-mail addresses and phones, as a shell's words. */
const ADDRESSES = /[^\s"]+@[^\s"]+|\d{10,}/g;
const isRun = ({ language, words }: Block): boolean => language === 'sh' && words[0] === 'test';
const textOf = (path: string): string => pages.find((page) => page.path === path)?.text ?? '';

describe('the documentation', () => {
  it.each(pages)('has no link that leads nowhere in $path', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  it('begins with the two commands that start and test everything', () => {
    expect(textOf('README.md')).toContain('npm ci && npm start');
    expect(textOf('README.md')).toContain('npm ci && npm test');
  });

  it('tells how many connections to PostgreSQL a process may have', () => {
    expect(textOf('docs/running/production.md')).toContain(`up to ${CONNECTIONS_MAX} for each process`);
  });

  it.each([
    ['unsubscribes', STOP_WORDS],
    ['subscribes again', START_WORDS],
  ])('tells operators each word that %s, in both languages', (_what, words) => {
    for (const path of ['docs/operators/stages-and-switch.md', 'docs/operators/ru/stages-and-switch.md'])
      for (const list of Object.values(words)) expect(textOf(path)).toContain(`| ${list.join(', ')} |`);
  });

  it('has each page for operators in both languages, with the same chapters and pictures', () => {
    const folder = 'docs/operators/';
    const english = pages.filter(({ path }) => path.startsWith(folder) && !path.startsWith(`${folder}ru/`));
    const shapeOf = (text: string): string[] =>
      [...text.matchAll(/^(#+) |^!\[.*\/(\w+\.png)\)/gm)].map(([, level, picture]) => level ?? picture ?? '');
    expect(english.length).toBeGreaterThan(5);
    for (const { path, text } of english)
      expect([path, shapeOf(textOf(path.replace(folder, `${folder}ru/`)))]).toEqual([path, shapeOf(text)]);
  });

  it('makes nothing of a fixed address on a page that can be gone through again', () => {
    const repeatable = pages.filter(({ text, blocks }) => text.includes(REPEATABLE) && blocks.some(isRun));
    expect(repeatable.length).toBeGreaterThan(1);
    const fixed = repeatable.flatMap(({ path, blocks }) =>
      blocks
        .filter(isRun)
        .flatMap(({ text }) => text.match(ADDRESSES) ?? [])
        .filter((address) => !address.includes('$'))
        .map((address) => `${path}: ${address}`),
    );
    expect(fixed).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(0);
    expect([...new Set(named)].filter((name) => !(String(name) in scripts))).toEqual([]);
  });

  it('shows a service of systemd that starts what npm run start:prod starts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const program = String(scripts['start:prod']).replace('exec node ', '/node_modules/.bin/node ');
    expect(textOf('docs/running/production.md')).toContain(`${program}\n`);
  });

  it('names only tests that exist', () => {
    const specs = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => join('test', name));
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm test -- ([^\s`]+)/g)].map(([, path]) => String(path)),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !specs.some((spec) => spec.startsWith(path)))).toEqual([]);
  });

  it('names every option of each verb of the command line', () => {
    const rows = textOf('docs/integrators/command-line.md').split('\n');
    for (const { command, arguments: describeTo } of VERBS) {
      const [word = ''] = command.split(' ');
      const row = rows.filter((line) => line.startsWith(`| \`${word} `) || line.startsWith(`| \`${word}\``));
      const named: string[] = [];
      const yargs: unknown = new Proxy(() => yargs, {
        get: (_, method) => (name: string) => {
          if (method === 'option') named.push(`--${name}`);
          return yargs;
        },
      });
      describeTo(yargs as Argv);
      expect([word, named.filter((option) => !row.join('\n').includes(option))]).toEqual([word, []]);
    }
  });

  it('shows every operation of the OpenAPI document', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'test/snapshots/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(10);
    const everything = pages
      .filter(({ path }) => path.startsWith('docs/'))
      .map(({ text }) => text)
      .join('\n');
    expect(operations.filter((operation) => !everything.includes(`\`${operation}\``))).toEqual([]);
  });

  it('explains every error code with its status, its cause and its remedy', () => {
    const rows = textOf('docs/integrators/errors.md')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const explained = rows.filter((cells) => cells.length === 6 && /^`[A-Z_]+`$/.test(cells[2] ?? ''));
    expect(explained.map(([, , code]) => code).sort()).toEqual(
      ERROR_CODES.map((code) => `\`${code}\``).sort(),
    );
    for (const [, status, code = '', cause, remedy] of explained) {
      const known = ERROR_CODES.find((name) => `\`${name}\`` === code);
      expect([code, Number(status)]).toEqual([code, known && STATUS_OF_CODE[known]]);
      expect([code, (cause ?? '').length > 10, (remedy ?? '').length > 10]).toEqual([code, true, true]);
    }
  });

  it('lists every setting with its default', () => {
    const rows = textOf('docs/running/settings.md')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, name = '']) => /^`[A-Z\d_]+`$/.test(name));
    const defaults = environmentSchema.parse({}) as unknown as Record<string, string | number | undefined>;
    const expected = Object.keys(environmentSchema.shape).map((name) => [
      `\`${name}\``,
      defaults[name] === undefined ? 'none' : `\`${defaults[name]}\``,
    ]);
    expect(rows.map(([, name, fallback]) => [name, fallback]).sort()).toEqual(expected.sort());
  });
});
