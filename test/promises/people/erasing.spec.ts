import { createHash } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { answer } from '../../support/stand-ins/scripted.provider';

const DEADLINE_MS = 15_000;
const PHONE = '77015550141';
const OTHER = '77015550142';
const USER_ID = 'KZ.13491208655302741918';

const scene = setErasureScene({ stages: [{}, {}, {}] });

/** Texts that tell of the customer, each found nowhere else. */
const plants = new Set<string>();
let planted = 0;
function plant(what: string): string {
  const text = `q${String((planted += 1)).padStart(3, '0')}x${what}`;
  plants.add(text);
  return text;
}
function plantExactly(text: string): string {
  plants.add(text);
  return text;
}

/** Ids of Meta have the customer's phone in them, in base64. */
const plantId = (): string => plantExactly(`wamid.HBgLNzcwMTU1NTAxNDEVAgAS${(planted += 1)}end`);

const query = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await scene.database.pool.query<T>(sql, values)).rows;

/** Rows of the other customer's dialog; work on it goes on meanwhile. */
const SHOWN = ['threads', 'messages', 'events', 'media'];
async function ofOther(threadId: string): Promise<string[]> {
  const { rows } = await scene.everything();
  const its = rows.filter(({ table, row }) => SHOWN.includes(table) && row.includes(threadId));
  return its.map(({ table, row }) => `${table} ${row}`).toSorted();
}

const untilFilesAreStored = (threadId: string) =>
  eventually(
    async () =>
      (
        await query(
          `SELECT 1 FROM messages m JOIN media x ON x.account_id = m.account_id AND x.id = m.media_id
            WHERE m.thread_id = $1 AND x.state = 'loading'`,
          threadId,
        )
      ).length === 0,
    DEADLINE_MS,
    'files were not stored',
  );

/** A customer's file: its bytes, its caption and its name. */
function fileOf(type: string, caption: string, bytes: string) {
  const id = `erased-file-${(planted += 1)}`;
  scene.both.has(id, Buffer.from(bytes), 'text/plain');
  return { type, [type]: { id, mime_type: 'text/plain', filename: plant('file-name.txt'), caption } };
}

const theirs = (content: string | object, name = 'theirname'): ReturnType<typeof scene.number.message> =>
  scene.number.message({ phone: PHONE, userId: USER_ID, name }, content, { id: plantId() });

async function sendByEveryWay(threadId: string): Promise<void> {
  const { api } = scene;
  await api.setName(threadId, plant('first given name'));
  await api.setName(threadId, plant('second given name'));
  await api.addNote(threadId, plant('note'));
  expect((await api.sendText(threadId, plant('operator text'))).status).toBe(200);
  const to = { phone: `+${PHONE}`, params: [plant('first param'), plant('second param')] };
  const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  const key = { 'Idempotency-Key': plant(`key-${PHONE}`) };
  const sent = await api.sendTemplate({ ...order, to }, key);
  expect([sent.status, sent.text]).toEqual([200, sent.text]);
  const others = [{ phone: `+${OTHER}`, params: ['other param'] }];
  await api.sendTemplate(
    { ...order, to: [{ ...to, params: [plant('listed param')] }, ...others] },
    {
      'Idempotency-Key': 'listed',
    },
  );
  await eventually(
    async () => (await query(`SELECT 1 FROM messages WHERE status IN ('queued', 'sending')`)).length === 0,
    DEADLINE_MS,
    'the list was not sent',
  );
  scene.provider.on(`+${PHONE}`, (response) =>
    answer(response, 400, {
      error: { message: plant('refusal'), code: 131_000, error_data: { details: plant('refusal details') } },
    }),
  );
  await api.sendText(threadId, plant('refused text'));
}

