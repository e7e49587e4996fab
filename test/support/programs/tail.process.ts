import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from './own.environment';

export const COMMAND_LINE = join(process.cwd(), 'dist/apps/cli/src/main.js');

/** One event, as `leadline tail --json` prints it. */
export interface TailedEvent {
  event: string;
  seq: number | null;
  thread_id: string;
  version?: number;
  message?: { id: string; text: string };
  history?: { type: string };
}

/** `leadline tail --json`, left running as in another terminal. */
export class TailProcess {
  readonly events: TailedEvent[] = [];
  stderr = '';
  private rest = '';

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.take(text));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  static start(url: string, key: string, words: readonly string[] = []): TailProcess {
    const env = { ...ownEnvironment(), LEADLINE_URL: url, LEADLINE_API_KEY: key };
    const args = [COMMAND_LINE, 'tail', '--json', ...words];
    return new TailProcess(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Sends a signal and waits for the end. @returns the exit code; null: the signal ended it */
  async ended(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const closed = once(this.child, 'close');
    this.child.kill(signal);
    await closed;
    return this.child.exitCode;
  }

  /** The exit code, once it has ended by itself; null: it has not. */
  get endedWith(): number | null {
    return this.child.exitCode;
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.events.push(JSON.parse(line) as TailedEvent);
  }
}
