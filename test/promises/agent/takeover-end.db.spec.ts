import { InFlightLimiter } from '@app/contracts/in-flight.limiter';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel.cipher';
import { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
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

beforeAll(async () => {
  database = await createDatabase();
  account = await AccountFixture.create(database.pool, [{}, { aiEnabled: false }]);
  await account.connect();
  await database.pool.query(`UPDATE accounts SET takeover_end = 'answer'`);
  takeovers = new TakeoverRepository(
    new Database(database.pool, new InFlightLimiter(4)),
    new WorkDatabase(database.pool),
  );
});

afterAll(async () => {
  await database?.drop();
});

/** What became of a dialog whose customer waits, when its takeover ended. */
async function atTheEnd(given: Thread = {}, botId = account.botId, ability = ABILITY): Promise<unknown> {
  const waiting = { waitingMinutes: 5, takeoverSeconds: -1, ...given };
  return endOf(uuidOf(await account.addThread(waiting, account.assistantId, botId)), ability);
}

async function endOf(thread: string, ability = ABILITY): Promise<unknown> {
  expect(await takeovers.returnDue(10, ability)).toBeGreaterThan(0);
  const { rows } = await database.pool.query(
    `SELECT attention, (SELECT count(*)::int FROM replies r WHERE r.thread_id = t.id AND r.state = 'due') AS replies,
            (SELECT count(*)::int FROM events e WHERE e.thread_id = t.id AND e.type = 'attention') AS asked
       FROM threads t WHERE t.id = $1 AND t.takeover_until IS NULL`,
    [thread],
  );
  return rows[0];
}

describe('the end of a takeover, where the agent is to answer', () => {
  it('has the waiting message taken up, and asks for nobody', async () => {
    expect(await atTheEnd()).toEqual(ANSWERED);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the stage mutes the agent', () => atTheEnd({ statusId: account.stages[MUTES] })],
    ['the message is older than a day', () => atTheEnd({ waitingMinutes: 1_441 })],
    ['the number is down', async () => atTheEnd({}, await account.addBot())],
    ['the key of the number is another one', () => atTheEnd({}, undefined, { ...ABILITY, cipherKeyId: 'x' })],
    ['there is no model', () => atTheEnd({}, undefined, { ...ABILITY, hasModel: false })],
  ])('asks for a person where %s', async (_, ending) => {
    expect(await ending()).toEqual(ASKED);
  });

  it('asks for a person where a part of the answer is there, and the rest will not come', async () => {
    const thread = uuidOf(await account.addThread({ waitingMinutes: 5, takeoverSeconds: -1 }));
    await database.pool.query(
      `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, part_sent, due_at)
       SELECT account_id, id, waiting_message_id, ai_epoch, 'failed', true, clock_timestamp() FROM threads WHERE id = $1`,
      [thread],
    );
    expect(await endOf(thread)).toEqual(ASKED);
  });

  it('asks for nobody where nobody waits, or the agent is off', async () => {
    const quiet = { ...ASKED, attention: null, asked: 0 };
    expect(await atTheEnd({ waitingMinutes: undefined })).toEqual(quiet);
    expect(await atTheEnd({ aiEnabled: false, statusId: account.stages[MUTES] })).toEqual(quiet);
  });
});
