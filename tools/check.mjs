/**
 * Runs everything that `npm run check` names, two at a time, and prints each with its result when it is over.
 * With `--without-tests` it leaves out its own tests: CI runs this beside all tests, those among them.
 */
import { spawn } from 'node:child_process';

/** The longest first, but for the tests. */
const SCRIPTS = [
  ['lint'],
  ['arrows'],
  ['client', '--', '--check'],
  ['bruno', '--', '--check'],
  ['format:check'],
  ['test', '--', 'test/snapshots'],
];
const AT_ONCE = 2;
const [option] = process.argv.slice(2);
if (option !== undefined && option !== '--without-tests')
  throw new Error(`${option} is no option: --without-tests`);

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

const asked = SCRIPTS.filter(([name]) => option === undefined || name !== 'test');
const results = [];
const worker = async () => {
  for (let script = asked.shift(); script; script = asked.shift()) results.push(await run(script));
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
if (results.includes(false)) process.exitCode = 1;