async function writeByEveryWay(): Promise<string> {
  await scene.model.reply({ text: plant('agent text'), when: 'first text' });
  await scene.tell(theirs(plant('first text'), plant('profile name')));
  const { id } = await scene.dialog(`+${PHONE}`);
  await scene.untilSaid({ phone: PHONE }, 1);
  const reason = plant('reason for a person');
  await scene.model.reply({
    tool_calls: [{ name: 'hand_over', arguments: { reason } }],
    when: 'a person please',
  });
  await scene.tell(theirs(plant('a person please')));
  await eventually(
    async () => (await query('SELECT 1 FROM threads WHERE attention_note = $1', reason)).length > 0,
    DEADLINE_MS,
    'the agent did not hand over',
  );
  await scene.tell(
    theirs(fileOf('document', plant('caption'), plantExactly('bytes of the first file, sixteen and more'))),
    theirs(fileOf('image', plant('image caption'), plant('bytes that are no image'))),
    theirs({
      type: 'location',
      location: { latitude: 43.2, longitude: 76.9, name: plant('place'), address: plant('address') },
    }),
    theirs({
      type: 'contacts',
      contacts: [{ name: { formatted_name: plant('friend') }, phones: [{ phone: '+77019998877' }] }],
    }),
    theirs({ type: 'button', button: { text: plant('button'), payload: plant('payload') } }),
    theirs({
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: plant('choice'), title: plant('chosen') } },
    }),
    theirs({
      type: 'unsupported',
      errors: [{ code: 131_051, title: plant('unsupported'), message: plant('why') }],
    }),
    theirs({
      ...{ type: 'text', text: { body: plant('advertised') } },
      referral: { headline: plant('headline'), body: plant('ad') },
    }),
    scene.number.echo({ phone: PHONE }, plant('written in the app'), plantId()),
    scene.number.change('smb_app_state_sync', {
      state_sync: [
        {
          type: 'contact',
          action: 'add',
          contact: { full_name: plant('address book'), phone_number: PHONE },
        },
      ],
    }),
    scene.number.history({ phone: PHONE }, [{ text: plant('long ago'), at: 1_790_000_000 }]),
    // Without a type it cannot be taken in.
    scene.number.change('messages', {
      contacts: [{ wa_id: PHONE, profile: { name: plant('name of a reject') } }],
      messages: [{ from: PHONE, id: plantId(), timestamp: 'never', type: 7, note: plant('reject') }],
    }),
    scene.number.message({ phone: OTHER, name: 'Bota' }, 'of the other customer'),
  );
  await untilFilesAreStored(id);
  return id;
}

it('leaves nothing of the customer in any table nor in the store, and everything of the others', async () => {
  const id = await writeByEveryWay();
  const threadId = `thread_${id}`;
  await sendByEveryWay(threadId);
  const failed = await query<{ provider_id: string }>(
    `SELECT provider_id FROM messages WHERE thread_id = $1 AND NOT inbound AND provider_id IS NOT NULL`,
    id,
  );
  const [last] = failed;
  await scene.tell(
    scene.number.status(plantExactly(String(last?.provider_id)), 'failed', {
      recipient_id: PHONE,
      errors: [
        { code: 131_026, title: plant('failed later'), error_data: { details: plant('failure details') } },
      ],
    }),
  );
  for (const word of [
    PHONE,
    USER_ID,
    createHash('sha256').update('bytes of the first file, sixteen and more').digest('hex'),
  ])
    plantExactly(word);
  const other = await scene.dialog(`+${OTHER}`);
  await scene.untilQuiet(other.id);
  const before = await scene.everything();
  const standing = [...plants].filter((text) => findIn(before, text).length > 0);
  expect([...plants].filter((text) => !standing.includes(text))).toEqual([]);
  expect(standing.length).toBeGreaterThanOrEqual(40);
  const othersBefore = await ofOther(other.id);
  const { status, body } = await scene.erase(threadId);
  expect([status, body.data]).toEqual([200, { thread_id: threadId, erased_at: expect.any(String) }]);
  const after = await scene.everything();
  expect([...plants].map((text) => [text, findIn(after, text)]).filter(([, found]) => found?.length)).toEqual(
    [],
  );
  expect(await query('SELECT 1 FROM pg_largeobject_metadata')).toEqual([]);
  expect(await ofOther(other.id)).toEqual(othersBefore);
  expect(findIn(after, 'of the other customer')).toEqual(
    expect.arrayContaining(['messages', 'webhook_deliveries']),
  );
});

