import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from '../../support/clients/api.client';
import { byCommandLine } from '../../support/clients/command-line.caller';
import { OPERATION_CALLS } from '../../support/clients/operation.calls';
import { walkOperations } from '../../support/clients/operation.walk';
import { operationsOf } from '../../support/clients/openapi.operations';
import { CommandLineProcess } from '../../support/programs/command-line.process';
import { DemoProcess, makeDataDir, removeDataDir } from '../../support/programs/demo.process';

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
