import { createHash, randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { image, opus } from '../../support/media.samples';
import { limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { openErasureScene, setErasureScene } from '../../support/scenes/erasure.scene';
import { newCustomer } from '../../support/scenes/reply.scene';
import { wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import type { GivenTranscript } from '../../support/stand-ins/model.script';

const WAIT_MS = 6_000;
const scene = setErasureScene({ environment: { ...SHORT_TIMES, AI_TRANSCRIPTION_WAIT_MS: String(WAIT_MS) } });

interface Shown {
  id: string;
  thread_id: string;
  text: string;
  media: {
    state: string;
    transcript: { state: string; text: string | null; language: string | null } | null;
  };
}

type Talker = Customer & { phone: string };

/** A customer sends a voice note of seven seconds, which is transcribed so. */
async function say(
  transcript: GivenTranscript | null,
  { customer = newCustomer(), seconds = 7, id = wamid(), at = scene } = {},
): Promise<{ customer: Talker; messageId: string; bytes: Buffer; id: string }> {
  const mark = randomUUID();
  const bytes = Buffer.concat([opus(seconds), Buffer.from(mark)]);
  at.both.has(mark, bytes, 'audio/ogg; codecs=opus');
  if (transcript) await at.model.hear({ when: mark, ...transcript });
  const voice = { type: 'audio', audio: { id: mark, mime_type: 'audio/ogg; codecs=opus', voice: true } };
  await at.tell(at.number.message(customer, voice, { id }));
  const [row] = await at.query<{ id: string }>('SELECT id FROM messages WHERE provider_id = $1', id);
  return { customer, messageId: row?.id ?? '', bytes, id };
}

const shown = async (messageId: string): Promise<Shown> =>
  (await scene.api.getMessage(messageId)).body.data as Shown;

async function transcribed(messageId: string, state: string): Promise<Shown> {
  let message: Shown | null = null;
  await eventually(
    async () => (message = await shown(messageId)).media.transcript?.state === state,
    20_000,
    `the transcript did not become ${state}`,
  );
  return message!;
}

const dialogOf = (customer: Talker) => scene.dialog(`+${customer.phone}`);

/** What the model was told in the last message of the last request about a customer. */
async function toldOf(phone: string, at = scene): Promise<string> {
  const asked = await at.model.requests(phone);
  const messages = (asked.at(-1)?.body.messages ?? []) as { role: string; content: string }[];
  return messages.at(-1)?.content ?? '';
}

/** A customer whose name is in the instructions, by which the request is known. */
function named(): Talker {
  const customer = newCustomer();
  return { ...customer, name: customer.phone };
}

const askedFor = async (bytes: Buffer) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return (await scene.model.heard()).filter((one) => one.sha256 === sha256);
};

beforeEach(() => scene.model.clear());

it('a voice note is written down: at the message, on the card, in the search, for the model', async () => {
  const customer = named();
  const { messageId, bytes } = await say(
    { text: ' Сколько стоит тюльпанница? ', language: 'russian' },
    { customer },
  );
  const message = await transcribed(messageId, 'ready');
  const transcript = { state: 'ready', text: 'Сколько стоит тюльпанница?', language: 'ru' };
  expect(message).toMatchObject({ text: '', media: { kind: 'voice', seconds: 7, transcript } });
  expect(await askedFor(bytes)).toMatchObject([
    {
      ...{ model: 'hearing', response_format: 'verbose_json', file_name: 'audio.ogg', type: 'audio/ogg' },
      in_order: true,
    },
  ]);
  await scene.untilSaid(customer, 1);
  expect(await toldOf(customer.phone)).toMatch(/^\[voice [0-9a-f]{8}\] Сколько стоит тюльпанница\?$/);
  const listed = await scene.api.getMessages({ thread_id: message.thread_id });
  expect(listed.body.data.messages).toContainEqual(
    expect.objectContaining({ media: expect.objectContaining({ transcript }) as unknown }),
  );
  await eventually(
    async () =>
      ((await scene.api.getThreads({ search: 'тюльпанница' })).body.data.threads as unknown[]).length === 1,
    10_000,
    'it is not found',
  );
});

it('its whole way to an answer waits for no sweep: each part of it tells the next one', async () => {
  const swept = await openErasureScene({ environment: limits({ 'work.sweepMs': 3_600_000 }) });
  try {
    await swept.model.clear();
    const { customer } = await say(
      { text: 'Сколько стоит?', language: 'ru' },
      { customer: named(), at: swept },
    );
    await swept.untilSaid(customer, 1);
    expect(await toldOf(customer.phone, swept)).toMatch(/^\[voice [0-9a-f]{8}\] Сколько стоит\?$/);
  } finally {
    await swept.close();
  }
});

it('a spoken STOP is no opt-out, and a reply waits for what is said', async () => {
  const customer = named();
  const { messageId } = await say({ text: 'Stop', language: 'en', delay_ms: 1_500 }, { customer });
  await scene.untilSaid(customer, 1);
  expect(await scene.model.requests(customer.phone)).toHaveLength(1);
  expect(await toldOf(customer.phone)).toContain('Stop');
  await transcribed(messageId, 'ready');
  expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: true });
});

