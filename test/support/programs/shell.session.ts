import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';

const BLOCK_DEADLINE_MS = 15_000;

/** A shell in which a reader types one block after the other, and the programs left running in other terminals. */
export class ShellSession {
  private readonly shell: ChildProcess;
  private readonly programs: ChildProcess[] = [];
  private output = '';
  /** What the programs in other terminals printed. */
  printed = '';

  constructor(
    private readonly folder: string,
    environment: NodeJS.ProcessEnv = process.env,
  ) {
    // A separate session has no terminal, so a program that asks for a password reads it from its input.
    this.shell = spawn('sh', ['-e'], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** Runs a block; variables stay for the next. Rejects when a command of it fails. */
  async run(block: string, typed: readonly string[] = []): Promise<string> {
    const done = `done-${randomUUID()}`;
    this.output = '';
    this.shell.stdin?.write(
      `{\n${block}\n} <<'${done}'\n${typed.map((line) => `${line}\n`).join('')}${done}\necho ${done}\n`,
    );
    await eventually(
      async () => this.output.includes(done) || this.shell.exitCode !== null,
      BLOCK_DEADLINE_MS,
      `the block did not end:\n${block}\n${this.output}`,
    );
    if (this.shell.exitCode !== null) throw new Error(`a command failed:\n${block}\n${this.output}`);
    return this.output.slice(0, this.output.indexOf(done));
  }

  /** Starts a program as in another terminal, and waits for its first line. */
  async leaveRunning(file: string): Promise<void> {
    const program = spawn(process.execPath, [file], { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    this.programs.push(program);
    for (const stream of [program.stdout, program.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    }
    await eventually(
      async () => this.printed.includes('\n') || program.exitCode !== null,
      BLOCK_DEADLINE_MS,
      `${file} printed nothing`,
    );
    if (program.exitCode !== null) throw new Error(`${file} ended:\n${this.printed}`);
  }

  close(): void {
    for (const child of [this.shell, ...this.programs]) child.kill('SIGKILL');
  }
}
