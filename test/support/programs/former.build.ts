import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A version of before, built. */
export interface FormerBuild {
  /** The program of its server. */
  main: string;
  remove(): void;
}

/** A copy of the sources without their history has none of it. */
export function hasHistoryOf(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Builds the server of a commit in a folder of its own, by the packages that are installed now. */
export function buildOf(commit: string): FormerBuild {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-former-'));
  const here = process.cwd();
  const parts = ['apps/server', 'apps/demo', 'libs', '.swcrc', 'package.json', 'tsconfig.json'];
  const archive = execFileSync('git', ['archive', commit, ...parts], { maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(here, 'node_modules/@swc/cli/bin/swc.js');
  const options = ['--out-dir', 'dist', '--config-file', '.swcrc', '--quiet'];
  execFileSync(process.execPath, [compiler, 'apps/server', 'libs', ...options], { cwd: folder });
  // Pages are of no interest here, but a server has some.
  const page = join(here, 'dist/monitor');
  if (existsSync(page)) symlinkSync(page, join(folder, 'dist/monitor'));
  return {
    main: join(folder, 'dist/apps/server/src/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