it('a reply that has waited long enough says that the voice note could not be heard', async () => {
  const customer = named();
  const began = Date.now();
  const { messageId } = await say({ act: 'hang' }, { customer });
  await scene.untilSaid(customer, 1, 15_000);
  expect(Date.now() - began).toBeGreaterThanOrEqual(WAIT_MS);
  expect(await toldOf(customer.phone)).toMatch(
    /^\[voice [0-9a-f]{8}\] A voice note of 7 seconds came\. It could not be heard: ask the customer to write/,
  );
  expect((await shown(messageId)).media.transcript).toEqual({ state: 'pending', text: null, language: null });
});

it('where it failed, the reply says so at once, and what fails for a moment is asked for again', async () => {
  const customer = named();
  const { messageId, bytes } = await say({ status: 400, times: null }, { customer });
  await transcribed(messageId, 'failed');
  expect((await askedFor(bytes)).map((one) => one.response_format)).toEqual(['verbose_json', 'json']);
  await scene.untilSaid(customer, 1);
  expect(await toldOf(customer.phone)).toContain('could not be heard');
  const passing = await say({ status: 503 });
  await scene.model.hear({ text: 'Теперь слышно', when: passing.bytes.subarray(-36).toString() });
  expect((await transcribed(passing.messageId, 'ready')).media.transcript?.text).toBe('Теперь слышно');
});

it('an account that does not want transcripts has none, and its agent says that it cannot listen', async () => {
  const path = `accounts/${scene.account.id}`;
  await scene.admin.admin('PATCH', path, { transcription: false });
  try {
    const customer = named();
    const { messageId, bytes } = await say(null, { customer });
    await scene.untilSaid(customer, 1);
    expect(await toldOf(customer.phone)).toMatch(
      /^\[voice [0-9a-f]{8}\] A voice note of 7 seconds came\. You cannot listen to it: say so/,
    );
    expect((await shown(messageId)).media.transcript).toEqual({ state: 'none', text: null, language: null });
    expect(await askedFor(bytes)).toEqual([]);
  } finally {
    await scene.admin.admin('PATCH', path, { transcription: true });
  }
});

it('off while a reply waits: nothing goes', async () => {
  const customer = named();
  const { messageId } = await say({ text: 'Алло', delay_ms: 2_000 }, { customer });
  const { id } = await dialogOf(customer);
  await scene.api.setAi(`thread_${id}`, false);
  await transcribed(messageId, 'ready');
  await scene.untilQuiet(id);
  expect(scene.said(customer)).toEqual([]);
  expect(await scene.model.requests(customer.phone)).toEqual([]);
});

