import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFile } from '../../../apps/demo/src/demo-file';
import { eventually } from '../eventually';
import { ownEnvironment } from './own.environment';

const MAIN = join(__dirname, '../../../dist/apps/demo/src/main.js');
const READY_DEADLINE_MS = 100_000;
const END_DEADLINE_MS = 60_000;

/** What a process of the demo said and how it ended. */
export interface EndedDemo {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `npm start` without npm: the built demo as a process, on a data directory that outlives it. */
export class DemoProcess {
  stdout = '';
  stderr = '';
  private readonly exited: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exited = once(child, 'close');
  }

  /** Starts the demo, on a free port by default, and waits for nothing. */
  static launch(dataDir: string, environment: Record<string, string> = {}): DemoProcess {
    const env = {
      ...{ ...ownEnvironment(), HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
      // Tests play the customers themselves.
      ...{ DEMO_LIFE: '0', ...environment },
    };
    return new DemoProcess(
      spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
      dataDir,
    );
  }

  /** Starts the demo and waits until it is ready. */
  static async start(dataDir: string, environment: Record<string, string> = {}): Promise<DemoProcess> {
    const demo = DemoProcess.launch(dataDir, environment);
    const { child } = demo;
    await eventually(
      async () => demo.stdout.includes('Ctrl-C') || child.exitCode !== null,
      READY_DEADLINE_MS,
      'the demo was not ready',
    );
    if (child.exitCode !== null) throw new Error(`the demo ended before it was ready:\n${demo.stderr}`);
    return demo;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What the demo tells programs about itself. */
  file(): DemoFile {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as DemoFile;
  }

  /** The command that the demo printed to try it out. */
  curl(): string {
    const [command] = /^ *curl .*$/m.exec(this.stdout) ?? [];
    if (!command) throw new Error(`the demo printed no curl:\n${this.stdout}`);
    return command.trim();
  }

  /** Waits for the end, after a signal if one is given. */
  async ended(signal?: NodeJS.Signals): Promise<EndedDemo> {
    if (signal && this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), END_DEADLINE_MS);
    await this.exited;
    clearTimeout(timer);
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}

/** A data directory as `.data` would be: PostgreSQL's user can enter it. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-demo-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** The PostgreSQL that a data directory's cluster is run by; null when none is. */
export function runningPostgres(dataDir: string): number | null {
  const pidFile = join(clusterHome(dataDir), 'cluster/data/postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

/** Removes a data directory with its cluster, ending a PostgreSQL that a failed test left there. */
export function removeDataDir(dataDir: string): void {
  const pid = runningPostgres(dataDir);
  if (pid !== null) process.kill(pid, 'SIGQUIT');
  for (const path of [clusterHome(dataDir), dataDir])
    rmSync(path, { recursive: true, force: true, maxRetries: 20 });
}

/** Where the cluster lives: in the data directory, or where its note says, when PostgreSQL's user cannot enter that. */
function clusterHome(dataDir: string): string {
  const note = join(dataDir, 'postgres/location');
  const home = existsSync(note) ? readFileSync(note, 'utf8').split('\n')[1] : undefined;
  return home ?? join(dataDir, 'postgres');
}
