import { randomUUIDv7 } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { AgentLimits } from '@app/domain/agent/reply-run';
import type { EventNotifier } from '@app/domain/events/event-notifier.service';
import type { MediaNotices } from '@app/domain/media/media-files.service';
import { OptOuts } from '@app/domain/messages/dialog/opt-outs.service';
import { CustomerMessageHandler } from '@app/domain/webhooks/handlers/customer-message.handler';
import { MessageRevisions } from '@app/domain/webhooks/message-revisions.service';
import { ownOptWords } from '@app/domain/webhooks/opt-out.words';
import type { CustomerMessage, MessageBody } from '@app/domain/webhooks/provider-events';
import type { WebhookNumber } from '@app/domain/webhooks/webhook-source';
import { Database, WorkDatabase } from '@app/persistence/database/database.service';
import { RevisionRepository } from '@app/persistence/messages/delivery/revision.repository';
import { CustomerRepository } from '@app/persistence/messages/incoming/customer.repository';
import { IncomingRepository } from '@app/persistence/messages/incoming/incoming.repository';
import { OptOutRepository } from '@app/persistence/messages/incoming/opt-out.repository';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

let database: TestDatabase;
let account: AccountFixture;
let at: WebhookNumber;
let revisions: RevisionRepository;
let handler: CustomerMessageHandler;
/** The files that were told of to whoever fetches them. */
const told: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  account = await AccountFixture.create(database.pool);
  at = {
    ...{ accountId: account.id, botId: account.botId, channel: 'waba_coexistence' },
    optWords: ownOptWords([], []),
  };
  const pooled = new Database(database.pool, new InFlightLimiter(1));
  const work = new WorkDatabase(database.pool);
  const customers = new CustomerRepository(pooled);
  const notifier = { notify: () => undefined } as unknown as EventNotifier;
  const media = {
    cameBy: (_: string, { file }: { file: { id: string } | null }) => file && told.push(file.id),
  } as unknown as MediaNotices;
  const limits = new AgentLimits(false, 0, 1, false, 0);
  revisions = new RevisionRepository(pooled, work);
  handler = new CustomerMessageHandler(
    new IncomingRepository(pooled, work, customers),
    customers,
    notifier,
    media,
    limits,
    new MessageRevisions(revisions, limits, notifier, media),
    new OptOuts(new OptOutRepository(pooled), notifier),
  );
});

afterAll(() => database?.drop());

/** Nothing is kept of webhooks that are not held. */
async function held() {
  const { rows } = await database.pool.query<{ webhook: string; heldBy: string }>(
    `INSERT INTO webhook_deliveries (provider, body, due_at, lease_token, lease_until)
     VALUES ('cloud', '', 'infinity', gen_random_uuid(), 'infinity') RETURNING id::text AS webhook, lease_token AS "heldBy"`,
  );
  const [{ webhook, heldBy } = { webhook: '', heldBy: '' }] = rows;
  return { receivedAt: new Date().toISOString(), position: 0, webhook, heldBy };
}

const text = (words: string): MessageBody => ({ type: 'text', text: words, content: {}, words: [words] });
const image = (caption: string): MessageBody => ({
  ...{ type: 'image', text: caption, words: [caption] },
  content: { media: { id: 'file-1', mime_type: 'image/jpeg' }, replies_to: 'wamid.before' },
});

let customers = 0;