describe('afterwards', () => {
  const phone = '77015550151';
  let threadId: string;

  beforeAll(async () => {
    await scene.tell(scene.number.message({ phone, name: 'Sayan' }, 'Hello', { id: 'wamid.erased-before' }));
    threadId = `thread_${(await scene.dialog(`+${phone}`)).id}`;
    await scene.untilSaid({ phone }, 1);
    expect((await scene.erase(threadId)).status).toBe(200);
  });

  it('boards and lists show the skeleton, closed', async () => {
    const { body } = await scene.api.getThreads({ assistant_id: scene.account.assistantId, limit: 100 });
    const shown = (body.data.threads as { thread_id: string }[]).find(
      (thread) => thread.thread_id === threadId,
    );
    expect(shown).toMatchObject({
      ...{
        phone: null,
        customer_name: null,
        erased_at: expect.any(String),
        ai_enabled: false,
        opted_out: true,
      },
      ...{ unread_count: 0, waiting: false, attention: null },
    });
    const history = await scene.api.getHistory({ thread_id: threadId });
    expect(history.body.data.entries[0]).toMatchObject({ type: 'erased', actor: { type: 'key' } });
  });

  it('the audit says who erased it, and erasing again answers the same and adds no entry', async () => {
    const first = await scene.erase(threadId);
    const second = await scene.erase(threadId);
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    const sql = `SELECT action, subject_id, actor_type, after FROM audit_entries WHERE subject_id = $1`;
    const id = threadId.replace('thread_', '');
    const messages = (await query('SELECT 1 FROM messages WHERE thread_id = $1', id)).length;
    expect(await query(sql, id)).toEqual([
      { action: 'thread.erase', subject_id: id, actor_type: 'key', after: { messages, files: 0 } },
    ]);
  });

  it('nobody writes there: texts are refused, and neither a name nor a note can be given', async () => {
    const text = await scene.api.sendText(threadId, 'Hello?');
    expect([text.status, text.body.error.code]).toEqual([409, 'THREAD_ERASED']);
    for (const refused of [
      await scene.api.setName(threadId, 'Sayan'),
      await scene.api.addNote(threadId, 'Sayan'),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([409, 'THREAD_ERASED']);
  });

  it('a webhook that comes again changes nothing, and a later message opens another dialog', async () => {
    const opened = async (): Promise<number> =>
      (await query('SELECT 1 FROM threads WHERE phone = $1', `+${phone}`)).length;
    await scene.tell(scene.number.message({ phone }, 'Hello', { id: 'wamid.erased-before' }));
    expect(await opened()).toBe(0);
    await scene.tell(scene.number.message({ phone }, 'It is me again'));
    expect(await opened()).toBe(1);
    expect((await scene.dialog(`+${phone}`)).opted_out).toBe(false);
  });

  it('a dialog that does not exist is 404, and so is an id of another form', async () => {
    for (const id of ['thread_019a0000-0000-7000-8000-000000000000', 'nothing'])
      expect((await scene.erase(id)).body.error.code).toBe('THREAD_NOT_FOUND');
  });
});

it('an opt-out holds for the next dialog, whichever way it is opened, and a START ends it', async () => {
  const [writes, isSentTo] = ['77015550161', '77015550162'];
  for (const phone of [writes, isSentTo]) {
    await scene.tell(scene.number.message({ phone }, 'STOP'));
    expect((await scene.erase(`thread_${(await scene.dialog(`+${phone}`)).id}`)).status).toBe(200);
  }
  const kept = await scene.everything();
  expect([findIn(kept, writes), findIn(kept, isSentTo)]).toEqual([[], []]);
  await scene.tell(scene.number.message({ phone: writes }, 'Hello'));
  await scene.api.sendTemplate({
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
    to: { phone: `+${isSentTo}` },
  });
  for (const phone of [writes, isSentTo])
    expect(await scene.dialog(`+${phone}`)).toMatchObject({ opted_out: true, ai_enabled: false });
  await scene.tell(scene.number.message({ phone: writes }, 'START'));
  expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
  expect((await scene.erase(`thread_${(await scene.dialog(`+${writes}`)).id}`)).status).toBe(200);
  await scene.tell(scene.number.message({ phone: writes }, 'Hello once more'));
  expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
});
