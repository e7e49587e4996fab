import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from './own.environment';

const DEADLINE_MS = 100_000;

/** What a program said and how it ended; a code of null: it did not end in time. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a built program to its end, as one user of this machine or as ourselves.
 * @param meanwhile is given the process, to send it signals
 */
export async function outcomeOf(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  user: { uid?: number; gid?: number } = {},
  meanwhile?: (child: ChildProcess) => void,
): Promise<Outcome> {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', program), ...args], {
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  meanwhile?.(child);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  await once(child, 'close');
  clearTimeout(timer);
  return { ...outcome, code: child.exitCode };
}
