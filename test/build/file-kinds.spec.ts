import { readdirSync } from 'node:fs';
import { join } from 'node:path';

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
});
