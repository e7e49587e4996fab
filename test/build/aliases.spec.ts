import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string): any => JSON.parse(readFileSync(join(__dirname, '../..', file), 'utf8'));

describe('the build', () => {
  it('knows the same import aliases in tsconfig.json as in .swcrc, from which jest takes them', () => {
    const withoutDot = Object.fromEntries(
      Object.entries<string[]>(read('tsconfig.json').compilerOptions.paths).map(([alias, targets]) => [
        alias,
        targets.map((target) => target.replace(/^\.\//, '')),
      ]),
    );
    expect(withoutDot).toEqual(read('.swcrc').jsc.paths);
  });

  it('loads at its first use whatever .swcrc says so of, by a name that the sources import', () => {
    const sources = ['apps', 'libs']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
      )
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .map((path) => readFileSync(path, 'utf8'));
    const lazy = read('.swcrc').module.lazy as string[];
    expect(lazy.filter((name) => !sources.some((text) => text.includes(` from '${name}';`)))).toEqual([]);
  });

  it('installs from a lock file without download addresses, and runs only approved install scripts', () => {
    const lock = read('package-lock.json');
    const packages = Object.entries<any>(lock.packages);
    expect(packages.filter(([, entry]) => entry.resolved).map(([path]) => path)).toEqual([]);
    const allowed = new Set(Object.keys(read('package.json').allowScripts));
    const withScripts = packages.filter(([, entry]) => entry.hasInstallScript);
    const names = withScripts.map(([path]) =>
      path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
    expect(names.filter((name) => !allowed.has(name))).toEqual([]);
  });

  it('pins every dependency to one version', () => {
    const { dependencies, devDependencies } = read('package.json');
    const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
      ([, range]) => !/^\d/.test(range),
    );
    expect(loose).toEqual([]);
  });
});
