import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { CloudNumber, cloudBody, postGupshup, secondsAgo } from '../../support/stand-ins/cloud.webhooks';

/** A number that nobody has connected. */
const STRANGERS = new CloudNumber('300000000000017');

const scene = setErasureScene();

let lastPhone = 77016770000;
const somePhone = (): string => String((lastPhone += 1));

/** A message of ours to an erased customer, by what its provider called it. */
interface ErasedMessage {
  phone: string;
  threadId: string;
  id: string;
  providerId: string;
  whatsappId: string;
}

const tellGupshup = async (body: object): Promise<void> => {
  const { status } = await postGupshup(scene.server, scene.account.botId, body);
  expect(status).toBe(200);
  await scene.taken();
};

const gupshup = (type: string, payload: object): object => ({
  ...{ app: 'ClinicApp', timestamp: Date.now(), version: 2, type, payload },
});

/** Who writes STOP is answered by nobody. */
async function writeBy(channel: Channel, phone: string): Promise<void> {
  if (channel === 'waba_coexistence') return scene.tell(scene.number.message({ phone }, 'STOP'));
  const sender = { phone, name: 'Aida', country_code: '7', dial_code: phone.slice(1) };
  const message = { id: `in-${phone}`, source: phone, type: 'text', payload: { text: 'STOP' }, sender };
  await tellGupshup(gupshup('message', message));
}

async function eraseAfterSending(channel: Channel): Promise<ErasedMessage> {
  const phone = somePhone();
  await writeBy(channel, phone);
  const { id: threadId } = await scene.dialog(`+${phone}`);
  // An id of Meta has the phone in it.
  const whatsappId = `wamid.${Buffer.from(phone).toString('base64')}.${randomUUIDv7()}`;
  const providerId = channel === 'waba' ? randomUUIDv7() : whatsappId;
  const id = randomUUIDv7();
  await scene.query(
    `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, provider_id, whatsapp_id)
     SELECT account_id, $2, id, bot_id, channel, 'SYSTEM', 'ours', 'sent', $3, $4 FROM threads WHERE id = $1`,
    ...[threadId, id, providerId, channel === 'waba' ? whatsappId : null],
  );
  expect((await scene.erase(`thread_${threadId}`)).status).toBe(200);
  return { phone, threadId, id, providerId, whatsappId };
}

/** What is left of the dialog. Figures are counted from it meanwhile. */
async function rowsOf(threadId: string): Promise<string[]> {
  const { rows } = await scene.everything();
  const its = rows.filter(
    ({ table, row }) => ['threads', 'messages', 'events'].includes(table) && row.includes(threadId),
  );
  return its.map(({ table, row }) => `${table} ${row}`).toSorted();
}

async function expectNothingOf(...words: string[]): Promise<void> {
  const kept = await scene.everything();
  expect(words.map((word) => findIn(kept, word))).toEqual(words.map(() => []));
}

const errors = [{ code: 131_026, title: 'cannot be reached' }];

/** As Meta tells of a message of ours. */
function cloudReport(
  { phone, providerId }: ErasedMessage,
  status: string,
  reference?: string,
): ReturnType<CloudNumber['change']> {
  const told = {
    ...{ id: providerId, status, timestamp: String(secondsAgo(0)), recipient_id: phone },
    ...{ biz_opaque_callback_data: reference, errors: status === 'failed' ? errors : undefined },
  };
  const contacts = [{ wa_id: phone, profile: { name: 'Aida' } }];
  return scene.number.change('messages', { contacts, statuses: [told] });
}

beforeAll(() => scene.account.connect('waba', { sender: '77270000001' }));

describe.each(['delivered', 'read', 'failed'])(
  'a report "%s" about a message to an erased customer',
  (state) => {
    it.each<[string, Channel, (message: ErasedMessage) => Promise<void>]>([
      ['Meta', 'waba_coexistence', (message) => scene.tell(cloudReport(message, state))],
      [
        'Meta with our reference',
        'waba_coexistence',
        (message) => scene.tell(cloudReport(message, state, message.id)),
      ],
      [
        'Gupshup',
        'waba',
        ({ phone, providerId, whatsappId }) => {
          const payload = state === 'failed' ? { code: 1002, reason: `${phone} is no number` } : { ts: 1 };
          const event = { id: whatsappId, gsId: providerId, type: state, destination: phone, payload };
          return tellGupshup(gupshup('message-event', event));
        },
      ],
      [
        'Gupshup without its own id',
        'waba',
        ({ phone, whatsappId }) => {
          const event = { id: whatsappId, type: state, destination: phone, payload: { ts: 1 } };
          return tellGupshup(gupshup('message-event', event));
        },
      ],
      [
        'Gupshup in the format of Meta',
        'waba',
        ({ phone, providerId, whatsappId }) => {
          const ids = { id: providerId, gs_id: providerId, meta_msg_id: whatsappId };
          const status = { ...ids, status: state, timestamp: secondsAgo(0), recipient_id: phone };
          const value = { messaging_product: 'whatsapp', statuses: [status] };
          return tellGupshup({
            gs_app_id: 'app',
            entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
          });
        },
      ],
    ])('of %s changes nothing and is not kept', async (_provider, channel, tell) => {
      const message = await eraseAfterSending(channel);
      const before = await rowsOf(message.threadId);
      await tell(message);
      const { phone, providerId, whatsappId, threadId } = message;
      await expectNothingOf(phone, providerId, whatsappId);
      expect(await rowsOf(threadId)).toEqual(before);
      expect(await scene.query('SELECT 1 FROM parked_states')).toEqual([]);
    });
  },
);

