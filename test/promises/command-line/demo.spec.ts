import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from '../../support/clients/api.client';
import { byCommandLine } from '../../support/clients/command-line.caller';
import { OPERATION_CALLS } from '../../support/clients/operation.calls';
import { walkOperations } from '../../support/clients/operation.walk';
import { operationsOf } from '../../support/clients/openapi.operations';
import { CommandLineProcess } from '../../support/programs/command-line.process';
import { DemoProcess, makeDataDir, removeDataDir } from '../../support/programs/demo.process';
import { ownEnvironment } from '../../support/programs/own.environment';
import { COMMAND_LINE } from '../../support/programs/tail.process';

/** util-linux: gives a program a terminal. */
const SCRIPT = '/usr/bin/script';

let demo: DemoProcess;
let commandLine: CommandLineProcess;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-calls-'));
  commandLine = new CommandLineProcess();
  demo = await DemoProcess.start(makeDataDir());
});

afterAll(async () => {
  commandLine?.end();
  await demo?.ended('SIGTERM');
  if (demo) removeDataDir(demo.dataDir);
  rmSync(folder, { recursive: true, force: true });
});

const onTerminal = existsSync(SCRIPT) ? it : it.skip;
onTerminal(`leadline draws a bar on a terminal, and none elsewhere (${SCRIPT})`, () => {
  const { base_url: LEADLINE_URL, api_keys, assistants } = demo.file();
  const command = `"${process.execPath}" "${COMMAND_LINE}" export --assistant ${assistants[0]?.id} --out leads.csv`;
  const env = { ...ownEnvironment(), TERM: 'xterm', LEADLINE_URL, LEADLINE_API_KEY: api_keys[0]?.key };
  const printed = (words: string[]): string => {
    const { stdout, stderr } = spawnSync('sh', ['-c', ...words], { cwd: folder, env, encoding: 'utf8' });
    return stdout + stderr;
  };
  expect(printed(['script -qec "$0" /dev/null', command])).toMatch(
    /Exporting \[#{30}\] 100 % {2}(\d+) of \1 .*Written: leads\.csv\r\n$/s,
  );
  expect(printed([command])).toBe('Written: leads.csv\n');
});

/** As a shell takes it, up to what it is piped into. */
const wordsOf = (command: string): string[] =>
  [...command.replace(/ \| .*/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

it('leadline shows of each verb commands that work as they stand', async () => {
  const { base_url: LEADLINE_URL, api_keys, admin_key, admin_user } = demo.file();
  const environment = {
    ...{ LEADLINE_URL, LEADLINE_API_KEY: api_keys[0]?.key ?? '', LEADLINE_ADMIN_KEY: admin_key },
    ...{ LEADLINE_EMAIL: admin_user.email, LEADLINE_PASSWORD: admin_user.password },
  };
  writeFileSync(join(folder, 'leads.csv'), 'phone,name,status\n+77055559101,Аида,в работе\n');
  writeFileSync(join(folder, 'list.csv'), 'phone;name;time\n+77015551013;Айгуль;15:30\n');
  const { stdout: help } = await commandLine.run(['--help'], {});
  const verbs = new Set([...help.matchAll(/^ {2}leadline ([\w-]+)/gm)].map(([, verb]) => String(verb)));
  expect([...verbs]).toEqual(expect.arrayContaining(['stages', 'send', 'batch', 'tail', 'call']));
  verbs.delete('completion');
  for (const verb of verbs) {
    const { stdout } = await commandLine.run([verb, '--help'], {});
    const [, examples = ''] = stdout.split('\nExamples:\n');
    const commands = [...examples.matchAll(/^ {2}leadline (.+)$/gm)].map(([, command]) => String(command));
    expect([verb, commands.every((command) => command.startsWith(verb)), commands.length > 0]).toEqual([
      ...[verb, true, true],
    ]);
    for (const command of commands) {
      const words = wordsOf(command).map((word) => (word.endsWith('.csv') ? join(folder, word) : word));
      // It has no end of its own: with a key that is not valid it shows that it is understood.
      const isEndless = verb === 'tail';
      const { code, stderr } = await commandLine.run(words, {
        ...environment,
        ...(isEndless && { LEADLINE_API_KEY: 'll_of_nobody' }),
      });
      expect([command, code, stderr]).toEqual([command, isEndless ? 1 : 0, expect.any(String)]);
    }
  }
});

it('leadline call takes the options of its operation wherever they stand', async () => {
  const { base_url: LEADLINE_URL, api_keys } = demo.file();
  const words = ['call', '--data', '{}', 'getThreads', '--limit', '2'];
  const { code, stdout } = await commandLine.run(words, {
    LEADLINE_URL,
    LEADLINE_API_KEY: api_keys[0]?.key ?? '',
  });
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as { threads: unknown[] }).threads).toHaveLength(2);
});

describe('leadline call', () => {
  it('does each operation of the document against the running demo, and is answered as the client is', async () => {
    const file = demo.file();
    const { body: document } = await request(`${file.base_url}/openapi.json`);
    const documented = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    const done: string[] = [];
    const act = byCommandLine(commandLine, file, file.api_keys[0]?.key ?? '', folder);
    const wrong = await walkOperations(file, (name, ...call) => {
      done.push(name);
      return act(name, ...call);
    });
    expect(wrong).toEqual({});
    expect(done.sort()).toEqual(documented.toSorted());
    expect(done).toHaveLength(Object.keys(OPERATION_CALLS).length);
  });
});
