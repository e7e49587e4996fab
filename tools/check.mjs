/** Runs everything that `npm run check` names, two at a time, and prints each with its result when it is over. */
import { spawn } from 'node:child_process';

/** The longest first. */
const SCRIPTS = [
  ['lint'],
  ['types'],
  ['test', '--', 'test/snapshots'],
  ['format:check'],
  ['arrows'],
  ['client', '--', '--check'],
];
const AT_ONCE = 2;

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
  for (let script = SCRIPTS.shift(); script; script = SCRIPTS.shift()) results.push(await run(script));
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
if (results.includes(false)) process.exitCode = 1;
