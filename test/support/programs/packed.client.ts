import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from '../eventually';
import { ownEnvironment } from './own.environment';
import type { Outcome } from './program.outcome';

const ROOT = join(__dirname, '../../..');
const DEADLINE_MS = 30_000;

/** Runs a program to its end. */
function done(program: string, words: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** The Node.js of this machine, where it is another one than ours and one that the package supports. */
export function hostNode(): string | null {
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'));
  const found = places.map((place) => join(place, 'node')).find((path) => existsSync(path));
  if (found === undefined) return null;
  const { stdout } = spawnSync(found, ['-v'], { encoding: 'utf8' });
  const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
  return major >= 20 && major !== Number(process.versions.node.split('.')[0]) ? found : null;
}

/** An integrator's folder in which the packed client is installed, without any network. */
export class PackedClient {
  private readonly running: ChildProcess[] = [];

  private constructor(readonly folder: string) {}

  /** Builds and packs it anew, and installs what is in the tarball. */
  static install(): PackedClient {
    const folder = mkdtempSync(join(tmpdir(), 'leadline-integrator-'));
    const place = join(folder, 'node_modules/@leadline');
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    mkdirSync(place);
    const built = done(process.execPath, ['tools/build-client-package.mjs', '--out', folder], ROOT);
    done('tar', ['-xzf', built.trim()], place);
    done('mv', ['package', 'client'], place);
    for (const name of ['socket.io-client', '@types/node'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return new PackedClient(folder);
  }

  /** Where the installed package is. */
  get installed(): string {
    return join(this.folder, 'node_modules/@leadline/client');
  }

  read(path: string): string {
    return readFileSync(join(this.installed, path), 'utf8');
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  /**
   * What the compiler finds wrong in programs and in the package's declarations, where it finds packages as Node.js does,
   * and as bundlers do. It also writes the programs as JavaScript.
   */
  faultsOf(files: string[]): Record<'nodenext' | 'bundler', string[]> {
    const words = [join(__dirname, 'compile.program.js'), this.folder, ...files];
    return JSON.parse(done(process.execPath, words, ROOT)) as Record<'nodenext' | 'bundler', string[]>;
  }

  /** The package as a script for pages, which gives them `leadline`: bundled for browsers, with all that it needs. */
  script(): string {
    const bundle = `import { rolldown } from 'rolldown';
      const bundle = await rolldown({
        input: '${this.installed}/index.js',
        platform: 'browser',
        onwarn: ({ message }) => { throw new Error(message); },
      });
      const { output: [{ code }] } = await bundle.generate({ format: 'iife', name: 'leadline' });
      console.log(code);`;
    return done(process.execPath, ['--input-type=module', '-e', bundle], ROOT);
  }

  /** Runs a program of the folder to its end. */
  async run(
    words: string[],
    environment: Record<string, string>,
    program = process.execPath,
  ): Promise<Outcome> {
    const { child, outcome } = this.start(words, environment, program);
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    await once(child, 'close');
    clearTimeout(timer);
    return { ...outcome, code: child.exitCode };
  }

  /** Starts one that ends when it is told to, and waits until it has printed something. */
  async leaveRunning(
    words: string[],
    environment: Record<string, string>,
    program?: string,
  ): Promise<Outcome> {
    const { child, outcome } = this.start(words, environment, program);
    await eventually(
      async () => outcome.stdout !== '' || child.exitCode !== null,
      DEADLINE_MS,
      `${words.join(' ')} printed nothing`,
    );
    return outcome;
  }

  private start(words: string[], environment: Record<string, string>, program = process.execPath) {
    const child = spawn(program, words, {
      ...{ cwd: this.folder, env: { ...ownEnvironment(), ...environment } },
      // What a shell has started ends with it.
      ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    this.running.push(child);
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()));
    return { child, outcome };
  }

  remove(): void {
    for (const { pid, exitCode, signalCode } of this.running)
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
