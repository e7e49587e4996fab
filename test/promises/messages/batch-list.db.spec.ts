import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Database } from '@app/persistence/database/database.service';
import {
  BatchListRepository,
  type ListedBatchRow,
} from '@app/persistence/messages/batches/batch-list.repository';
import { SentMessageRepository } from '@app/persistence/messages/sending/sent-message.repository';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';
import { ascendingId } from '../../support/database/ascending.id';

const ALL = 200;

let database: TestDatabase;
let account: AccountFixture;
let lists: BatchListRepository;
let sent: SentMessageRepository;
/** Agents, and a bot of each. */
let agents: [string, string];
let bots: [string, string];
/** In the order in which they were sent. */
let batches: string[];

/** A list that a bot sent to dialogs of the agents. */
async function addList(
  bot: string,
  agentsOfDialogs: readonly string[],
  { of = account, status = 'sent', authorId = null as string | null, content = {} } = {},
): Promise<string> {
  const batch = ascendingId();
  const ids: string[] = [];
  for (const [index, agent] of agentsOfDialogs.entries()) {
    const thread = await of.addThread({}, agent, bot);
    ids.push(ascendingId());
    await database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, type, status, content, recipient,
                             batch_id, batch_index, author_id)
       VALUES ($1, $2, $3, $4, 'waba', 'SYSTEM', '', 'template', $5, $6, '+77015550000', $7, $8, $9)`,
      [of.id, ids.at(-1), uuidOf(thread), bot, status, JSON.stringify(content), batch, index, authorId],
    );
  }
  await database.pool.query(
    `INSERT INTO batches (account_id, id, bot_id, channel, total, first_message_id, last_message_id)
     VALUES ($1, $2, $3, 'waba', $4, $5, $6)`,
    [of.id, batch, bot, ids.length, ids[0], ids.at(-1)],
  );
  return batch;
}

beforeAll(async () => {
  database = await createDatabase();
  const limited = new Database(database.pool, new InFlightLimiter(4));
  lists = new BatchListRepository(limited);
  sent = new SentMessageRepository(limited);
  account = await AccountFixture.create(database.pool);
  agents = [account.assistantId, await account.addAssistant()];
  bots = [account.botId, await account.addBot(undefined, agents[1])];
  const foreign = await AccountFixture.create(database.pool);
  batches = [];
  for (const bot of bots)
    for (const dialogs of [[agents[0]], [agents[1]], [agents[0], agents[1]], [agents[1], agents[1]]])
      batches.push(await addList(bot, dialogs));
  await addList(foreign.botId, [foreign.assistantId], { of: foreign });
});

afterAll(() => database.drop());

interface Seen {
  assistantIds?: readonly string[];
  botIds?: readonly string[];
}

const seenBy = ({ assistantIds = [], botIds = [] }: Seen) => ({
  accountId: account.id,
  assistantIds,
  botIds,
});

const listed = async (by: Seen, botId: string | null = null): Promise<string[]> =>
  (await lists.page(seenBy(by), botId, null, ALL)).map(({ id }) => id);

/** Of those that were sent by one of the bots: what the caller sees by its id, newest first. */
async function seenById(by: Seen, sentBy: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM batches WHERE bot_id = ANY ($1) ORDER BY id DESC',
    [sentBy],
  );
  const seen = await Promise.all(rows.map(({ id }) => sent.findBatch(seenBy(by), id)));
  return seen.flatMap((batch) => batch?.id ?? []);
}

describe('the list of sent lists', () => {
  it('has, newest first, what get-batch shows of the own bots and of those of the own agents', async () => {
    const shown: number[] = [];
    for (const assistantIds of [[], [agents[0]], [agents[1]], agents])
      for (const botIds of [[], [bots[0]], bots]) {
        const by = { assistantIds, botIds };
        const own = bots.filter((bot, n) => botIds.includes(bot) || assistantIds.includes(agents[n] ?? ''));
        expect([by, await listed(by)]).toEqual([by, await seenById(by, own)]);
        shown.push((await listed(by)).length);
        for (const bot of own) expect(await listed(by, bot)).toEqual(await seenById(by, [bot]));
      }
    expect([Math.min(...shown), Math.max(...shown)]).toEqual([0, batches.length]);
    expect(await listed({ assistantIds: agents })).toEqual(batches.toReversed());
  });

  it('comes in pages that repeat none and leave out none', async () => {
    const by = seenBy({ assistantIds: agents });
    const read: string[] = [];
    for (let before: string | null = null, page; ; before = read.at(-1) ?? null) {
      page = await lists.page(by, null, before, 3);
      read.push(...page.map(({ id }) => id));
      if (page.length < 3) break;
    }
    expect(read).toEqual(batches.toReversed());
  });

  it('says what was sent, by whom and what became of it, until its customers are erased', async () => {
    const author = await account.addUser({ name: 'Dana' });
    const given = { authorId: author, content: { name: 'order_ready', language: 'ru' }, status: 'read' };
    const batch = await addList(bots[0], [agents[0], agents[0]], given);
    const row = async (): Promise<ListedBatchRow | undefined> =>
      (await lists.page(seenBy({ botIds: bots }), null, null, 1))[0];
    const template = { template_id: null, name: 'order_ready', language: 'ru' };
    const known = { id: batch, bot_id: bots[0], statuses: { read: 2 }, author: { id: author, name: 'Dana' } };
    expect(await row()).toMatchObject({ ...known, template });
    const erase = (which: string): Promise<unknown> =>
      database.pool.query(`UPDATE messages SET content = '{}' WHERE batch_id = $1 AND ${which}`, [batch]);
    await erase('batch_index = 0');
    expect(await row()).toMatchObject({ ...known, template });
    await erase('true');
    expect(await row()).toMatchObject({ ...known, template: null });
  });
});
