import { spawnSync } from 'node:child_process';
import { demoId } from '@app/contracts/demo-ids';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLineProcess } from '../support/programs/command-line.process';
import type { DemoProcess } from '../support/programs/demo.process';
import { ownEnvironment } from '../support/programs/own.environment';
import { COMMAND_LINE } from '../support/programs/tail.process';

const BOT = demoId('bot', 1);
/** util-linux: gives a program a terminal. */
const SCRIPT = '/usr/bin/script';

/** As a shell takes it, up to what it is piped into. */
const wordsOf = (command: string): string[] =>
  [...command.replace(/ \| .*/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

/** What the verbs do with a demo, of which nobody has changed anything. @param demo is there when its tests begin */
export function describeVerbs(demo: () => DemoProcess): void {
  let commandLine: CommandLineProcess;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leadline-calls-'));
    commandLine = new CommandLineProcess();
  });

  afterAll(() => {
    commandLine?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const onTerminal = existsSync(SCRIPT) ? it : it.skip;
  onTerminal(`leadline draws a bar on a terminal, and none elsewhere (${SCRIPT})`, () => {
    const { base_url: LEADLINE_URL, api_keys, assistants } = demo().file();
    const program = `"${process.execPath}" "${COMMAND_LINE}"`;
    const whose = `--assistant ${assistants[0]?.id}`;
    const command = `${program} export ${whose} --out leads.csv`;
    const env = { ...ownEnvironment(), TERM: 'xterm', LEADLINE_URL, LEADLINE_API_KEY: api_keys[0]?.key };
    const printed = (words: string[]): string => {
      const { stdout, stderr } = spawnSync('sh', ['-c', ...words], { cwd: folder, env, encoding: 'utf8' });
      return stdout + stderr;
    };
    expect(printed(['script -qec "$0" /dev/null', command])).toMatch(
      /Exporting \[#{30}\] 100 % {2}(\d+) of \1 .*Written: leads\.csv\r\n$/s,
    );
    expect(printed([command])).toBe('Written: leads.csv\n');
    const where = `--bot ${BOT} --channel waba_coexistence`;
    const bars = [
      [`import leads.csv ${whose} ${where} --dry-run`, /Importing \[#{30}\] 100 % {2}(\d+) of \1 /],
      [`send ${where} --template order_ready --to +77015551013 --wait`, /Sending \[#{30}\] 100 % {2}1 of 1 /],
    ] as const;
    for (const [words, bar] of bars)
      expect(printed(['script -qec "$0" /dev/null', `${program} ${words}`])).toMatch(bar);
  });

  it('leadline shows of each verb commands that work as they stand', async () => {
    const { base_url: LEADLINE_URL, api_keys, admin_key, admin_user } = demo().file();
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

  it('leadline send reads a list as spreadsheets write it, and refuses what is no text', async () => {
    const { base_url: LEADLINE_URL, api_keys, threads } = demo().file();
    const environment = { LEADLINE_URL, LEADLINE_API_KEY: api_keys[0]?.key ?? '' };
    const { thread_id, phone } = threads[12]!;
    const list = join(folder, 'unicode.csv');
    const words = ['send', '--bot', BOT, '--channel', 'waba_coexistence', '--template', 'visit_reminder'];
    writeFileSync(list, `\ufeffphone;name;time;\r\n${phone};Жанна Ә.;15:45;\r\n`, 'utf16le');
    const sent = await commandLine.run([...words, '--csv', list, '--wait', '--json'], environment);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(JSON.parse(sent.stdout)).toMatchObject({ total: 1, sent: 1 });
    const newest = ['call', 'getMessages', '--thread_id', thread_id, '--limit', '1'];
    expect((await commandLine.run(newest, environment)).stdout).toMatch(/Жанна Ә\..*15:45/);
    writeFileSync(list, Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    const refused = await commandLine.run([...words, '--csv', list], environment);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a workbook')]);
  });

  it('leadline call takes the options of its operation wherever they stand', async () => {
    const { base_url: LEADLINE_URL, api_keys } = demo().file();
    const words = ['call', '--data', '{}', 'getThreads', '--limit', '2'];
    const { code, stdout } = await commandLine.run(words, {
      LEADLINE_URL,
      LEADLINE_API_KEY: api_keys[0]?.key ?? '',
    });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { threads: unknown[] }).threads).toHaveLength(2);
  });
}
