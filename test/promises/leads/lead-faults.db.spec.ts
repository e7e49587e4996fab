import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { orderedValues } from '@app/persistence/database/sql.statements';
import { MOVE } from '@app/persistence/leads/lead.statements';
import type { ClientBase, Pool } from 'pg';
import { violationsOfChain, reportStorm, type StormReport } from '../../support/database/dialog.chain';
import { DialogRecords } from '../../support/database/dialog.records';
import { AccountFixture, type GivenThread } from '../../support/database/fixture';
import { RIGHT_MOVE, WRONG_MOVES } from '../../support/faults/move.faults';
import { RowLock } from '../../support/faults/row.lock';
import { CLUSTERS, createDatabase, openPool, type TestDatabase } from '../../support/database/test.database';
import { SECRETS } from '../../support/programs/server.process';
import { uuidOf } from '../../support/database/thread.uuid';

const STAGES = 6;
const CLIENTS = 16;
const CALLS = 48;

const VERDICTS: Record<string, string> = { move: 'changed', same: 'unchanged', conflict: 'conflict' };

/**
 * Proves that the tests of the concurrency promises can fail: runs the statement of the move with one fault, directly
 * at the database, and the same checks of the dialog must find it.
 */
describe.each(CLUSTERS)('A wrong form of the move, PostgreSQL $name', ({ name }) => {
  let database: TestDatabase;
  let clients: Pool;
  let account: AccountFixture;
  let kept: DialogRecords;

  beforeAll(async () => {
    database = await createDatabase(name);
    clients = openPool(database.url, CLIENTS);
    account = await AccountFixture.create(database.pool, Array(STAGES).fill({}));
    await account.connect();
    for (const stage of account.stages) await account.addScenario(stage);
    kept = new DialogRecords(database.pool);
  });

  afterAll(async () => {
    await clients?.end();
    await database?.drop();
  });

  interface Outcome {
    word: string;
    took: boolean;
  }

  async function move(
    text: string,
    threadId: string,
    stage: number,
    expected?: number,
    client: Pool | ClientBase = clients,
  ): Promise<Outcome> {
    const values = orderedValues(MOVE, {
      accountId: account.id,
      threadId: uuidOf(threadId),
      statusId: account.stages[stage],
      assistantIds: [account.assistantId],
      answer: true,
      hasExpected: expected !== undefined,
      expectedStatusId: expected === undefined ? null : account.stages[expected],
      cipherKeyId: new AesChannelCipher(SECRETS.ENCRYPTION_KEY).keyId,
      setBy: 'SYSTEM',
      actor: null,
      requestId: null,
      startScenarios: true,
      ifEpoch: null,
      ...{ cause: null, depth: 1, byRun: null, trace: null },
    });
    const { rows } = await client.query<{ verdict: string; took: boolean }>(text, values);
    const [outcome] = rows;
    return outcome
      ? { word: VERDICTS[outcome.verdict] ?? outcome.verdict, took: outcome.took }
      : { word: '404', took: false };
  }

  /** Moves at once, all of whose first ones wait for the row before any may have it. */
  async function storm(text: string, target: (index: number) => number): Promise<StormReport> {
    const threadId = await account.addThread({ statusId: account.stages[0] });
    const before = await kept.thread(threadId);
    const lock = await RowLock.take(database, threadId);
    const calls = Promise.all(
      Array.from({ length: CALLS }, (_, index) => move(text, threadId, target(index))),
    );
    // Without its lock, a statement waits only where it updates.
    try {
      await Promise.race([lock.waiters(CLIENTS / 2), calls]);
    } finally {
      await lock.release();
    }
    const answers = (await calls).map(({ word }) => word);
    return reportStorm(kept, threadId, before, answers);
  }

  const different = (index: number): number => (index + 1) % STAGES;
  const identical = (): number => 1;

  /** One move behind a lock under which the facts change. */
  async function behindLock(
    text: string,
    given: GivenThread,
    meanwhile: (lock: RowLock) => Promise<void>,
  ): Promise<{ took: boolean; late: boolean }> {
    const threadId = await account.addThread(given);
    const lock = await RowLock.take(database, threadId);
    const call = move(text, threadId, 1);
    let heldUntil: string;
    try {
      await Promise.race([lock.waiters(1), call]);
      await meanwhile(lock);
    } finally {
      heldUntil = await lock.release();
    }
    const { took } = await call;
    const [entry] = await kept.events(threadId);
    return { took, late: entry !== undefined && entry.at > heldUntil };
  }

  const nothing = async (): Promise<void> => undefined;
  const customerWrites = async (lock: RowLock): Promise<void> => {
    await lock.addMessage('USER');
    await lock.setFacts('waiting_message_id = gen_random_uuid(), waiting_at = clock_timestamp()');
  };
  const switchedOff = (lock: RowLock): Promise<void> => lock.setFacts('ai_enabled = false');

  describe('as a control, the right one,', () => {
    it('leaves an unbroken chain', async () => {
      expect(violationsOfChain(await storm(RIGHT_MOVE, different))).toEqual([]);
    });

    it('is dated after the lock, takes up what came, and leaves what may not be answered', async () => {
      expect(await behindLock(RIGHT_MOVE, {}, nothing)).toEqual({ took: false, late: true });
      expect(await behindLock(RIGHT_MOVE, {}, customerWrites)).toEqual({ took: true, late: true });
      expect(await behindLock(RIGHT_MOVE, { waitingMinutes: 5 }, switchedOff)).toMatchObject({ took: false });
    });
  });

  describe('that joins the current stage in the locking read', () => {
    it('outer, is found to break links and to change more than it should', async () => {
      const faults = violationsOfChain(await storm(WRONG_MOVES.leftJoin, different));
      expect(faults).toContainEqual(expect.stringMatching(/^broken link: from null/));
    });

    it('inner, is found to lose the dialog', async () => {
      const faults = violationsOfChain(await storm(WRONG_MOVES.innerJoin, different));
      expect(faults).toContain('an answer was 404');
    });
  });

  describe('that reads where it came from after the fact', () => {
    it('is found by calls to different stages', async () => {
      const faults = violationsOfChain(await storm(WRONG_MOVES.fromInReturning, different));
      expect(faults).toContainEqual(expect.stringMatching(/^broken link/));
    });

    it('is not found by identical calls alone, which is why there are others', async () => {
      expect(violationsOfChain(await storm(WRONG_MOVES.fromInReturning, identical))).toEqual([]);
    });
  });

  it('that takes no lock is found to break links', async () => {
    const faults = violationsOfChain(await storm(WRONG_MOVES.noLock, different));
    expect(faults).toContainEqual(expect.stringMatching(/^broken link/));
  });

  it('that dates by the start of its transaction is found behind a lock', async () => {
    expect(await behindLock(WRONG_MOVES.startOfTransaction, {}, nothing)).toMatchObject({ late: false });
  });

  it('that dates by the start of its transaction is found to let time go back', async () => {
    /** A move in a transaction that began before another move, which went first. */
    const overtaken = async (text: string): Promise<string[]> => {
      const threadId = await account.addThread({ statusId: account.stages[0] });
      const before = await kept.thread(threadId);
      const early = await clients.connect();
      try {
        await early.query('BEGIN');
        await early.query('SELECT 1');
        await move(text, threadId, 1);
        await move(text, threadId, 2, undefined, early);
        await early.query('COMMIT');
      } finally {
        early.release();
      }
      return violationsOfChain(await reportStorm(kept, threadId, before, ['changed', 'changed']));
    };
    expect(await overtaken(RIGHT_MOVE)).toEqual([]);
    expect(await overtaken(WRONG_MOVES.startOfTransaction)).toEqual([
      expect.stringMatching(/^the time went back/),
    ]);
  });

  it('that asks the messages who wrote last is found to miss the one that came', async () => {
    const { took } = await behindLock(WRONG_MOVES.lastMessageAsked, {}, customerWrites);
    expect(took).toBe(false);
  });

  it('that reads the switch again is found to wake an agent just switched off', async () => {
    const { took } = await behindLock(WRONG_MOVES.switchReadAgain, { waitingMinutes: 5 }, switchedOff);
    expect(took).toBe(true);
  });

  it('that makes a reply each time is found to take a message up more than once', async () => {
    const threadId = await account.addThread({ waitingMinutes: 5 });
    const takenUpBy = async (text: string): Promise<number> => {
      const outcomes = await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => move(text, threadId, index % STAGES)),
      );
      return outcomes.filter(({ took }) => took).length;
    };
    expect(await takenUpBy(RIGHT_MOVE)).toBe(1);
    expect(await takenUpBy(WRONG_MOVES.replyWithoutOnce)).toBeGreaterThan(1);
  });
});
