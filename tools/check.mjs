/**
 * Runs everything that `npm run check` names, two at a time, and prints each with its result when it is over.
 * With `--tests-after <file>` its own tests begin when that file is there: CI runs this beside all tests, at the lowest
 * priority, where a server does not start in its time.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest first, but for the tests. */
const SCRIPTS = [
  ['lint'],
  ['types'],
  ['format:check'],
  ['arrows'],
  ['client', '--', '--check'],
  ['test', '--', 'test/snapshots'],
];
const AT_ONCE = 2;
const [option, before] = process.argv.slice(2);
if (option !== undefined && (option !== '--tests-after' || before === undefined))
  throw new Error(`${option} is no option: --tests-after <file>`);

const run = (script) =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', ...script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (output += text));
    }
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      const result = code === 0 ? 'passed' : 'FAILED';
      process.stdout.write(
        `${output}${output && !output.endsWith('\n') ? '\n' : ''}${script[0]}: ${result}\n`,
      );
      resolve(code === 0);
    });
  });

const results = [];
const worker = async () => {
  for (let script = SCRIPTS.shift(); script; script = SCRIPTS.shift()) {
    if (script[0] === 'test') while (before !== undefined && !existsSync(before)) await pause(500);
    results.push(await run(script));
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
if (results.includes(false)) process.exitCode = 1;