/** A customer who edits a message. */
function scene() {
  customers += 1;
  const phone = `+7701000${String(customers).padStart(4, '0')}`;
  const from = { phone, userId: null, waId: null, name: null };
  const [originalId, editId] = [randomUUIDv7(), randomUUIDv7()];
  const says = async (messageId: string, body: MessageBody, secondsAgo = 0): Promise<void> => {
    const sentAt = new Date(Date.now() - secondsAgo * 1_000);
    const event: CustomerMessage = { kind: 'message', number: null, from, messageId, sentAt, body };
    expect(await handler.apply(at, event, await held())).toBe(false);
  };
  const edited = (now: MessageBody): MessageBody => ({
    ...{ ...now, type: 'edit' },
    content: { ...now.content, original_message_id: originalId, edited_type: now.type },
  });
  return {
    original: (body: MessageBody) => says(originalId, body, 60),
    edit: (now: MessageBody) => says(editId, edited(now)),
    says: (words: string, secondsAgo = 0) => says(randomUUIDv7(), text(words), secondsAgo),
    /** What a process leaves that is killed before it keeps the edit. */
    async parked(now: MessageBody): Promise<void> {
      await revisions.park(at, {
        ...{ originalId, id: editId, byCustomer: true, sentAt: new Date(), arrival: await held() },
        ...{ customer: { contact: phone, userId: null }, now: { ...now, lines: null } },
      });
    },
    async history() {
      const { rows } = await database.pool.query<{ body: { from: string; to: string } }>(
        `SELECT e.body FROM events e JOIN threads t ON t.account_id = e.account_id AND t.id = e.thread_id
          WHERE t.contact = $1 AND e.type = 'message_edited' ORDER BY e.seq`,
        [phone],
      );
      return rows.map(({ body: { from: was, to } }) => [was, to]);
    },
    async messages() {
      const { rows } = await database.pool.query<Record<string, unknown>>(
        `SELECT m.type, m.text, m.content ->> 'replies_to' AS replies_to, f.provider_ref AS file, f.state, f.id AS file_id
           FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
           LEFT JOIN media f ON f.account_id = m.account_id AND f.id = m.media_id
          WHERE t.contact = $1 ORDER BY m.created_at`,
        [phone],
      );
      return rows;
    },
    async isOptedOut() {
      const { rows } = await database.pool.query<{ opted_out: boolean }>(
        'SELECT opted_out FROM threads WHERE contact = $1',
        [phone],
      );
      return rows;
    },
  };
}

describe('an edit whose process was killed before it was kept', () => {
  it.each([
    ['after the original', ['original', 'edit', 'original', 'original']],
    ['after the original, twice', ['original', 'original', 'edit', 'original']],
    ['before the original', ['edit', 'original', 'original', 'edit', 'original']],
    ['twice', ['edit', 'edit', 'original', 'edit', 'original']],
  ] as const)('is told of once where it comes again %s', async (_, order) => {
    const customer = scene();
    await customer.parked(text('now'));
    for (const each of order)
      await (each === 'edit' ? customer.edit(text('now')) : customer.original(text('before')));
    expect(await customer.history()).toEqual([['before', 'now']]);
    expect(await customer.messages()).toMatchObject([{ type: 'text', text: 'now' }]);
  });
});

describe('an original that comes after its edit', () => {
  it.each([
    ['other words', 'now'],
    ['the same words', 'before'],
  ])('brings its file and what it replies to, with %s', async (_, words) => {
    const customer = scene();
    await customer.edit(text(words));
    for (let times = 0; times < 2; times++) await customer.original(image('before'));
    const messages = await customer.messages();
    expect(messages).toMatchObject([
      { type: 'image', text: words, replies_to: 'wamid.before', file: 'file-1', state: 'loading' },
    ]);
    expect(told).toContain(messages[0]?.file_id);
    expect(await customer.history()).toEqual(words === 'now' ? [['before', 'now']] : []);
  });

  it('brings no file where the edit has its own', async () => {
    const customer = scene();
    await customer.edit({ ...image('now'), content: { media: { id: 'file-2' } } });
    await customer.original(image('before'));
    expect(await customer.messages()).toMatchObject([{ type: 'image', text: 'now', file: 'file-2' }]);
  });

  it('opts out where it said STOP, until a later START', async () => {
    const customer = scene();
    await customer.edit(text('Stop by tomorrow'));
    expect(await customer.isOptedOut()).toEqual([{ opted_out: false }]);
    await customer.original(text('STOP'));
    expect(await customer.isOptedOut()).toEqual([{ opted_out: true }]);
    await customer.says('START');
    await customer.original(text('STOP'));
    expect(await customer.isOptedOut()).toEqual([{ opted_out: false }]);
  });

  it('does not opt out where a START is newer', async () => {
    const customer = scene();
    await customer.edit(text('Stop by tomorrow'));
    await customer.says('START', 30);
    await customer.original(text('STOP'));
    expect(await customer.isOptedOut()).toEqual([{ opted_out: false }]);
  });
});
