import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = process.cwd();

/** The built server in a folder of its own, where a test decides which page lies beside it. */
export class PageInstallation {
  private readonly folder = mkdtempSync(join(tmpdir(), 'leadline-installation-'));
  /** The program of the server. */
  readonly main = join(this.folder, 'dist/apps/server/src/main.js');

  constructor() {
    mkdirSync(join(this.folder, 'dist'));
    for (const name of ['apps', 'libs'])
      execFileSync('cp', ['-R', join(ROOT, 'dist', name), join(this.folder, 'dist', name)]);
    cpSync(join(ROOT, 'package.json'), join(this.folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** @param path within the page's folder */
  put(path: string, content: string | Uint8Array): void {
    const whole = join(this.folder, 'dist/monitor', path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  }

  /** Beside the page, where nobody may look. */
  putOutside(path: string, content: string): void {
    writeFileSync(join(this.folder, 'dist', path), content);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
