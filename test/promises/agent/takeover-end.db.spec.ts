import { randomUUID } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
import { ControlRepository } from '@app/persistence/messages/incoming/handover.repository';
import { Database, WorkDatabase } from '@app/persistence/database/database.service';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';
import { SECRETS } from '../../support/programs/server.process';

const MUTES = 1;
const ABILITY = { hasModel: true, cipherKeyId: new AesChannelCipher(SECRETS.ENCRYPTION_KEY).keyId };
const ANSWERED = { attention: null, replies: 1, asked: 0 };
const ASKED = { attention: 'nobody_answered', replies: 0, asked: 1 };

type Thread = NonNullable<Parameters<AccountFixture['addThread']>[0]>;

let database: TestDatabase;
let account: AccountFixture;
let takeovers: TakeoverRepository;
let control: ControlRepository;

beforeAll(async () => {
  database = await createDatabase();
  account = await AccountFixture.create(database.pool, [{}, { aiEnabled: false }]);
  await account.connect();
  await database.pool.query(`UPDATE accounts SET takeover_end = 'answer'`);
  const connection = new Database(database.pool, new InFlightLimiter(4));
  takeovers = new TakeoverRepository(connection, new WorkDatabase(database.pool));
  control = new ControlRepository(connection);
});

afterAll(async () => {
  await database?.drop();
});

/** In what a dialog was before it is the agent's again, and how it becomes that. */
const WAYS = {
  'the end of a takeover': {
    before: 'takeover_until = clock_timestamp()',
    end: async (_: string, ability: typeof ABILITY) =>
      expect(await takeovers.returnDue(10, ability)).toBeGreaterThan(0),
  },
  'the return from another AI': {
    before: 'conducted_elsewhere = true',
    end: async (thread: string, ability: typeof ABILITY) => {
      const { rows } = await database.pool.query<{ bot_id: string; contact: string }>(
        'SELECT bot_id, contact FROM threads WHERE id = $1',
        [thread],
      );
      const [{ bot_id: botId, contact }] = rows as [(typeof rows)[0]];
      const at = { accountId: account.id, botId, channel: 'waba_coexistence' as const };
      const address = { contact, phone: contact, userId: null, waId: null, name: null, username: null };
      const report = { elsewhere: false, reportedAt: null };
      const arrival = {
        receivedAt: new Date().toISOString(),
        position: 0,
        webhook: '1',
        heldBy: randomUUID(),
      };
      expect(await control.report(at, address, report, ability, arrival)).toBe(true);
    },
  },
};

type Way = (typeof WAYS)[keyof typeof WAYS];

/** What became of a dialog whose customer waits, when it was the agent's again. */
async function atTheEnd(
  way: Way,
  given: Thread = {},
  botId = account.botId,
  ability = ABILITY,
): Promise<unknown> {
  const waiting = { waitingMinutes: 5, ...given };
  return endOf(way, uuidOf(await account.addThread(waiting, account.assistantId, botId)), ability);
}

async function endOf({ before, end }: Way, thread: string, ability = ABILITY): Promise<unknown> {
  await database.pool.query(`UPDATE threads SET ${before} WHERE id = $1`, [thread]);
  await end(thread, ability);
  const { rows } = await database.pool.query(
    `SELECT attention, (SELECT count(*)::int FROM replies r WHERE r.thread_id = t.id AND r.state = 'due') AS replies,
            (SELECT count(*)::int FROM events e WHERE e.thread_id = t.id AND e.type = 'attention') AS asked
       FROM threads t WHERE t.id = $1 AND t.takeover_until IS NULL AND NOT t.conducted_elsewhere`,
    [thread],
  );
  return rows[0];
}

describe.each(Object.entries(WAYS))('%s, where the agent is to answer', (_name, way) => {
  it('has the waiting message taken up, and asks for nobody', async () => {
    expect(await atTheEnd(way)).toEqual(ANSWERED);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the stage mutes the agent', () => atTheEnd(way, { statusId: account.stages[MUTES] })],
    ['the message is older than a day', () => atTheEnd(way, { waitingMinutes: 1_441 })],
    ['the number is down', async () => atTheEnd(way, {}, await account.addBot())],
    [
      'the key of the number is another one',
      () => atTheEnd(way, {}, undefined, { ...ABILITY, cipherKeyId: 'x' }),
    ],
    ['there is no model', () => atTheEnd(way, {}, undefined, { ...ABILITY, hasModel: false })],
  ])('asks for a person where %s', async (_, ending) => {
    expect(await ending()).toEqual(ASKED);
  });

  it('asks for a person where an answer of which a part was sent is not over yet', async () => {
    const thread = uuidOf(await account.addThread({ waitingMinutes: 5 }));
    await database.pool.query(
      `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, part_sent, due_at)
       SELECT account_id, id, waiting_message_id, ai_epoch, 'due', true, clock_timestamp() FROM threads WHERE id = $1`,
      [thread],
    );
    expect(await endOf(way, thread)).toEqual({ ...ASKED, replies: 1 });
  });

  it('asks for nobody where nobody waits, or the agent is off', async () => {
    const quiet = { ...ASKED, attention: null, asked: 0 };
    expect(await atTheEnd(way, { waitingMinutes: undefined })).toEqual(quiet);
    expect(await atTheEnd(way, { aiEnabled: false, statusId: account.stages[MUTES] })).toEqual(quiet);
  });
});

describe('the end of a takeover that goes on, where the account has it so', () => {
  const KEPT = { attention: 'nobody_answered', asked: 1, until: 'infinity', grown: 2 };

  beforeAll(() => database.pool.query(`UPDATE accounts SET takeover_end = 'keep'`));

  async function keptOf(thread: string): Promise<unknown> {
    const { rows } = await database.pool.query(
      `SELECT attention, takeover_until::text AS until, (version - 1)::int AS grown,
              (SELECT count(*)::int FROM events e WHERE e.thread_id = t.id AND e.type = 'attention') AS asked
         FROM threads t WHERE t.id = $1`,
      [thread],
    );
    return rows[0];
  }

  it('is written once, without another end, and a person is asked for', async () => {
    const thread = uuidOf(await account.addThread({ waitingMinutes: 5 }));
    await database.pool.query('UPDATE threads SET takeover_until = clock_timestamp() WHERE id = $1', [
      thread,
    ]);
    expect(await takeovers.returnDue(10, ABILITY)).toBeGreaterThan(0);
    expect(await keptOf(thread)).toEqual(KEPT);
    expect(await takeovers.returnDue(10, ABILITY)).toBe(0);
    expect(await keptOf(thread)).toEqual(KEPT);
  });

  it('comes where nobody waits', async () => {
    const thread = uuidOf(await account.addThread());
    await database.pool.query('UPDATE threads SET takeover_until = clock_timestamp() WHERE id = $1', [
      thread,
    ]);
    expect(await takeovers.returnDue(10, ABILITY)).toBeGreaterThan(0);
    expect(await keptOf(thread)).toMatchObject({ attention: null, asked: 0, until: null });
  });
});
