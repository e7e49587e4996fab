import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAdminKey } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { CommandLineProcess } from '../../support/programs/command-line.process';
import { ownEnvironment } from '../../support/programs/own.environment';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { COMMAND_LINE } from '../../support/programs/tail.process';
import { setScene } from '../../support/scenes/base.scene';

const PROGRAM = 'apps/cli/src/main.js';
/** What would clear a screen, make a sound, turn the text, and break a line or a table. */
const HOSTILE = 'A\u001b[2J\u0007\u202eB\u009b31m\nC\tD';
/** util-linux: gives a program a terminal. */
const SCRIPT = '/usr/bin/script';

const scene = setScene({
  stages: [{ name: 'Новая заявка' }, { name: 'Оплачено' }, { name: 'Оплачено' }, { name: 'В работе' }],
});
let commandLine: CommandLineProcess;
let environment: Record<string, string>;
let folder: string;
let thread: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-cli-'));
  commandLine = new CommandLineProcess();
  environment = {
    LEADLINE_URL: scene.server.url,
    LEADLINE_API_KEY: scene.account.key,
    LEADLINE_ADMIN_KEY: await addAdminKey(scene.database.pool),
  };
  thread = await scene.account.addThread({ statusId: scene.stage(0) });
  await scene.database.pool.query('UPDATE threads SET customer_name = $2 WHERE id = $1', [
    uuidOf(thread),
    HOSTILE,
  ]);
  await scene.account.addMessage(thread, { text: HOSTILE });
});

afterAll(() => {
  commandLine?.end();
  rmSync(folder, { recursive: true, force: true });
});

const run = (words: readonly string[], more: Record<string, string> = {}): Promise<Outcome> =>
  commandLine.run(words, { ...environment, ...more });

