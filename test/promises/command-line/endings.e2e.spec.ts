import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLineProcess } from '../../support/programs/command-line.process';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';

const PROGRAM = 'apps/cli/src/main.js';
const BATCH = { batch_id: '7', total: 1_001, queued: 1_000, sent: 1, failed: 0, unknown: 0, results: [] };
const IMPORT = { import_id: '7', state: 'running', rows: 10, done: 5, faulty: 0, faults: [] };
const FORMER = 'what was exported before\n';
const PART = 'phone,name\n+77015551001,Аида\n';

type Answer = (response: ServerResponse, tries: number) => void;
const envelope =
  (status: number, answer: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(answer));
const json = (data: object): Answer => envelope(200, { ok: true, data });
const refusal = (status: number, error: object, headers: Record<string, string> = {}): Answer =>
  envelope(status, { ok: false, error: { message: 'Not now', request_id: 'r', ...error } }, headers);
/** One answer for each try. */
const inTurn =
  (...turns: Answer[]): Answer =>
  (response, tries) =>
    turns[tries - 1]?.(response, tries);
/** Begins a file, and goes no further. */
const part: Answer = (response) => response.write(PART);
const nothing: Answer = () => undefined;

/** A service that answers as slowly as a test needs it, or breaks off. */
let answers: Record<string, Answer>;
let tries: Record<string, number>;
/** Of the last call of each operation. */
let bodies: Record<string, string>;
let asked: (operation: string) => void;
let server: Server;
let commandLine: CommandLineProcess;
let folder: string;

beforeAll(async () => {
  commandLine = new CommandLineProcess();
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const operation = request.url?.split('?')[0]?.split('/').at(-1) ?? '';
    const before = (tries[operation] ?? 0) + 1;
    tries[operation] = before;
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies[operation] = body;
      answers[operation]?.(response, before);
      asked(operation);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  commandLine?.end();
  server?.closeAllConnections();
  server?.close();
});

