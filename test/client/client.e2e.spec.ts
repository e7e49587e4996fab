import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DemoFile } from '../../apps/demo/src/demo-file';
import { readPages, ROOT } from '../docs/markdown.document';
import { ApiClient, request } from '../support/clients/api.client';
import { operationOf, readCollection, sentBy } from '../support/clients/bruno.collection';
import { CHROMIUM_NEEDED, inChromium, openChromium } from '../support/clients/chromium.browser';
import { operationsOf } from '../support/clients/openapi.operations';
import { eventually } from '../support/eventually';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { hostNode, PackedClient } from '../support/programs/packed.client';
import { describeVerbs } from './command-line.tests';
import { describeOperations } from './operations.tests';

type Client = typeof import('@app/client/index');

const AGENT = '01930000-0000-7000-8002-000000000001';
const BOT = '01930000-0000-7000-8003-000000000001';
const [THREAD, PHONE] = ['thread_01930000-0000-7000-8005-00000000000d', '+77015551013'];
const HOST_NODE = hostNode();

let demo: DemoProcess;
let integrator: PackedClient;
let file: DemoFile;
let api: ApiClient;
let environment: { LEADLINE_URL: string; LEADLINE_API_KEY: string };
/** Every operation of the document, such as `GET /health/live`. */
let documented: string[];

beforeAll(async () => {
  // More than people and integrators call in a minute.
  demo = await DemoProcess.start(makeDataDir(), { RATE_LIMIT_GENERAL: '1000', RATE_LIMIT_LEADS: '1000' });
  file = demo.file();
  const { body } = await new ApiClient(file.base_url, file.admin_key).call('admin/api-keys', {
    ...{ account_id: file.accounts[0]?.id, name: 'Integrator', scopes: ['leads', 'messages'] },
    ...{ assistant_ids: [AGENT], bot_ids: [BOT], limit_leads: 1_000, limit_general: 1_000 },
  });
  api = new ApiClient(file.base_url, body.data.key);
  environment = { LEADLINE_URL: file.base_url, LEADLINE_API_KEY: api.key };
  const { body: document } = await request(`${file.base_url}/openapi.json`);
  documented = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
});

afterAll(async () => {
  integrator?.remove();
  await demo?.ended('SIGTERM');
  if (demo) removeDataDir(demo.dataDir);
});

// The first, because its commands expect the demo as it begins.
describeVerbs(() => demo);

