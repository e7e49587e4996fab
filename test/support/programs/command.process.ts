import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from './own.environment';

/** A built program that is killed before its end. */
export class CommandProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;

  constructor(program: string, args: readonly string[], environment: Record<string, string>) {
    this.child = spawn(process.execPath, [join(process.cwd(), 'dist', program), ...args], {
      env: { ...ownEnvironment(), ...environment },
      stdio: 'ignore',
    });
    this.exited = once(this.child, 'exit');
  }

  /** @throws Error where it had ended by itself */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null) throw new Error(`it had ended with ${this.child.exitCode}`);
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