beforeEach(() => {
  tries = {};
  bodies = {};
  folder = mkdtempSync(join(tmpdir(), 'leadline-endings-'));
  writeFileSync(join(folder, 'out.csv'), FORMER);
  writeFileSync(join(folder, 'leads.csv'), 'phone\n+77015551001\n');
  writeList(1_001);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * @param until where Ctrl-C is given: when the service has been asked this for so many times. Without it the command shares
 *   a process with others.
 */
function run(words: string[], until?: [operation: string, times: number]): Promise<Outcome> {
  const environment = {
    LEADLINE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    LEADLINE_API_KEY: 'll_of_an_account',
    LEADLINE_ADMIN_KEY: 'll_of_an_admin',
  };
  const inFolder = words.map((word) => word.replace('FOLDER', folder));
  asked = () => undefined;
  if (!until) return commandLine.run(inFolder, environment);
  return outcomeOf(PROGRAM, inFolder, environment, {}, (child) => {
    let times = 0;
    asked = (operation) => {
      if (operation !== until[0]) return;
      times += 1;
      if (times === until[1]) child.kill('SIGINT');
    };
  });
}

const EXPORT = ['export', '--assistant', '1', '--out', 'FOLDER/out.csv'];
const CALLED = ['call', 'exportLeads', '--assistant_id', '1', '--format', 'csv', '--out', 'FOLDER/out.csv'];
const WHERE = ['--bot', '1', '--channel', 'waba'];

const LIST = ['send', ...WHERE, '--template', '1', '--csv', 'FOLDER/list.csv'];

/** @param length of recipients in the list */
const writeList = (length: number): void =>
  writeFileSync(
    join(folder, 'list.csv'),
    `phone\n${Array.from({ length }, (_, n) => `+7701${5_550_000 + n}`).join('\n')}\n`,
  );

const expectFormerFile = (): void => {
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(FORMER);
  expect(readdirSync(folder).sort()).toEqual(['leads.csv', 'list.csv', 'out.csv']);
};

it.each([
  ['batch', ['batch', '7']],
  ['batch --wait', ['batch', '7', '--wait']],
])('leadline %s ends with 1 where a recipient got nothing, and says who', async (_verb, words) => {
  const results = [
    { index: 0, phone: '+77015551001', ok: false, status: 'failed', message: 'no such phone' },
  ];
  answers = { 'get-batch': json({ ...BATCH, total: 1, queued: 0, sent: 0, failed: 1, results }) };
  const { code, stdout, stderr } = await run(words);
  expect([code, stderr]).toEqual([1, 'Error: 1 of 1 did not get it\n']);
  expect(stdout).toContain('no such phone');
});

it('leadline send ends with 2, and sends to nobody, where quotes of its file are misplaced', async () => {
  const rows = ['phone;name;time', '+77010000001;"Ромашка" ТОО;15:30', '+77010000002;Марат;16:00'];
  writeFileSync(join(folder, 'list.csv'), [...rows, '+77010000003;"Лютик";16:30', ''].join('\n'));
  let calls = 0;
  answers = { 'send-template': (response, tries) => ((calls += 1), json(BATCH)(response, tries)) };
  const { code, stdout, stderr } = await run([
    ...['send', ...WHERE, '--template', '1', '--csv', 'FOLDER/list.csv'],
  ]);
  expect([code, stdout, calls]).toEqual([2, '', 0]);
  expect(stderr).toMatch(/^Row 2 of the file has misplaced quotes\n/);
});

it('leadline send reads phones as people write them, in the country of the account', async () => {
  writeFileSync(join(folder, 'list.csv'), 'phone\n+7 702 555-99-02\n8 (702) 555-99-03\n');
  let country: string | null = 'KZ';
  answers = {
    'get-templates': (response, tries) => json({ templates: [], phone_country: country })(response, tries),
    'send-template': json(BATCH),
  };
  const words = ['send', ...WHERE, '--template', '1', '--csv', 'FOLDER/list.csv'];
  expect((await run(words)).code).toBe(0);
  expect(JSON.parse(bodies['send-template'] ?? '')).toMatchObject({
    to: [{ phone: '+77025559902' }, { phone: '+77025559903' }],
  });
  country = null;
  const refused = await run(words);
  expect([refused.code, tries['send-template']]).toEqual([2, 1]);
  expect(refused.stderr).toMatch(/^Row 3 of the file: its phone does not say its country/);
});

describe('a command that does not come to its end', () => {
  it.each([
    ['export', EXPORT],
    ['call', CALLED],
  ])('leaves the former file as it was where the answer to %s breaks off', async (_verb, words) => {
    answers = { export: (response) => response.write(PART, () => response.destroy()) };
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/broke off/);
    expectFormerFile();
  });

  it.each<[string, string[], Record<string, Answer>, [string, number], number, RegExp, RegExp?]>([
    [
      'an export',
      EXPORT,
      { export: part },
      ['export', 1],
      130,
      /^Interrupted: .*out\.csv was not written\n$/,
    ],
    ['a call for a file', CALLED, { export: part }, ['export', 1], 130, /^Interrupted/],
    [
      'the upload of an import',
      ['import', 'FOLDER/leads.csv', '--assistant', '1', ...WHERE],
      { import: nothing },
      ['import', 1],
      130,
      /^Interrupted.*Import the file again/,
    ],
    [
      'the look at an import',
      ['import', 'FOLDER/leads.csv', '--assistant', '1', ...WHERE],
      { import: json({ import_id: '7' }), 'get-import': json(IMPORT) },
      ['get-import', 1],
      130,
      /^Import 7\nThe import goes on\. Look again: leadline import --resume 7\n$/,
    ],
    [
      'the look at a list',
      ['batch', '7', '--wait'],
      { 'get-batch': json(BATCH) },
      ['get-batch', 2],
      130,
      /^The list goes on\. Look again: leadline batch 7 --wait\n$/,
    ],
    [
      'a list of several calls',
      [...LIST, '--idempotency-key', 'mine'],
      { 'send-template': inTurn(json(BATCH), nothing) },
      ['send-template', 2],
      130,
      /--idempotency-key mine\n/,
      /^batch +7\n/,
    ],
  ])(
    'tells at Ctrl-C in %s how to go on, and leaves no half file',
    async (_what, words, given, until, ends, told, done = /^$/) => {
      answers = given;
      const { code, stdout, stderr } = await run(words, until);
      expect([code, stdout]).toEqual([ends, expect.stringMatching(done)]);
      expect(stderr).toMatch(told);
      expectFormerFile();
    },
  );
});

describe('a list of which a call is not answered or refused', () => {
  const [first, second] = [BATCH, { ...BATCH, batch_id: '8' }];
  const lost = { index: 4, phone: '+77015551001', ok: false, status: 'failed', message: 'no such phone' };

  it('tells programs the key by which it is repeated, though nobody had given one', async () => {
    answers = { 'send-template': refusal(422, { code: 'TEMPLATE_NOT_FOUND' }) };
    const { code, stdout, stderr } = await run([...LIST, '--json']);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      ok: false,
      error: { code: 'TEMPLATE_NOT_FOUND' },
      idempotency_key: expect.stringMatching(/^\S{16,}$/),
      batches: [],
    });
  });

  it('tells which lists go out already, and counts rows from the beginning of the file', async () => {
    writeList(2_006);
    const details = [{ path: 'to[5].phone', message: 'is no phone' }];
    const wrong = { code: 'VALIDATION_ERROR', message: 'to[5].phone: is no phone', details };
    const calls = [json(first), json({ ...second, failed: 1, results: [lost] }), refusal(422, wrong)];
    answers = { 'send-template': inTurn(...calls, ...calls) };
    const words = await run([...LIST, '--idempotency-key', 'mine']);
    expect(words.code).toBe(1);
    expect(words.stdout).toMatch(/^batch +7\n[^]*^batch +8\n[^]*^1005\t\+77015551001\t.*no such phone$/m);
    expect(words.stderr).toMatch(/--idempotency-key mine\n[^]*^ {2}to\[2005\]\.phone: is no phone$/m);
    const { code, stdout, stderr } = await run([...LIST, '--idempotency-key', 'mine', '--json']);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: 'to[2005].phone: is no phone', details: [{ path: 'to[2005].phone' }] },
      idempotency_key: 'mine',
      batches: [{ batch_id: '7' }, { batch_id: '8', results: [{ phone: lost.phone }] }],
    });
  });
});