describe('the package of the client', () => {
  const scripts = readdirSync(join(ROOT, 'examples/shell'));
  const examples = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));
  /** Programs of the pages for its users, by where they are put, each with what it is to print. */
  const programs = readPages().flatMap(({ path, blocks }) =>
    blocks.flatMap(({ language, words: [use, name = ''], text }, index) => {
      if (language !== 'ts' || use !== 'test') return [];
      const next = blocks[index + 1];
      const output = next?.language === 'text' && next.words[0] === 'output' ? next.text : '';
      return [{ page: path, name: join(path.replaceAll(/\W/g, '-'), name), text, output }];
    }),
  );

  beforeAll(() => {
    integrator = PackedClient.install();
    const textOf = (name: string): string => readFileSync(join(ROOT, 'examples', name), 'utf8');
    for (const name of [...examples, 'customers.csv', ...scripts.map((script) => `shell/${script}`)])
      integrator.write(name, textOf(name));
    for (const { name, text } of programs) integrator.write(name, text);
  });

  /** What a program prints, if it ends well. */
  async function printed(words: string[], program?: string): Promise<string> {
    const { code, stdout, stderr } = await integrator.run(words, environment, program);
    expect([words[0], code, stderr]).toEqual([words[0], 0, '']);
    return stdout;
  }

  it('has a module, types, README and licences, and no dependency but socket.io-client', () => {
    const manifest = JSON.parse(integrator.read('package.json')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: '@leadline/client', type: 'module', license: 'MIT' });
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual(['dependencies']);
    expect(Object.keys(manifest.dependencies as object)).toEqual(['socket.io-client']);
    expect(readdirSync(integrator.installed).sort()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'index.js', 'package.json', 'types'].sort(),
    );
    const imports = [...integrator.read('index.js').matchAll(/^import .* from "(.+)";$/gm)];
    expect(imports.map(([, name]) => name)).toEqual(['socket.io-client']);
    expect(integrator.read('THIRD-PARTY-LICENSES')).toContain('openapi-fetch');
    expect(integrator.read('README.md')).toBe(readFileSync(join(ROOT, 'libs/client/README.md'), 'utf8'));
  });

  it('gives its types to compilers that resolve as Node.js does and as bundlers do', () => {
    integrator.write(
      'wrong.ts',
      `import { createLeadlineClient } from '@leadline/client';
       const leadline = createLeadlineClient({ baseUrl: '' });
       await leadline.post('/api/v1/leads/get-lead', { body: { thread: 'thread_1' } });
       await leadline.get('/api/v1/leads/get-lead');
       leadline.board({ assistantId: '' }).on('card.moved', ({ to }) => to);`,
    );
    const faults = integrator.faultsOf([...examples, ...programs.map(({ name }) => name), 'wrong.ts']);
    expect(Object.keys(faults)).toEqual(['nodenext', 'bundler']);
    for (const found of Object.values(faults)) {
      expect(found.filter((fault) => !fault.startsWith('wrong.ts: '))).toEqual([]);
      expect(found).toHaveLength(3);
    }
  });

  it.each(programs)('runs $name of $page', async ({ name, output }) => {
    const lines = (await printed([name])).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of output === '' ? [] : output.split('\n')) expect(lines).toContain(line);
  });

  it(`runs by the Node.js of this machine (${HOST_NODE ?? 'here is no other one'})`, async () => {
    // Compiled before: not every Node.js takes TypeScript.
    const words = [programs.find(({ name }) => name.endsWith('board.ts'))!.name.replace(/ts$/, 'js')];
    expect(await printed(words, HOST_NODE ?? process.execPath)).not.toBe('');
  });

  inChromium(`runs in a browser (${CHROMIUM_NEEDED})`, async () => {
    const browser = await openChromium();
    try {
      const page = await browser!.newPage();
      await page.goto(file.base_url);
      await page.evaluate(integrator.script());
      const options = { baseUrl: file.base_url, apiKey: api.key };
      const seen = await page.evaluate(
        async ([given, assistantId, thread_id]) => {
          const { createLeadlineClient } = (globalThis as never as { leadline: Client }).leadline;
          const leadline = createLeadlineClient(given);
          const lead = await leadline.post('/api/v1/leads/get-lead', { body: { thread_id } });
          const board = leadline.board({ assistantId });
          await board.ready;
          const columns = board.columns().length;
          board.close();
          return { phone: lead.phone, columns };
        },
        [options, AGENT, THREAD] as const,
      );
      expect(seen).toEqual({ phone: PHONE, columns: file.assistants[0]!.statuses.length + 1 });
    } finally {
      await Promise.all(browser!.contexts().map((context) => context.close()));
    }
  });

  describe.each([
    ['TypeScript', undefined, (name: string) => `${name}.ts`],
    ['shell', 'sh', (name: string) => `shell/${name}.sh`],
  ])('has examples in %s that', (_, program, nameOf) => {
    const run = (name: string, ...words: string[]): Promise<string> =>
      printed([nameOf(name), ...words], program);

    it('follow a board, and mark a customer as paid', async () => {
      await api.setStatus({ thread_id: THREAD, status_id: null });
      const board = await integrator.leaveRunning([nameOf('follow-board'), AGENT], environment, program);
      await eventually(async () => /^Оплачено: \d+$/m.test(board.stdout), 10_000, 'no board was shown');
      expect(await run('mark-as-paid', PHONE, '4711')).toMatch(/: moved to Оплачено\n$/);
      await eventually(
        async () => board.stdout.includes(`${PHONE} is at Оплачено, by Integrator\n`),
        10_000,
        'the move was not shown',
      );
      expect(await run('mark-as-paid', PHONE, '4711')).toMatch(/: already at Оплачено\n$/);
      const { body } = await api.getHistory({ thread_id: THREAD });
      expect(JSON.stringify(body.data)).toContain('invoice-4711');
      const words = [nameOf('mark-as-paid'), '+77009999999', '4711'];
      expect(await integrator.run(words, environment, program)).toMatchObject({
        ...{ code: 1, stdout: '', stderr: '+77009999999 has no dialog\n' },
      });
    });

    it('send a template to a list, and tell what became of it', async () => {
      const told = await run('send-to-list', BOT, 'waba_coexistence', 'visit_reminder', 'customers.csv');
      expect(told).toMatch(/^\+77005550007: .+\nsent 2, failed 1, unknown 0\n$/);
    });

    it('switch the agent off in a dialog, and say why they cannot', async () => {
      await api.setAi(THREAD, true);
      expect(await run('switch-off', THREAD)).toBe('off: nothing of the agent leaves any more\n');
      expect(await run('switch-off', THREAD)).toBe('it was off\n');
      const missing = await integrator.run([nameOf('switch-off'), 'thread_none'], environment, program);
      expect(missing.code).not.toBe(0);
      expect(missing.stderr).toMatch(/THREAD_NOT_FOUND|there is no dialog/);
    });
  });
});

