import type { PoolClient } from 'pg';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { startStorm } from '../../support/clients/storm';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { violationsOfChain, reportStorm } from '../../support/database/dialog.chain';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';
import { RowLock } from '../../support/faults/row.lock';
import type { ServerProcess } from '../../support/programs/server.process';
import { TlsFront } from '../../support/faults/tls.front';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { CLUSTERS } from '../../support/database/test.database';

const STAGES = 4;
const CALLERS = 8;
/** Answers between two cuts. */
const MOVES_BETWEEN = 30;
/** Moves at once, of which some share a statement. */
const TOGETHER = 30;

const wordOf = ({ status, body }: Answer): string => {
  if (status === 200) return body.data.changed ? 'changed' : 'unchanged';
  return body.error.code === 'UNAVAILABLE' ? 'lost' : `${status} ${body.error.code}`;
};

describe.each(CLUSTERS)('What was acknowledged, PostgreSQL $name,', ({ name }) => {
  const scene = setScene({
    version: name,
    servers: 0,
    stages: Array(STAGES).fill({}),
    agentCouldAnswer: true,
  });
  let proxy: DatabaseProxy;
  let front: TlsFront;
  let garbler: DatabaseProxy;
  let proxied: ServerProcess;
  let byTls: ServerProcess;

  beforeAll(async () => {
    for (const stage of scene.account.stages) await scene.account.addScenario(stage);
    proxy = await DatabaseProxy.start(scene.database.url);
    front = await TlsFront.start(scene.database.url);
    garbler = await DatabaseProxy.start(front.url);
    [proxied, byTls] = (await Promise.all(
      [proxy.url, garbler.url].map((url) => scene.addServer({}, url)),
    )) as [ServerProcess, ServerProcess];
  });

  afterAll(async () => {
    for (const wire of [proxy, garbler, front]) await wire?.stop();
  });

  const startingThread = () => scene.account.addThread({ statusId: scene.stage(0) });

  it('is there after every connection to the database was cut in a storm, and no call fails otherwise', async () => {
    const shared = await startingThread();
    const before = await scene.kept.thread(shared);
    const answers: string[] = [];
    const onAnswer = (answer: Answer): unknown => answers.push(wordOf(answer));
    const doors = [scene.apiAt(0), scene.apiAt(1)];
    const storm = startStorm(doors, [shared], scene.account.stages, { workers: CALLERS, onAnswer });
    const untilMore = (): Promise<unknown> => {
      const enough = answers.length + MOVES_BETWEEN;
      return eventually(async () => answers.length >= enough, 20_000, 'too few calls were answered');
    };
    for (let cut = 0; cut < triesOf(3, 5); cut += 1) {
      await untilMore();
      await scene.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name IN ('leadline', 'leadline admission')`,
      );
    }
    await untilMore();
    await storm.stop();
    expect(answers).toContain('lost');
    expect(violationsOfChain(await reportStorm(scene.kept, shared, before, answers))).toEqual([]);
  });

  describe('or done without its answer arriving,', () => {
    let api: ApiClient;

    beforeAll(() => {
      api = new ApiClient(proxied.url, scene.account.key);
    });

    /** A call whose change of this dialog is committed, and whose answer from the database is lost. */
    async function losingAnswer(threadId: string, call: () => Promise<Answer>): Promise<Answer> {
      const lock = await RowLock.take(scene.database, threadId);
      const answer = call();
      await lock.waiters(1);
      proxy.loseAnswers();
      await lock.release();
      const done = async () => (await scene.kept.events(threadId)).length > 0;
      await eventually(done, 5_000, 'the change was not committed');
      proxy.cut();
      return answer;
    }

    it('is a 503 to be repeated, and repeated it changes nothing more', async () => {
      const threadId = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 5 });
      const before = await scene.kept.thread(threadId);
      const body = { thread_id: threadId, status_id: scene.stage(1), answer_pending_message: true };
      const lost = await losingAnswer(threadId, () => api.setStatus(body));
      expect([lost.status, lost.body.error.code]).toEqual([503, 'UNAVAILABLE']);
      expect(Number(lost.headers.get('Retry-After'))).toBeGreaterThan(0);

      const repeated = await api.setStatus(body);
      expect(repeated.body.data).toMatchObject({ changed: false, answered_pending_message: false });
      expect(await scene.kept.replies(threadId)).toHaveLength(1);
      const answers = [lost, repeated].map(wordOf);
      expect(violationsOfChain(await reportStorm(scene.kept, threadId, before, answers))).toEqual([]);
    });

    describe('also for moves that share a statement,', () => {
      /** Holds what every move writes to, from when those that wait for it already have had it. */
      const holdEvents = async () => {
        const holder = await scene.database.pool.connect();
        await holder.query('BEGIN');
        return { held: holder.query('LOCK TABLE events IN EXCLUSIVE MODE'), holder };
      };
      const release = async (holder: PoolClient): Promise<void> => {
        await holder.query('COMMIT');
        holder.release();
      };

      it('is a 503 after an answer that TLS cannot read, and none is made a second time', async () => {
        const api = new ApiClient(byTls.url, scene.account.key);
        const threads = await Promise.all(Array.from({ length: TOGETHER }, startingThread));
        const first = await holdEvents();
        await first.held;
        const calling = Promise.all(
          // A move that starts scenarios is made alone.
          threads.map((thread_id) =>
            api.setStatus({ thread_id, status_id: scene.stage(1), skip_scenarios: true }),
          ),
        );
        // Two statements are under way, with one move or a few. What comes meanwhile shares the next ones.
        await untilWaiting(scene.database.pool, 2, { words: 'generate_subscripts' });
        const second = await holdEvents();
        await untilWaiting(scene.database.pool, 1, { words: 'LOCK TABLE events' });
        await release(first.holder);
        await second.held;
        await untilWaiting(scene.database.pool, 1, { words: 'generate_subscripts' });
        garbler.garbleAnswers();
        await release(second.holder);
        const words = (await calling).map(wordOf);
        expect(words).toContain('lost');
        expect(words.filter((word) => word !== 'lost' && word !== 'changed')).toEqual([]);
        const made: boolean[] = [];
        for (const threadId of threads) {
          const events = await scene.kept.events(threadId);
          expect(events.length).toBeLessThanOrEqual(1);
          made.push(events.length === 1);
        }
        expect(words.filter((word, index) => word === 'changed' && !made[index])).toEqual([]);
        // Some were made by a statement whose answer was lost.
        expect(words.filter((word, index) => word === 'lost' && made[index]).length).toBeGreaterThan(1);
        // Idle connections were garbled too. They are used up here, or later moves would lose their answers.
        const isWhole = async (): Promise<boolean> => {
          const answers = await Promise.all(
            threads.map((thread_id) => api.setStatus({ thread_id, status_id: scene.stage(2) })),
          );
          return answers.every(({ status }) => status === 200);
        };
        await eventually(isWhole, 10_000, 'the connections did not become whole again');
      });
    });

    it('is the same for the switch', async () => {
      const threadId = await scene.account.addThread();
      const lost = await losingAnswer(threadId, () => api.setAi(threadId, false));
      expect(lost.status).toBe(503);
      const repeated = await api.setAi(threadId, false);
      expect(repeated.body.data).toMatchObject({ changed: false, message_handler: 'OPERATOR' });
      expect(await scene.kept.events(threadId)).toHaveLength(1);
    });

    it('leaves what follows in a bulk move untried, and the whole may be repeated', async () => {
      const threads = await Promise.all(Array.from({ length: 3 }, startingThread));
      const items = threads.map((thread_id) => ({ thread_id, status_id: scene.stage(1) }));
      const changes = ({ body }: Answer) =>
        (body.data.results as BulkResult[]).map(({ data, error }) => data?.changed ?? error?.code);
      const lost = await losingAnswer(threads[1] ?? '', () => api.setStatusBulk({ items }));
      expect(changes(lost)).toEqual([true, 'UNAVAILABLE', 'UNAVAILABLE']);
      expect(changes(await api.setStatusBulk({ items }))).toEqual([false, false, true]);
      for (const threadId of threads) expect(await scene.kept.events(threadId)).toHaveLength(1);
    });
  });
});

interface BulkResult {
  data?: { changed: boolean };
  error?: { code: string };
}
