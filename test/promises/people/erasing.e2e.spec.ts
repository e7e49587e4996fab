import { createHash } from 'node:crypto';
import { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { stopWithClaim } from '../../support/faults/held.webhooks';
import { limits, QUICK_READERS } from '../../support/programs/test.limits';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { newCustomer } from '../../support/scenes/reply.scene';
import { CloudNumber, secondsAgo } from '../../support/stand-ins/cloud.webhooks';
import { answer } from '../../support/stand-ins/scripted.provider';
import { testExports } from './exporting.tests';

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

/** Rows of the other customer's dialog; work on it goes on meanwhile. */
const SHOWN = ['threads', 'messages', 'events', 'media'];
async function ofOther(threadId: string): Promise<string[]> {
  const { rows } = await scene.everything();
  const its = rows.filter(({ table, row }) => SHOWN.includes(table) && row.includes(threadId));
  return its.map(({ table, row }) => `${table} ${row}`).toSorted();
}

const LOADING = `SELECT 1 FROM messages m JOIN media x ON x.account_id = m.account_id AND x.id = m.media_id
  WHERE m.thread_id = $1 AND x.state = 'loading'`;
const untilFilesAreStored = (threadId: string) =>
  eventually(
    async () => (await scene.query(LOADING, threadId)).length === 0,
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

/** Calls whose ids name the customer: of a change, of one that begins a run, of one that is refused, and of an admin's. */
async function callByNames(threadId: string): Promise<void> {
  const name = plant('Given-Name');
  const calling = (words: string) => ({ 'X-Request-Id': plantExactly(`${words}-by-${(planted += 1)}`) });
  await scene.account.addScenario(scene.stage(1), true, [{ kind: 'wait', seconds: 3_600 }]);
  const { api, admin } = scene;
  await api.call('leads/set-name', { thread_id: threadId, name }, 'POST', calling(`+${PHONE}`));
  const move = { thread_id: threadId, status_id: scene.stage(1) };
  expect((await api.call('leads/set-status', move, 'POST', calling(`phone=${PHONE}`))).status).toBe(200);
  expect((await api.call('admin/accounts', undefined, 'GET', calling(`of:${PHONE}`))).status).toBe(403);
  await admin.call(`admin/threads/${threadId}/export`, {}, 'POST', calling(name.toUpperCase()));
}

async function sendByEveryWay(threadId: string): Promise<void> {
  const { api } = scene;
  await api.setName(threadId, plant('first given name'));
  await api.setName(threadId, plant('second given name'));
  await api.addNote(threadId, plant('note'));
  await callByNames(threadId);
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
    async () =>
      (await scene.query(`SELECT 1 FROM messages WHERE status IN ('queued', 'sending')`)).length === 0,
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
    async () => (await scene.query('SELECT 1 FROM threads WHERE attention_note = $1', reason)).length > 0,
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
  const edited = plantId();
  await scene.tell(
    scene.number.message({ phone: PHONE, userId: USER_ID, name: 'theirname' }, plant('before the edit'), {
      id: edited,
    }),
  );
  const message = { type: 'text', text: { body: plant('after the edit') } };
  await scene.tell(theirs({ type: 'edit', edit: { original_message_id: edited, message } }));
  await untilFilesAreStored(id);
  return id;
}

/** Reports on messages to the customer that another sender with the same number wrote: they wait for their message. */
async function reportOfOthers(): Promise<void> {
  const errors = [{ code: 131_026, title: plant(`${PHONE} cannot be reached`) }];
  await scene.tell(
    scene.number.status(plantId(), 'delivered', { recipient_id: PHONE }),
    scene.number.status('wamid.of-others', 'failed', { recipient_id: PHONE, errors }),
  );
  expect(await scene.query('SELECT 1 FROM parked_states')).toHaveLength(2);
}

/** What no call brings about at once: errors of steps and of files, and entries of the audit that name the customer. */
async function plantInColumns(id: string): Promise<void> {
  const failed = [{ index: 0, state: 'failed', error: { code: 'HTTP_FAILED', message: plant('answer') } }];
  await scene.query(
    'UPDATE scenario_runs SET progress = $2 WHERE thread_id = $1',
    id,
    JSON.stringify(failed),
  );
  await scene.query(
    'UPDATE media SET error = $2 WHERE id IN (SELECT media_id FROM messages WHERE thread_id = $1)',
    ...[id, plant('error of a file')],
  );
  const name = plantExactly('Erased-In-The-Audit');
  await scene.api.setName(`thread_${id}`, name);
  await scene.query(
    `INSERT INTO audit_entries (account_id, id, action, subject_type, subject_id, subject_name, before, after)
     SELECT $1::uuid, gen_random_uuid(), 'thread.export', 'thread', $2, $3, '{}'::jsonb, jsonb_build_object('names', ARRAY[$3::text])
     UNION ALL SELECT $1::uuid, gen_random_uuid(), 'key.update', 'key', NULL, $4, jsonb_build_object('name', $4::text), '{}'::jsonb`,
    ...[scene.account.id, id, name, plantExactly(`key of +${PHONE}`)],
  );
}

it('leaves nothing of the customer in any table nor in the store, and everything of the others', async () => {
  const id = await writeByEveryWay();
  const threadId = `thread_${id}`;
  await sendByEveryWay(threadId);
  const failed = await scene.query<{ provider_id: string }>(
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
  await reportOfOthers();
  await plantInColumns(id);
  const other = await scene.dialog(`+${OTHER}`);
  await scene.untilQuiet(other.id);
  const before = await scene.everything();
  const standing = [...plants].filter((text) => findIn(before, text).length > 0);
  expect([...plants].filter((text) => !standing.includes(text))).toEqual([]);
  expect(standing.length).toBeGreaterThanOrEqual(40);
  const othersBefore = await ofOther(other.id);
  const { status, body } = await scene.admin.call(`admin/threads/${threadId}/erase`, {}, 'POST', {
    'X-Request-Id': `erase-${PHONE}`,
  });
  expect([status, body.data]).toEqual([200, { thread_id: threadId, erased_at: expect.any(String) }]);
  const after = await scene.everything();
  expect([...plants].map((text) => [text, findIn(after, text)]).filter(([, found]) => found?.length)).toEqual(
    [],
  );
  expect(await scene.query('SELECT 1 FROM pg_largeobject_metadata')).toEqual([]);
  // The end of each run is told, as of one that a person cancels.
  const runs = await scene.query<{ id: string; told: object }>(
    `SELECT r.id, (SELECT jsonb_agg(e.body - 'by' - 'request_id') FROM events e
                    WHERE e.thread_id = r.thread_id AND e.body -> 'actor' ->> 'run_id' = r.id::text
                      AND e.body ->> 'to' IN ('done', 'failed', 'cancelled')) AS told
       FROM scenario_runs r WHERE r.thread_id = $1 AND r.reason = 'person'`,
    id,
  );
  expect(runs).toHaveLength(1);
  expect(runs[0]?.told).toEqual([
    expect.objectContaining({
      ...{ from: null, to: 'cancelled', note: 'person' },
      actor: expect.objectContaining({ type: 'scenario', run_id: runs[0]?.id }),
    }),
  ]);
  expect(await ofOther(other.id)).toEqual(othersBefore);
  expect(findIn(after, 'of the other customer')).toEqual(
    expect.arrayContaining(['messages', 'webhook_deliveries']),
  );
});

it('leaves the keys of other customers’ sends, however short the erased customer’s name is', async () => {
  const [phone, other] = ['77015550181', '77015550182'];
  const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  const toOther = { ...order, to: { phone: `+${other}` } };
  expect((await scene.api.sendTemplate({ ...order, to: { phone: `+${phone}` } })).status).toBe(200);
  expect((await scene.api.sendTemplate(toOther, { 'Idempotency-Key': 'a-key' })).status).toBe(200);
  const { id } = await scene.dialog(`+${phone}`);
  expect((await scene.api.setName(`thread_${id}`, 'A')).status).toBe(200);
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
  expect(await scene.query(`SELECT 1 FROM idempotency_keys WHERE key = 'a-key'`)).toHaveLength(1);
});

/** Addresses that the customer had before: each is looked for. */
const FORMER = ['77010000001', '77010000002', '77010000003'];
/** Each of 3 MiB. To search all of them at once takes twice as long as a statement may take. */
const MANY = 20;

/**
 * In each byte may begin a phone, and nowhere does.
 * @param insert into a table, of `body`
 */
const fill = (insert: string) =>
  scene.query(
    `WITH large AS MATERIALIZED (
       SELECT n, convert_to(repeat('7', 3 * 1024 * 1024) || n, 'UTF8') AS body FROM generate_series(1, $1::int) n) ${insert}`,
    MANY,
  );

/** A customer who is there, and has had other addresses. */
async function customerWithAddresses() {
  const customer = newCustomer();
  const thread = `thread_${await scene.write(customer, 'STOP')}`;
  await scene.query('UPDATE threads SET former_addresses = $2 WHERE id = $1', thread.slice(7), FORMER);
  return { customer, thread };
}

/** At a process whose statements may take a second, which soon gives up slow readers, and takes no webhook in. */
let impatient: ApiClient;

beforeAll(async () => {
  const short = limits({ 'database.statementMs': 1_000, 'readers.silenceMs': 2_000 });
  const { url } = await scene.addServer({ ROLE: 'api', ...QUICK_READERS, ...short });
  impatient = new ApiClient(url, scene.admin.key);
});

describe('however much there is of others', () => {
  it.each([
    [
      'came for whomever and is not taken in yet',
      `INSERT INTO webhook_deliveries (provider, body, due_at, received_at)
     SELECT 'cloud', body, 'infinity', now() - interval '1 hour' FROM large`,
    ],
    [
      'was taken in for whomever',
      `INSERT INTO webhook_deliveries (provider, body, state, received_at)
     SELECT 'cloud', body, 'done', now() - interval '1 hour' FROM large`,
    ],
    [
      'could not be taken in, whosever it is',
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at, created_at)
     SELECT gen_random_uuid(), 'cloud', n, '', 'unread', body, now(), now() - interval '1 hour' FROM large`,
    ],
  ])('a customer is erased, however much %s', async (_, insert) => {
    const { customer, thread } = await customerWithAddresses();
    const unread = { from: customer.phone, timestamp: String(secondsAgo(0)), type: 'text' };
    await scene.tell(scene.number.change('messages', { messages: [unread] }));
    await fill(insert);
    try {
      expect((await scene.erase(thread, impatient)).status).toBe(200);
      const kept = await scene.query<{ of: string }>(
        `SELECT 'webhook' AS of FROM webhook_deliveries WHERE position($1::bytea IN body) > 0
       UNION ALL SELECT 'reject' FROM webhook_rejects WHERE position($1::bytea IN item) > 0`,
        Buffer.from(customer.phone),
      );
      expect(kept).toEqual([]);
    } finally {
      await scene.query('TRUNCATE webhook_deliveries, webhook_rejects');
    }
  });
});

/** A number that nobody has connected. */
const STRANGERS = new CloudNumber('300000000000017');

describe('an export', () => testExports(scene, () => scene.urls[1] ?? ''));

// The last: the process stops.
it('a process that stood still with a webhook for longer than its lease brings nobody back who was erased meanwhile', async () => {
  const [phone, former, other] = ['77016780001', '77016780002', '77016780003'];
  const userId = 'KZ.99491208655302741918';
  const { number, database, server: taker } = scene;
  await scene.tell(number.message({ phone, userId, name: 'Zhanibek' }, 'STOP'));
  const { id } = await scene.dialog(`+${phone}`);
  await scene.addOutgoing(id, { status: 'sent', providerId: 'wamid.ours-before' });
  const timestamp = String(secondsAgo(0));
  await scene.holdBack(
    number.message({ phone, userId, name: 'Zhanibek' }, 'of the erased one'),
    number.message({ userId, name: 'Zhanibek' }, 'by the user id'),
    number.echo({ phone }, 'written in the app'),
    number.history({ phone }, [{ text: 'long ago', at: secondsAgo(86_400) }]),
    number.preference({ phone }, 'resume'),
    number.change('smb_app_state_sync', {
      state_sync: [
        { type: 'contact', action: 'add', contact: { full_name: 'Zhanibek', phone_number: phone } },
      ],
    }),
    number.message({ phone }, { type: 'system', system: { type: 'user_changed_number', wa_id: former } }),
    // Of ours, and of another system with the same number.
    number.status('wamid.ours-before', 'read', { recipient_id: phone }),
    number.status('wamid.of-another-system', 'delivered', { recipient_id: phone }),
    // Those cannot be taken in.
    number.change('messages', {
      messages: [{ from: phone, timestamp, type: 'text', text: { body: 'no id' } }],
    }),
    STRANGERS.message({ phone, name: 'Zhanibek' }, 'of an unknown number'),
    number.message({ phone: other }, 'STOP'),
  );
  await stopWithClaim(database.pool, taker);
  expect((await scene.erase(`thread_${id}`, impatient)).status).toBe(200);
  await taker.kill('SIGCONT');
  const isTaken = async () => (await scene.dialogs()).some(({ contact }) => contact === `+${other}`);
  await eventually(isTaken, DEADLINE_MS, 'the other customer’s message was not taken in');
  await scene.taken();
  // It ends when it has nothing in its hands any more.
  expect(await taker.stop()).toBe(0);
  const said = ['Zhanibek', 'wamid.ours-before', 'wamid.of-another-system', 'of the erased one'];
  expect(await scene.tracesOf(phone, former, userId, ...said)).toEqual([]);
  expect(await scene.messages((await scene.dialog(`+${other}`)).id)).toHaveLength(1);
});
