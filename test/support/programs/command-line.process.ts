import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from './own.environment';
import type { Outcome } from './program.outcome';

/** The command line in one process, for many commands. */
export class CommandLineProcess {
  private readonly child: ChildProcess = fork(join(__dirname, 'command-line.program.js'), {
    env: ownEnvironment(),
    // No terminal, also where the tests have one.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Without the options of the process of the tests.
    execArgv: [],
  });

  /** One at a time. */
  async run(words: readonly string[], environment: Record<string, string>): Promise<Outcome> {
    const over = new AbortController();
    const { signal } = over;
    const answered = once(this.child, 'message', { signal });
    const ended = once(this.child, 'exit', { signal }).then(([code]) => {
      throw new Error(`leadline ${words.join(' ')} ended its process with ${code}`);
    });
    this.child.send({ words, environment });
    try {
      const [outcome] = await Promise.race([answered, ended]);
      return outcome as Outcome;
    } finally {
      over.abort();
      await Promise.allSettled([answered, ended]);
    }
  }

  end(): void {
    this.child.kill();
  }
}
