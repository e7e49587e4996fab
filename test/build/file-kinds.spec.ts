import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The kinds of files. What is none of these stands in the file that uses it, or is a plain noun. */
const KINDS = [
  ...[
    'module',
    'controller',
    'gateway',
    'guard',
    'decorator',
    'request',
    'answer',
    'presenter',
    'handler',
    'command',
    'metrics',
  ],
  ...['service', 'worker', 'rules', 'step', 'port', 'errors', 'words', 'format'],
  ...['repository', 'entity', 'statements', 'migration'],
  ...['page', 'view', 'hook', 'store', 'query'],
];

const NAME = new RegExp(`^[a-z0-9-]+(\\.(${KINDS.join('|')}))?((\\.(db|e2e))?\\.spec)?\\.tsx?$`);

/** Types of a package that has none, named as the package names its module. */
const DECLARATIONS = /\.d\.ts$/;

/** Written by `npm run client`. */
const GENERATED = new Set(['openapi-types', 'operation-table'].map((name) => `libs/client/src/${name}.ts`));

const isSpec = (file: string): boolean => /\.spec\.tsx?$/.test(file);

describe('the files of the product', () => {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !DECLARATIONS.test(file))
      .map((file) => join(folder, file)),
  );

  it('are a plain noun, or a noun of a kind that is known', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((file) => !NAME.test(file.slice(file.lastIndexOf('/') + 1)))).toEqual([]);
  });

  it('have at most 400 lines, where people write them', () => {
    const lengthOf = (file: string): number => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
    expect(files.filter((file) => !GENERATED.has(file) && lengthOf(file) > 400 && !isSpec(file))).toEqual([]);
  });

  it('stand with at most twenty others in a folder', () => {
    const counts = new Map<string, number>();
    for (const folder of files.filter((file) => !isSpec(file)).map(dirname))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });
});
