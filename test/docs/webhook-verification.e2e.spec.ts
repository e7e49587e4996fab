import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSigningSecret } from '@app/domain/accounts/secret-cipher.port';
import { webhookHeaders } from '@app/domain/webhooks-out/sending/webhook-body';
import { readPages, ROOT } from './markdown.document';

const page = readPages().find(({ path }) => path === 'docs/integrators/webhooks.md')!;

const BODY = JSON.stringify({ type: 'lead.renamed', data: { to: 'Дана «Д» \u{1F600}' } });

/** What is given to a program, and whether it is to pass. */
function cases() {
  const [secret, former, strange] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const MINUTE_MS = 60_000;
  const sign = (secrets: string[], agoMs = 0, body = BODY) => ({
    secret,
    body,
    headers: webhookHeaders(
      { eventId: 'b1f7ab44-6a2e-8d27-9d31-5b1e2f6f0c11', body, replayed: false },
      secrets,
      new Date(Date.now() - agoMs),
    ),
  });
  const right = sign([secret]);
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(right.headers).filter(([header]) => header !== name));
  return {
    'a right signature': { ...right, passes: true },
    'another body': { ...right, body: BODY.replace('Дана', 'Лана'), passes: false },
    'another secret': { ...sign([strange]), passes: false },
    'an old timestamp': { ...sign([secret], 10 * MINUTE_MS), passes: false },
    'a timestamp of the future': { ...sign([secret], -10 * MINUTE_MS), passes: false },
    'another timestamp than was signed': {
      ...right,
      headers: { ...right.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 60) },
      passes: false,
    },
    'two signatures, the receiver with the new secret': { ...sign([secret, former]), passes: true },
    'two signatures, the receiver with the former one': { ...sign([former, secret]), passes: true },
    'two signatures of other secrets': { ...sign([former, strange]), passes: false },
    'no signature': { ...right, headers: without('webhook-signature'), passes: false },
    'no timestamp': { ...right, headers: without('webhook-timestamp'), passes: false },
  };
}

interface Language {
  /** What runs it, and how it is asked whether it is there. */
  program: string;
  probe: string[];
  /** A program that reads cases as lines of JSON, and prints for each whether it passed, and what it said. */
  harness: (file: string) => { name: string; text: string };
}

const LANGUAGES: Record<string, Language> = {
  ts: {
    program: process.execPath,
    probe: ['--version'],
    harness: (file) => ({
      name: 'run.mjs',
      text: `import { verify } from './${file}';
        const cases = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString());
        const outcomes = cases.map(({ secret, headers, body }) => {
          try { return verify(secret, headers, Buffer.from(body)); } catch { return null; }
        });
        console.log(JSON.stringify(outcomes));`,
    }),
  },
  python: {
    program: 'python3',
    probe: ['--version'],
    harness: (file) => ({
      name: 'run.py',
      text: `import json, sys
from ${file.replace('.py', '')} import verify

def outcome(case):
    try:
        return verify(case["secret"], case["headers"], case["body"].encode())
    except Exception as error:
        if type(error).__name__ not in ("ValueError", "WebhookVerificationError"):
            raise
        return None

print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))
`,
    }),
  },
  php: {
    program: 'php',
    probe: ['--version'],
    harness: (file) => ({
      name: 'run.php',
      text: `<?php
require __DIR__ . '/${file}';
echo json_encode(array_map(function ($case) {
    try {
        return verify($case['secret'], $case['headers'], $case['body']);
    } catch (RuntimeException $error) {
        return null;
    }
}, json_decode(stream_get_contents(STDIN), true)));
`,
    }),
  },
};

/** Whether the machine has what a block needs. */
function has(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Python's library is not among what this repository installs. */
const PROBES: Readonly<Record<string, string[]>> = { 'library.py': ['-c', 'import standardwebhooks'] };

describe('the programs that verify', () => {
  const programs = page.blocks
    .filter(({ words }) => words[0] === 'verify')
    .map(({ language, words: [, file = ''], text }) => {
      const { program, probe, harness } = LANGUAGES[language]!;
      return { language, file, text, program, probe: PROBES[file] ?? probe, harness: harness(file) };
    });
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leadline-verify-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are there in TypeScript, Python and PHP', () => {
    expect(programs.map(({ language, file }) => `${language} ${file}`)).toEqual([
      'ts library.ts',
      'ts by-hand.ts',
      'python by_hand.py',
      'python library.py',
      'php by-hand.php',
    ]);
  });

  for (const { file, text, program, probe, harness } of programs) {
    const isThere = has(program, probe);
    const title = `${file} passes what is ours, and nothing else`;
    (isThere ? it : it.skip)(isThere ? title : `${title} (needs ${program} ${probe.join(' ')})`, () => {
      writeFileSync(join(folder, file), text);
      writeFileSync(join(folder, harness.name), harness.text);
      const given = Object.entries(cases());
      const output = execFileSync(program, [harness.name], {
        cwd: folder,
        input: JSON.stringify(given.map(([, each]) => each)),
        encoding: 'utf8',
      });
      const outcomes = JSON.parse(output) as unknown[];
      expect(given.map(([name], index) => [name, outcomes[index]])).toEqual(
        given.map(([name, { passes }]) => [name, passes ? (JSON.parse(BODY) as unknown) : null]),
      );
    });
  }
});