it('a reply waits for a file that is still to come, and no longer than it may', async () => {
  const customer = named();
  const bytes = await image('png');
  const file = randomUUID();
  scene.both.has(file, bytes, 'image/png');
  const provided = scene.both.files.files.get(file);
  const came = new Promise<() => void>((resolve) => {
    provided!.behave = (response) =>
      resolve(() => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
  });
  await scene.tell(scene.number.message(customer, { type: 'image', image: { id: file } }));
  const letCome = await came;
  const { id } = await dialogOf(customer);
  await eventually(
    async () =>
      (
        await scene.query(
          `SELECT 1 FROM replies WHERE thread_id = $1 AND state = 'due' AND lease_token IS NULL AND waits_until IS NOT NULL`,
          id,
        )
      ).length === 1,
    5_000,
    'the reply was not put off',
  );
  expect(await scene.model.requests(customer.phone)).toEqual([]);
  letCome();
  await scene.untilSaid(customer, 1);
  const [row] = await scene.query<{ state: string; in_time: boolean }>(
    `SELECT x.state, r.waits_until > x.ended_at AS in_time FROM replies r
       JOIN messages m ON m.id = r.message_id JOIN media x ON x.id = m.media_id WHERE r.thread_id = $1`,
    id,
  );
  expect(row).toEqual({ state: 'stored', in_time: true });

  const hanging = named();
  const never = randomUUID();
  scene.both.has(never, bytes, 'image/png');
  scene.both.files.files.get(never)!.behave = () => undefined;
  const began = Date.now();
  await scene.tell(scene.number.message(hanging, { type: 'image', image: { id: never } }));
  await scene.untilSaid(hanging, 1, 15_000);
  expect(Date.now() - began).toBeGreaterThanOrEqual(WAIT_MS);
});

it('the card shows what was said, a board hears of it, and it is erased with its customer', async () => {
  const customer = newCustomer();
  await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  const { messageId } = await say({ text: 'Секретное\nсловцо', language: 'ru' }, { customer });
  await transcribed(messageId, 'ready');
  const { id, last_message_text: card } = await dialogOf(customer);
  expect(card).toBe('🎤 Секретное словцо');
  const told = await scene.query<{ body: object }>(
    `SELECT body FROM events WHERE thread_id = $1 AND type = 'message_transcribed'`,
    id,
  );
  expect(told).toMatchObject([{ body: { message_id: messageId, to: 'ready' } }]);
  await eventually(
    async () => (await scene.tracesOf('словцо')).some((trace) => trace.includes('thread_search')),
    10_000,
    'it is not found',
  );
  const exported = await scene.admin.admin('POST', `threads/thread_${id}/export`, {});
  expect(exported.text).toContain('Секретное\\nсловцо');
  await scene.model.clear();
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
  expect(await scene.tracesOf('словцо')).toEqual([]);
});

it('nothing is told of one whose message was deleted meanwhile', async () => {
  const customer = newCustomer();
  await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  const { messageId, id: original } = await say({ text: 'Забудьте', delay_ms: 1_500 }, { customer });
  await scene.tell(
    scene.number.message(customer, { type: 'revoke', revoke: { original_message_id: original } }),
  );
  await eventually(
    async () =>
      (
        await scene.query(
          `SELECT 1 FROM media x JOIN messages m ON m.media_id = x.id
                           WHERE m.id = $1 AND x.transcript_state = 'ready'`,
          messageId,
        )
      ).length === 1,
    10_000,
    'it was not transcribed',
  );
  expect((await shown(messageId)).media).toBeNull();
  const dialog = await dialogOf(customer);
  expect(dialog.last_message_text).toBe('');
  expect(await scene.log(dialog.id)).not.toContainEqual(expect.stringContaining('message_transcribed'));
});

it('a process that is killed meanwhile has it transcribed once more, and told once', async () => {
  const customer = newCustomer();
  await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  const { messageId, bytes } = await say({ act: 'hang' }, { customer });
  await eventually(async () => (await askedFor(bytes)).length === 1, 10_000, 'it was not asked for');
  await scene.model.hear({ text: 'Ещё раз', when: bytes.subarray(-36).toString(), times: null });
  const killed = scene.servers.pop();
  await killed?.kill('SIGKILL');
  await scene.addServer();
  await transcribed(messageId, 'ready');
  const { id } = await dialogOf(customer);
  const told = (await scene.log(id)).filter((entry) => entry.includes('message_transcribed'));
  expect([(await askedFor(bytes)).length, told.length]).toEqual([2, 1]);
});
