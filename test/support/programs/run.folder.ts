import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of all temporary files of a run of tests or of the benchmark. It goes with the run's processes when the
 * run ends, whatever ends it, kill -9 included.
 */
export class RunFolder {
  private constructor(
    readonly path: string,
    private readonly watcher: ChildProcess,
  ) {}

  /**
   * Opens it, and makes it the TMPDIR of this process. The watcher comes first: from then on nothing can be left behind.
   * @param parent where it is
   */
  static open(prefix: string, parent = tmpdir()): RunFolder {
    // Sockets are in it, whose addresses are short.
    const path = join(realpathSync(parent), `${prefix}${randomUUID().slice(0, 18)}`);
    const watcher = spawn(process.execPath, [join(__dirname, 'run.watcher.js'), path], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // A run that fails before it closes its folder must be able to end.
    watcher.unref();
    (watcher.stdin as Socket).unref();
    mkdirSync(path);
    // Open to all users, like the folder that it replaces.
    chmodSync(path, 0o1777);
    process.env.TMPDIR = path;
    return new RunFolder(path, watcher);
  }

  /**
   * The watcher ends what is left, as it does when this is never called.
   * @throws when the watcher is gone, or some processes do not end.
   */
  async close(): Promise<void> {
    const { watcher } = this;
    // One that was ended from outside has nothing more to say.
    if (watcher.exitCode !== null || watcher.signalCode !== null)
      throw new Error('the watcher of this run is gone');
    watcher.ref();
    watcher.stdin?.on('error', () => undefined);
    const ended = once(watcher, 'exit');
    watcher.stdin?.end();
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error('some processes of this run do not end: look for them by ps');
  }
}