const json = async (...words: string[]): Promise<any> => {
  const { code, stdout, stderr } = await run([...words, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** Everything but line ends that a terminal would act upon. */

const actsOnTerminal = (text: string): boolean =>
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text);

/** By a shell, which has its own idea of every sign. @param command with "$@" where the words stand */
const byShell = (command: string, words: readonly string[] = [], more: Record<string, string> = {}) =>
  spawnSync('bash', ['-c', command, 'bash', ...words], {
    encoding: 'utf8',
    env: {
      ...ownEnvironment(),
      HOME: folder,
      ...environment,
      NODE: process.execPath,
      CLI: COMMAND_LINE,
      ...more,
    },
    timeout: 30_000,
  });

describe('leadline', () => {
  it('reads stages and leads, and moves a lead by name, by id, to none, and only from where it stands', async () => {
    const { statuses } = await json('stages');
    expect((statuses as { id: string }[]).map(({ id }) => id)).toEqual(scene.account.stages);
    const [first, , , last] = scene.account.stages as [string, string, string, string];
    expect(await json('set-status', thread, 'в РАБОТЕ')).toMatchObject({
      changed: true,
      status: { id: last },
    });
    const { threads } = await json('leads', '--status', 'в работе');
    expect(threads).toMatchObject([{ thread_id: thread, lead_status: { id: last } }]);
    const refused = await run(['set-status', thread, 'none', '--expect', first, '--json']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      ok: false,
      error: { code: 'STATUS_CONFLICT', status: 409 },
    });
    expect(await json('set-status', thread, 'none', '--expect', last)).toMatchObject({ status: null });
    expect(await json('set-status', thread, first, '--expect', 'none')).toMatchObject({
      status: { id: first },
    });
    const elsewhere = await run(['set-status', thread, 'none', '--expect', 'в работе']);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('STATUS_CONFLICT')]);
    await json('set-status', thread, last, '--expect', first);
    await json('set-status', thread, first, '--expect', 'в работе');
    expect(await json('lead', thread)).toMatchObject({ thread_id: thread, status: { id: first } });
    expect(await json('ai', 'off', thread)).toMatchObject({ ai_enabled: false, changed: true });
    expect(await json('ai', 'on', thread)).toMatchObject({ ai_enabled: true, changed: true });
  });

  it('guesses no stage where two have the name', async () => {
    for (const words of [
      ['leads', '--status', 'оплачено'],
      ['set-status', thread, 'оплачено'],
    ]) {
      const { code, stderr } = await run(words);
      expect(code).toBe(1);
      expect(stderr).toMatch(/STATUS_AMBIGUOUS|2 stages are named/);
    }
  });

  it('reads scenarios and their runs by the admin key', async () => {
    const id = await scene.account.addScenario(scene.stage(1));
    expect((await json('scenarios')).scenarios).toMatchObject([{ id, state: 'on' }]);
    await json('set-status', thread, scene.stage(1));
    const runs = async (): Promise<object[]> => (await json('runs', '--thread', thread)).runs as object[];
    await eventually(async () => (await runs()).length > 0, 10_000, 'no run began');
    expect(await runs()).toMatchObject([{ scenario_id: id, thread_id: thread }]);
  });

  it('imports a file with its faults by row, looks at it again, and exports what is there to a whole file', async () => {
    await scene.account.connect();
    const [file, out] = [join(folder, 'leads.csv'), join(folder, 'out.csv')];
    writeFileSync(file, 'phone;name;status\n+77055559101;Аида;в работе\n12345;;\n+77055559102;=Борис;\n');
    const whose = ['--assistant', scene.account.assistantId];
    const where = [...whose, '--bot', scene.account.botId, '--channel', 'waba_coexistence', '--json'];
    const dry = await run(['import', file, ...where, '--dry-run']);
    expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([1, { dry_run: true, created: 2, faulty: 1 }]);
    const { code, stdout } = await run(['import', file, ...where]);
    const end = JSON.parse(stdout) as { import_id: string };
    expect([code, end]).toMatchObject([
      1,
      { state: 'done', rows: 3, created: 2, faulty: 1, faults: [{ row: 3, column: 'phone' }] },
    ]);
    const again = await run(['import', '--resume', end.import_id, '--json']);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([1, end]);
    expect((await run(['import', '--resume', end.import_id, file])).code).toBe(2);
    expect(await run(['export', ...whose, '--out', out])).toMatchObject({ code: 0, stdout: '' });
    const written = readFileSync(out, 'utf8');
    expect(written).toMatch(/\+77055559101,Аида,В работе/);
    expect(written).toContain("'=Борис");
    const { stdout: lines } = await run(['export', ...whose, '--format', 'ndjson']);
    const phones = lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { phone: string }).phone);
    expect(phones).toEqual(expect.arrayContaining(['+77055559101', '+77055559102']));
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('tells of a refusal with its code, its message and the id of the request', async () => {
    const { code, stdout, stderr } = await run(['lead', 'thread_nobody']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: THREAD_NOT_FOUND: There is no such dialog.*\n {2}Request id: \w{32}\n$/);
  });

  it.each([
    ['no verb', [], {}],
    ['an unknown verb', ['lead-list'], {}],
    ['an unknown option', ['stages', '--al'], {}],
    ['a missing word', ['set-status', 'thread_1'], {}],
    ['no key', ['stages'], { LEADLINE_API_KEY: '' }],
    ['a key that cannot be one', ['stages'], { LEADLINE_API_KEY: 'll_secret\nX-Other: 1' }],
    ['an address that is none', ['stages'], { LEADLINE_URL: 'localhost' }],
    ['an unknown operation', ['call', 'getEverything'], {}],
    ['a value of another kind', ['call', 'getThreads', '--limit', 'many'], {}],
    ['an event that has no number', ['tail', '--since', 'abc'], {}],
  ])('ends with 2 for %s, and calls nothing', async (_what, words, more) => {
    const { code, stdout, stderr } = await run(words, more);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/\S/);
    expect(stderr).not.toContain('ll_');
  });

  it.each([
    ['nobody answers', { LEADLINE_URL: 'http://127.0.0.1:1' }, 'NETWORK'],
    ['the key is not valid', { LEADLINE_API_KEY: 'll_of_nobody' }, 'UNAUTHORIZED'],
  ])('ends with 1 where %s', async (_what, more, word) => {
    const { code, stderr } = await run(['stages'], more);
    expect([code, stderr.includes(word), stderr.includes('ll_')]).toEqual([1, true, false]);
  });

  it('follows no redirect with its key', async () => {
    const told: unknown[] = [];
    const other = createServer(({ headers }, response) => {
      told.push(headers['x-api-key']);
      response.writeHead(307, { Location: `${scene.server.url}/api/v1/leads/get-statuses` }).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stderr } = await run(['stages'], { LEADLINE_URL: address });
    other.close();
    expect([code, told]).toEqual([1, [scene.account.key]]);
    expect(stderr).toContain('NOT_JSON');
  });

  it('lets no text of a customer act on the terminal, as a table and as JSON', async () => {
    const { stdout: table } = await run(['leads']);
    // Tabs are what a table has between its cells where it is no terminal.
    expect(actsOnTerminal(table.replaceAll('\t', ''))).toBe(false);
    expect(table).toContain('\\u001b[2J');
    const { stdout } = await run(['leads', '--json']);
    expect(actsOnTerminal(stdout)).toBe(false);
    const { threads } = JSON.parse(stdout) as { threads: { customer_name: string }[] };
    expect(threads.map(({ customer_name }) => customer_name)).toContain(HOSTILE);
  });

  const onTerminal = existsSync(SCRIPT) ? it : it.skip;
  onTerminal(`writes no file to a terminal, and does not even ask for it (${SCRIPT})`, () => {
    const refused = ['export --assistant 1', 'call exportLeads --assistant_id 1 --format csv'].map((words) =>
      byShell(`script -qec '"$NODE" "$CLI" ${words}' /dev/null`, [], { LEADLINE_URL: 'http://127.0.0.1:1' }),
    );
    for (const { status, stdout } of refused) {
      expect(status).toBe(2);
      expect(stdout).toMatch(/^It is a file: give --out FILE, or a pipe\r\n/);
    }
  });

  onTerminal(`fits a table into a terminal, with bold and without (${SCRIPT})`, () => {
    const on = (more: Record<string, string>): string[] =>
      byShell(`script -qec 'stty cols 100; "$NODE" "$CLI" leads' /dev/null`, [], { TERM: 'xterm', ...more })
        .stdout.trimEnd()
        .split(/\r?\n/);
    const [head = '', ...lines] = on({});
    expect(head).toMatch(/^\u001b\[1mTHREAD .*\u001b\[22m$/);
    expect(lines.join('\n')).toContain(thread);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(actsOnTerminal(on({ NO_COLOR: '1' }).join(''))).toBe(false);
  });

  it('ends without a word where its reader has seen enough, and takes values as they are', () => {
    const piped = byShell(`"$NODE" "$CLI" call --json | head -c 10; echo " \${PIPESTATUS[0]}"`);
    expect([piped.stdout.split('\n').at(-2)?.at(-1), piped.stderr]).toEqual(['0', '']);
    const helped = byShell(`"$NODE" "$CLI" call sendTemplate --help | head -c 10; echo " \${PIPESTATUS[0]}"`);
    expect([helped.stdout.split('\n').at(-2)?.at(-1), helped.stderr]).toEqual(['0', '']);
    const full = byShell(`"$NODE" "$CLI" leads > /dev/full; echo $?`);
    expect([full.stdout, full.stderr]).toEqual([
      '1\n',
      expect.stringMatching(/^Error: the output cannot be written: ENOSPC.*\n$/),
    ]);
    const pipe = byShell(
      'cd "$HOME" && mkfifo pipe && (head -1 pipe > first &) && "$NODE" "$CLI" export --assistant "$1" --out pipe && test -p pipe',
      [scene.account.assistantId],
    );
    expect([pipe.status, pipe.stderr]).toEqual([0, 'Written: pipe\n']);
    const isFolder = byShell(`"$NODE" "$CLI" import "$HOME" --assistant a --bot b --channel waba`);
    expect([isFolder.status, isFolder.stderr]).toEqual([
      2,
      expect.stringMatching(/ cannot be read: EISDIR.*/),
    ]);
    const name = '$(id) `id` "; exit 7 # +77010000000';
    const named = byShell('"$NODE" "$CLI" call setName --thread_id "$1" --name "$2"', [thread, name]);
    expect(named.stderr).toBe('');
    expect(JSON.parse(named.stdout)).toMatchObject({ customer_name: name });
    // As npm installs the program of a package.
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      version: string;
      bin: { leadline: string };
    };
    const installed = byShell(
      'ln -s "$PWD/$1" "$HOME/leadline"; chmod +x "$1"; PATH=$(dirname "$NODE"):$PATH "$HOME/leadline" --version',
      [manifest.bin.leadline],
    );
    expect([installed.stdout, installed.stderr]).toEqual([`${manifest.version}\n`, '']);
  });

  it('completes verbs, options, operations and, with a key, stages, and does nothing meanwhile', async () => {
    const complete = async (...words: string[]): Promise<string[]> =>
      // What it finds comes after the command, so it has a process of its own.
      (await outcomeOf(PROGRAM, ['--get-yargs-completions', 'leadline', ...words], environment)).stdout
        .trimEnd()
        .split('\n');
    expect(await complete('')).toEqual(expect.arrayContaining(['leads', 'set-status', 'tail', 'call']));
    expect(await complete('set-status', thread, 'оп')).toEqual(['Оплачено']);
    expect(await complete('leads', '--assistant', '')).toEqual([scene.account.assistantId]);
    expect(await complete('call', 'getTh')).toEqual(['getThreads']);
    const before = await json('lead', thread);
    expect(await complete('set-status', thread, 'none', '--')).toEqual(
      expect.arrayContaining(['--expect', '--answer']),
    );
    expect(await json('lead', thread)).toEqual(before);
    const [bash, zsh] = [await run(['completion', 'bash']), await run(['completion', 'zsh'])];
    expect(bash.stdout).toContain('complete -o bashdefault');
    expect(zsh.stdout).toMatch(/^#compdef leadline/);
    const typed = byShell(
      `leadline() { "$NODE" "$CLI" "$@"; }
       eval "$(leadline completion bash)"
       COMP_WORDS=(leadline leads --status Нов); COMP_CWORD=3
       _leadline_yargs_completions; echo "\${COMPREPLY[0]}"`,
      [],
      { LC_ALL: 'C.UTF-8' },
    );
    expect(typed.stdout.trim().replaceAll('"', '')).toBe('Новая заявка');
  });

  it('starts without the code of the server, of sockets and of what the verb does not need', async () => {
    const hook = join(folder, 'loaded.js');
    const list = join(folder, 'loaded.json');
    writeFileSync(
      hook,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
    );
    const { code } = await outcomeOf(PROGRAM, ['stages'], {
      ...environment,
      NODE_OPTIONS: `--require ${hook}`,
    });
    const loaded = JSON.parse(readFileSync(list, 'utf8')) as string[];
    expect([code, loaded.some((path) => path.endsWith('libs/client/src/api-client.js'))]).toEqual([0, true]);
    const others =
      /apps\/(?!cli)|libs\/(?!client|contracts)|operation\.table|node_modules\/(socket\.io|engine\.io|papaparse|cli-progress|@nestjs)/;
    expect(loaded.filter((path) => others.test(path))).toEqual([]);
  });
});
