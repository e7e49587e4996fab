import { randomUUID } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { ReplyRepository } from '@app/persistence/agent/reply.repository';
import { Database, ReservedDatabase, WorkDatabase } from '@app/persistence/database/database.service';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';

const LEASE_MS = 60_000;
const OFF = {
  state: 'discarded',
  entry: { type: 'reply_discarded', reason: 'off' },
} as const;

let database: TestDatabase;
let account: AccountFixture;
let replies: ReplyRepository;

beforeAll(async () => {
  database = await createDatabase();
  account = await AccountFixture.create(database.pool);
  await account.connect();
  const slots = new InFlightLimiter(4);
  replies = new ReplyRepository(
    new Database(database.pool, slots),
    new ReservedDatabase(database.pool, slots),
    new WorkDatabase(database.pool),
  );
});

afterAll(async () => {
  await database?.drop();
});

/** A reply that is due in a dialog whose customer waits. */
async function dueReply() {
  const threadId = uuidOf(await account.addThread({ waitingMinutes: 5 }));
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO replies (account_id, thread_id, message_id, epoch, due_at)
     SELECT account_id, id, waiting_message_id, ai_epoch, clock_timestamp() FROM threads WHERE id = $1 RETURNING id::text`,
    [threadId],
  );
  return { threadId, replyId: rows[0]!.id };
}

/** A process claims it, or another one whose lease has run out. */
async function claim(replyId: string) {
  const held = { accountId: account.id, replyId, token: randomUUID() };
  const claimed = await replies.claim(held, LEASE_MS, 10, 0);
  if (!claimed) throw new Error('it could not be claimed');
  return { held, claimed };
}

const set = (table: string, change: string, id: string) =>
  database.pool.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [id]);

async function discardsOf(threadId: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM events WHERE thread_id = $1 AND type = 'reply_discarded'`,
    [threadId],
  );
  return rows[0]!.n;
}

describe('a reply that is discarded by the process that began it', () => {
  it('is told of once, though another one has taken it over and discards it too', async () => {
    const { threadId, replyId } = await dueReply();
    const first = await claim(replyId);
    await set('threads', 'ai_enabled = false, ai_epoch = ai_epoch + 1', threadId);
    await set('replies', 'lease_until = clock_timestamp()', replyId);
    const second = await claim(replyId);
    await replies.finish(first.held, first.claimed, OFF);
    await replies.finish(second.held, second.claimed, OFF);
    expect(await discardsOf(threadId)).toBe(1);
  });

  it('is told of, though its message has been taken up anew meanwhile', async () => {
    const { threadId, replyId } = await dueReply();
    const first = await claim(replyId);
    await set('threads', 'ai_epoch = ai_epoch + 2', threadId);
    await set('replies', 'epoch = epoch + 2, lease_token = NULL, lease_until = NULL, attempts = 0', replyId);
    await replies.finish(first.held, first.claimed, OFF);
    expect(await discardsOf(threadId)).toBe(1);
  });

  it('is not told of, where another one has taken it over and may answer', async () => {
    const { threadId, replyId } = await dueReply();
    const first = await claim(replyId);
    await set('replies', 'lease_until = clock_timestamp()', replyId);
    await claim(replyId);
    await replies.finish(first.held, first.claimed, {
      ...OFF,
      entry: { ...OFF.entry, reason: 'superseded' },
    });
    expect(await discardsOf(threadId)).toBe(0);
  });
});

it('a claim whose process dies is no failure of the model', async () => {
  const { replyId } = await dueReply();
  await claim(replyId);
  await set('replies', 'lease_until = clock_timestamp()', replyId);
  const { held } = await claim(replyId);
  await replies.later(held, { inMs: 0, counts: 'model' });
  const { claimed } = await claim(replyId);
  expect(claimed).toMatchObject({ attempts: 3, model_failures: 1 });
});