it('reads on where the calls of the key are used up between two pages', async () => {
  const usedUp = refusal(429, { code: 'RATE_LIMITED' }, { 'Retry-After': '1' });
  const pagesOf = (items: string): Answer => {
    const page = (next_cursor: string | null): Answer =>
      json({ [items]: [{ id: '1', steps: [] }], has_more: next_cursor !== null, next_cursor });
    return inTurn(page('further'), usedUp, page(null));
  };
  answers = {
    'get-threads': pagesOf('threads'),
    scenarios: pagesOf('scenarios'),
    'scenario-runs': pagesOf('runs'),
  };
  const ends: Outcome[] = [];
  for (const words of [['leads', '--limit', '400'], ['scenarios'], ['runs', '--limit', '400']])
    ends.push(await run([...words, '--json']));
  const counts = ends.map(({ code, stderr, stdout }) => {
    const [items] = Object.values(JSON.parse(stdout || '[[]]') as unknown[][]);
    return [code, stderr, items?.length];
  });
  expect(counts).toEqual([
    [0, '', 2],
    [0, '', 2],
    [0, '', 2],
  ]);
});

it('a file of customers is for who exports it alone, and one that was there stays for whom it was', async () => {
  const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
  const parts: number[] = [];
  answers = {
    export: (response) => {
      response.write(PART);
      const look = setInterval(() => {
        const name = readdirSync(folder).find((each) => each.endsWith('.part'));
        if (name === undefined) return;
        clearInterval(look);
        parts.push(modeOf(name));
        response.end();
      }, 10);
    },
  };
  chmodSync(join(folder, 'out.csv'), 0o664);
  const fresh = EXPORT.with(-1, 'FOLDER/new.csv');
  for (const words of [EXPORT, fresh]) expect(await run(words)).toMatchObject({ code: 0 });
  expect([modeOf('out.csv'), modeOf('new.csv'), ...parts]).toEqual([0o664, 0o600, 0o600, 0o600]);
});
