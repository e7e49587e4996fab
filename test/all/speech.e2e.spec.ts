import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually';
import { recorded } from '../support/media.samples';
import { ownEnvironment } from '../support/programs/own.environment';
import { setErasureScene } from '../support/scenes/erasure.scene';
import { newCustomer } from '../support/scenes/reply.scene';

/** For a machine that is busy with other tests: alone it takes a few seconds. */
const INSTALLED_WITHIN_MS = 100_000;
const READY_WITHIN_MS = 60_000;
const HEARD_WITHIN_MS = 60_000;
const SAID = /order two boxes/i;

const folder = mkdtempSync(join(tmpdir(), 'leadline-speech-'));
let server: ChildProcess | undefined;

/** What hears lies in a folder of its own: no other test needs its 220 MB. */
async function install(): Promise<void> {
  cpSync(join(__dirname, 'speech'), folder, { recursive: true });
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit'], {
      ...{ cwd: folder, timeout: INSTALLED_WITHIN_MS },
    });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    throw new Error(
      `The speech model cannot be installed: this test needs npm's registry.\n${stderr.slice(0, 300)}`,
    );
  }
}

/** @returns the address of the model. */
async function startHearing(): Promise<string> {
  const child = spawn(process.execPath, ['speech.server.mjs'], { cwd: folder, env: ownEnvironment() });
  server = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const address = await eventually(
    async () => /^hears on (\S+)$/m.exec(output)?.[1] ?? (child.exitCode !== null && 'none'),
    READY_WITHIN_MS,
    `the speech model did not begin:\n${output}`,
  );
  if (address === 'none') throw new Error(`the speech model ended:\n${output}`);
  return address;
}

const scene = setErasureScene({ environment: { AI_TRANSCRIPTION_WAIT_MS: String(HEARD_WITHIN_MS) } });
scene.withStandIns(async () => {
  await install();
  return { AI_TRANSCRIPTION_URL: await startHearing() };
});
scene.whenClosed(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['Ogg with Opus, as WhatsApp records it', 'order.ogg', 'audio/ogg; codecs=opus'],
  ['M4A', 'order.m4a', 'audio/mp4'],
  ['AMR', 'order.amr', 'audio/amr'],
] as const)(
  'what a customer says in %s is written down by a real model, and the agent reads it',
  async (_, file, mimeType) => {
    const customer = newCustomer();
    const id = randomUUID();
    scene.both.has(id, recorded(file), mimeType);
    const voice = { type: 'audio', audio: { id, mime_type: mimeType, voice: file === 'order.ogg' } };
    await scene.tell(scene.number.message({ ...customer, name: customer.phone }, voice));
    await scene.untilSaid(customer, 1, HEARD_WITHIN_MS);
    const { id: thread } = await scene.dialog(`+${customer.phone}`);
    const { data } = (await scene.api.getMessages({ thread_id: `thread_${thread}` })).body;
    expect(data.messages).toContainEqual(
      expect.objectContaining({
        media: expect.objectContaining({
          seconds: 4,
          transcript: { state: 'ready', text: expect.stringMatching(SAID) as string, language: 'en' },
        }) as object,
      }),
    );
    const [asked] = await scene.model.requests(customer.phone);
    const content = (asked?.body.messages as { content: string }[] | undefined)?.at(-1)?.content;
    expect(content).toMatch(/^\[voice [0-9a-f]{8}\] /);
    expect(content).toMatch(SAID);
  },
);
