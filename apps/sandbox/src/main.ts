import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startSandbox } from './sandbox-server';
import type { SandboxOptions } from './sandbox-options';

/** The sandbox alone: `node dist/apps/sandbox/src/main.js options.json`. The file holds {@link SandboxOptions}. */
async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error('Give a file with the options as JSON: numbers, templates, cloud, gupshup, …');
    process.exitCode = 1;
    return;
  }
  const sandbox = await startSandbox(JSON.parse(readFileSync(file, 'utf8')) as SandboxOptions);
  console.log(`The sandbox listens at ${sandbox.url}, its handset is ${sandbox.url}/handset`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await sandbox.stop();
}

void main();
