import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFile } from '../../apps/demo/src/demo-file';
import { ApiClient } from '../support/clients/api.client';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { eventually } from '../support/eventually';
import { IS_LONG } from '../support/long.mode';
import { readPages, REPEATABLE, ROOT, type Block, type Page } from './markdown.document';
import { ShellSession } from '../support/programs/shell.session';
import { cutTo, steady } from './answer.matcher';

/** Until a program in another terminal has printed what it is to print: the agent answers after some seconds. */
const PRINTED_MS = 15_000;

/**
 * Runs what a page tells its reader to do, in order, against a running demo (test/docs/README.md). "sh test"
 * must succeed, and its JSON must say ok, or refuse with the code that the block names. "json answer" is the answer
 * of the block before it, "json recipe" the body of a scenario that can be saved. "js test <file>" is saved and left running. "text output" is what such a program must have
 * printed.
 */
const isExecutable = ({ language, words }: Block): boolean =>
  `${language} ${words[0] ?? ''}` === 'sh test' || `${language} ${words[0] ?? ''}` === 'js test';

const isChecked = (block: Block): boolean =>
  isExecutable(block) ||
  ['json answer', 'json recipe', 'text output'].includes(`${block.language} ${block.words[0] ?? ''}`);

const pages = readPages().filter((page) => page.blocks.some(isExecutable));

/** In the long mode, pages that can be gone through again are. */
const readings = pages.flatMap((page): [string, Page][] => [
  [page.path, page],
  ...(IS_LONG && page.text.includes(REPEATABLE) ? [[`${page.path} once more`, page] as [string, Page]] : []),
]);

/** The JSON in a command's output, also after headers. */
function jsonOf(output: string): { ok?: boolean; error?: { code: string } } | null {
  const start = output.search(/^[{[]/m);
  return start < 0 ? null : (JSON.parse(output.slice(start)) as { ok?: boolean });
}

const titleOf = ({ language, words, text, line }: Block): string =>
  `line ${line}: ${[language, ...words].join(' ')}: ${text.split('\n')[0] ?? ''}`;

it('finds the pages whose commands it runs', () => {
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/first-walk.md',
      'docs/integrators/leads.md',
      'docs/integrators/board.md',
    ]),
  );
});

describe('what a page tells its reader to do', () => {
  let demo: DemoProcess;
  let folder: string;
  let shell: ShellSession;
  let output = '';

  beforeAll(async () => {
    // A quarter of the demo's quiet time. The pages only mention it: a command that needs the agent's reply waits for
    // it, and no answer that is shown depends on when the reply comes.
    demo = await DemoProcess.start(makeDataDir(), { AI_REPLY_DELAY_MS: '500' });
    folder = mkdtempSync(join(tmpdir(), 'leadline-reader-'));
    symlinkSync(demo.dataDir, join(folder, '.data'));
    for (const name of ['node_modules', 'dist', 'package.json', 'tools'])
      symlinkSync(join(ROOT, name), join(folder, name));
  });

  afterAll(async () => {
    await demo?.ended('SIGTERM');
    if (demo) removeDataDir(demo.dataDir);
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** A scenario is saved with what its recipe says, and deleted, so that it starts nothing. */
  async function trySaving(recipe: string): Promise<void> {
    const given = JSON.parse(recipe) as { name: string; steps: { kind: string }[] };
    const admin = new ApiClient(demo.file().base_url, demo.file().admin_key);
    const { status, body } = await admin.admin('POST', 'scenarios', given);
    expect({ status, error: body.error ?? null }).toEqual({ status: 201, error: null });
    const made = body.data as { id: string; name: string; steps: { kind: string }[] };
    const kinds = ({ steps }: Pick<typeof given, 'steps'>): string[] => steps.map(({ kind }) => kind);
    expect([made.name, kinds(made)]).toEqual([given.name, kinds(given)]);
    expect((await admin.admin('DELETE', `scenarios/${made.id}`)).status).toBe(200);
  }

  const act: Record<string, (block: Block) => Promise<void>> = {
    sh: async ({ text, words }) => {
      output = await shell.run(text);
      const answer = jsonOf(output);
      const [, code] = words;
      if (code !== undefined) expect(answer).toMatchObject({ ok: false, error: { code } });
      else if (answer) expect(answer).toMatchObject({ ok: true });
    },
    js: async ({ text, words }) => {
      const [, file = 'program.mjs'] = words;
      writeFileSync(join(folder, file), text);
      await shell.leaveRunning(file);
    },
    json: async ({ text, words: [use] }) => {
      if (use === 'recipe') return trySaving(text);
      const { shown, answer } = cutTo(JSON.parse(text) as never, jsonOf(output));
      expect(steady(answer)).toEqual(steady(shown));
    },
    text: async ({ text }) => {
      await eventually(
        async () => text.split('\n').every((line) => shell.printed.includes(line)),
        PRINTED_MS,
        `the program did not print\n${text}\nbut\n${shell.printed}\n`,
      ).catch(() => expect(shell.printed).toContain(text));
    },
  };

  /** Those that show a board: others talk to no service of ours. */
  const programs = pages.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language, text }) => language === 'js' && text.includes('socket.io-client'))
      .map((block) => [path, block] as const),
  );

  describe.each(programs)('the program of %s', (_, block) => {
    /** What it prints first, when the demo is not as its reader believes. */
    async function firstWords(change: (file: DemoFile) => object): Promise<string> {
      const elsewhere = mkdtempSync(join(tmpdir(), 'leadline-mistaken-'));
      const session = new ShellSession(elsewhere);
      symlinkSync(join(ROOT, 'node_modules'), join(elsewhere, 'node_modules'));
      mkdirSync(join(elsewhere, '.data'));
      const file = demo.file();
      writeFileSync(join(elsewhere, '.data/demo.json'), JSON.stringify({ ...file, ...change(file) }));
      writeFileSync(join(elsewhere, 'program.mjs'), block.text);
      try {
        await session.leaveRunning('program.mjs').catch((error: Error) => {
          // One that was refused may end by itself, once it has said why.
          if (!session.printed.includes('\n')) throw error;
        });
        return session.printed;
      } finally {
        session.close();
        rmSync(elsewhere, { recursive: true, force: true });
      }
    }

    it('says so when nothing listens', async () => {
      // Port 9 (discard) is unused.
      expect(await firstWords(() => ({ base_url: 'http://127.0.0.1:9' }))).toMatch(/error/);
    });

    it('says why it is refused', async () => {
      const wrong = ({ operator }: DemoFile): object => ({
        ...{ api_keys: [{ key: 'll_none' }], operator: { ...operator, password: 'll_none' } },
      });
      expect(await firstWords(wrong)).toMatch(/UNAUTHORIZED|SIGN_IN_FAILED/);
    });

    it('says why it gets no board', async () => {
      const words = await firstWords(({ assistants }) => ({ assistants: assistants.toReversed() }));
      expect(words).toContain('ASSISTANT_NOT_FOUND: ');
    });
  });

  describe.each(readings)('%s', (_, { blocks }) => {
    beforeAll(() => {
      shell = new ShellSession(folder);
    });

    afterAll(() => shell?.close());

    it.each(blocks.filter(isChecked).map((block) => [titleOf(block), block] as const))(
      '%s',
      async (_title, block) => {
        await act[block.language]?.(block);
      },
    );
  });
});
