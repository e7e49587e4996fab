import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