it('a report with our reference is known when marks of messages are kept no more', async () => {
  const message = await eraseAfterSending('waba_coexistence');
  await scene.query('DELETE FROM webhook_marks');
  await scene.tell(cloudReport(message, 'read', message.id));
  await expectNothingOf(message.phone, message.providerId);
});

describe('a webhook with such a report', () => {
  it('is taken in as to other customers, and what it says of them stays', async () => {
    const message = await eraseAfterSending('waba_coexistence');
    const [other, rejected] = [somePhone(), somePhone()];
    await scene.tell(
      cloudReport(message, 'read'),
      scene.number.message({ phone: other }, 'STOP'),
      scene.number.change('messages', {
        contacts: [{ wa_id: rejected }],
        // Without an id it cannot be taken in.
        messages: [{ from: rejected, timestamp: String(secondsAgo(0)), type: 'text', text: { body: 'x' } }],
      }),
    );
    await expectNothingOf(message.phone, message.providerId);
    expect((await scene.dialog(`+${other}`)).opted_out).toBe(true);
    const kept = await scene.everything();
    expect(findIn(kept, other)).toContain('webhook_deliveries');
    expect(findIn(kept, rejected)).toEqual(expect.arrayContaining(['webhook_deliveries', 'webhook_rejects']));
    expect(await scene.query(`SELECT 1 FROM webhook_deliveries WHERE state <> 'done'`)).toEqual([]);
  });

  it('leaves paths of rejects right, which can be taken in again', async () => {
    const message = await eraseAfterSending('waba_coexistence');
    const phone = somePhone();
    const late = STRANGERS.message({ phone }, 'STOP');
    await scene.tell(cloudReport(message, 'read'), late);
    const { account, database } = scene;
    await database.pool.query(
      `INSERT INTO bot_channels (account_id, bot_id, channel, sender, settings)
       VALUES ($1, $2, 'waba_coexistence', $3, '{}') ON CONFLICT DO NOTHING`,
      [account.id, await account.addBot(), STRANGERS.phoneNumberId],
    );
    const [reject] = await scene.query<{ id: string }>(
      `SELECT id FROM webhook_rejects WHERE position($1::bytea IN item) > 0`,
      Buffer.from(phone),
    );
    const { body } = await scene.admin.admin('POST', `webhook-rejects/${reject?.id}/retry`, {});
    expect(body.data).toMatchObject({ taken_in: true });
    expect((await scene.dialog(`+${phone}`)).opted_out).toBe(true);
  });
});

it('a message that comes again is not kept, whoever wrote it and wherever', async () => {
  const phone = somePhone();
  const ids = ['theirs', 'echoed', 'past'].map((what) => `wamid.${what}.${phone}`) as [
    string,
    string,
    string,
  ];
  const changes = [
    scene.number.message({ phone, name: 'Aida' }, 'STOP', { id: ids[0] }),
    scene.number.echo({ phone }, 'written in the app', ids[1]),
    scene.number.history({ phone }, [{ text: 'long ago', at: secondsAgo(60 * 86_400), id: ids[2] }]),
  ];
  await scene.tell(...changes);
  const { id } = await scene.dialog(`+${phone}`);
  expect(await scene.messages(id)).toHaveLength(3);
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
  for (const change of changes) {
    await scene.tellRaw(cloudBody([change]));
    await expectNothingOf(phone);
  }
});

describe('a message that is changed or taken back after its customer was erased', () => {
  const named = (phone: string): object[] => [{ wa_id: phone, profile: { name: 'Aida' } }];
  const change = (type: string, original: string): object =>
    type === 'revoke'
      ? { type, revoke: { original_message_id: original } }
      : {
          type,
          edit: { original_message_id: original, message: { type: 'text', text: { body: 'written anew' } } },
        };
  const head = (): object => ({ id: `wamid.${randomUUIDv7()}`, timestamp: String(secondsAgo(0)) });

  it.each(['edit', 'revoke'])('brings nothing of them back: %s by the customer', async (type) => {
    const { phone, providerId } = await eraseAfterSending('waba_coexistence');
    const messages = [{ ...head(), from: phone, ...change(type, providerId) }];
    await scene.tell(scene.number.change('messages', { contacts: named(phone), messages }));
    await expectNothingOf(phone, 'written anew');
  });

  it.each(['edit', 'revoke'])('brings nothing of them back: %s in the phone’s app', async (type) => {
    const { phone, providerId } = await eraseAfterSending('waba_coexistence');
    const message_echoes = [{ ...head(), to: phone, ...change(type, providerId) }];
    await scene.tell(scene.number.change('smb_message_echoes', { message_echoes }));
    await expectNothingOf(phone, 'written anew');
  });
});