describe('the examples in shell', () => {
  /** What each program of theirs was given as arguments, which all users of a machine can see. */
  const watched = (): { PATH: string; seen: () => string } => {
    const log = join(integrator.folder, 'arguments');
    for (const name of ['curl', 'jq']) {
      const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      integrator.write(`watched/${name}`, `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n`);
      chmodSync(join(integrator.folder, 'watched', name), 0o755);
    }
    return {
      PATH: `${join(integrator.folder, 'watched')}:${process.env.PATH}`,
      seen: () => readFileSync(log, 'utf8'),
    };
  };

  it('fail where nobody answers, or the service refuses', async () => {
    const nowhere = { ...environment, LEADLINE_URL: 'http://127.0.0.1:1' };
    const noKey = { ...environment, LEADLINE_API_KEY: 'll_of_nobody' };
    const list = ['shell/send-to-list.sh', BOT, 'waba_coexistence', 'visit_reminder', 'customers.csv'];
    const calls = [
      ['shell/mark-as-paid.sh', PHONE, '1'],
      ['shell/switch-off.sh', THREAD],
      ['shell/follow-board.sh', AGENT],
      list,
    ];
    // All but the board ask by the same function.
    const [, switchOff, followBoard] = calls;
    for (const words of calls)
      for (const where of words === switchOff || words === followBoard ? [nowhere, noKey] : [noKey]) {
        const { code, stdout, stderr } = await integrator.run(words, where, 'sh');
        expect([words[0], code, stdout, stderr]).toEqual([
          ...[words[0], expect.any(Number), '', expect.stringMatching(/curl: \(7\)|UNAUTHORIZED/)],
        ]);
        expect([words[0], code]).not.toEqual([words[0], 0]);
      }
    const { code, stderr } = await integrator.run(['shell/follow-board.sh', BOT], environment, 'sh');
    expect([code, stderr]).toEqual([1, expect.stringContaining('ASSISTANT_NOT_FOUND')]);
  });

  it('take the answer of the last try, and show their key to nobody', async () => {
    let tries = 0;
    const server = createServer((_request, response) => {
      tries += 1;
      if (tries === 1) response.writeHead(429, { 'Retry-After': '1' }).end('{"ok": false, "error": {}}');
      else response.end('{"ok": true, "data": {"changed": true}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const LEADLINE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { PATH, seen } = watched();
    const words = ['shell/switch-off.sh', THREAD];
    const { code, stdout } = await integrator.run(words, { ...environment, LEADLINE_URL, PATH }, 'sh');
    server.close();
    expect([code, stdout, tries]).toEqual([0, 'off: nothing of the agent leaves any more\n', 2]);
    const board = await integrator.leaveRunning(
      ['shell/follow-board.sh', AGENT],
      { ...environment, PATH },
      'sh',
    );
    await eventually(async () => /^Оплачено: \d+$/m.test(board.stdout), 10_000, 'no board was shown');
    expect(seen()).toContain('/socket.io/');
    expect(seen()).not.toContain(api.key);
  });
});

describe('the Bruno collection', () => {
  const { requests, beside } = readCollection();
  const send = async (name: string, variables: Record<string, string>) => {
    const { url, ...rest } = sentBy(requests[name]!, variables);
    return request(url, rest);
  };

  it('has a request for each operation of the document, in files that Bruno reads', () => {
    expect(Object.values(requests).map(operationOf).sort()).toEqual(documented.toSorted());
    for (const { meta, http, body } of Object.values(requests)) {
      expect(meta.name).not.toBe('');
      if (http.body === 'json') expect(() => JSON.parse(body?.json ?? '') as unknown).not.toThrow();
    }
    expect(beside['environments/Demo.bru']?.variables).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'api_key', secret: true })]),
    );
  });

  it('works against the demo: by a key, by an administrator’s, by a session, with a file', async () => {
    const { email, password } = file.admin_user;
    const variables = {
      ...{ base_url: file.base_url, api_key: api.key, admin_key: file.admin_key, email, password },
    };
    for (const name of [
      'leads/get-lead',
      'leads/set-status',
      'messages/upload-media',
      'leads/import-leads',
      'admin-accounts/list-accounts',
    ])
      expect([name, (await send(name, variables)).status]).toEqual([name, 200]);
    const signedIn = await send('sign-in/sign-in', variables);
    expect(requests['sign-in/sign-in']?.vars?.res).toMatchObject([
      { name: 'csrf_token', value: 'res.body.data.csrf_token' },
    ]);
    const { url, headers, ...rest } = sentBy(requests['sign-in/confirm']!, {
      ...variables,
      csrf_token: signedIn.body.data.csrf_token,
    });
    const Cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    const body = JSON.stringify({ password });
    expect((await request(url, { ...rest, body, headers: { ...headers, Cookie } })).status).toBe(200);
  });
});

// The last, because it takes away what others need.
describeOperations(() => demo);
