import { ApiClient } from '../../support/clients/api.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { TailProcess } from '../../support/programs/tail.process';
import { setScene } from '../../support/scenes/base.scene';

const KILLS = triesOf(1, 15);
const MOVES_BETWEEN = triesOf(30, 200);
const DEADLINE_MS = 60_000;
/** A replay reaches no further. */
const REPLAYED_MAX = 1_000;

const scene = setScene({ ownServer: true, stages: [{}, {}, {}] });
let tail: TailProcess | undefined;
let threads: string[];
let url: string;

beforeEach(async () => {
  ({ url } = scene.servers.at(-1) ?? scene.server);
  threads = await Promise.all(Array.from({ length: 4 }, () => scene.account.addThread()));
});

afterEach(() => tail?.ended('SIGKILL'));

let moved = 0;
/** One lead to another stage, whichever process answers, or none. */
const move = async (threadId: string): Promise<boolean> => {
  moved += 1;
  const body = { thread_id: threadId, status_id: scene.stage(moved % 3) };
  return new ApiClient(url, scene.account.key).setStatus(body).then(
    (answer) => answer.body.ok,
    () => false,
  );
};

/** @returns the number of the first event that it told: from there on it misses nothing. */
async function listening(words: readonly string[] = []): Promise<{ tail: TailProcess; from: number }> {
  const started = TailProcess.start(url, scene.account.key, words);
  tail = started;
  const sign = await scene.account.addThread();
  const look = async (): Promise<number | null> => {
    await move(sign);
    return started.events[0]?.seq ?? null;
  };
  const from = await eventually(look, DEADLINE_MS, `tail told nothing: ${started.stderr}`);
  return { tail: started, from };
}

/** The same process, killed and started anew at its address. */
async function killAndRestart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  await scene.servers.at(-1)?.kill('SIGKILL');
  await meanwhile();
  await scene.addServer({ PORT: new URL(url).port });
}

const byThread = (rows: readonly { thread_id: string; seq: number | null }[]): Record<string, number[]> => {
  const found: Record<string, number[]> = {};
  for (const { thread_id, seq } of rows) (found[uuidOf(thread_id)] ??= []).push(Number(seq));
  return found;
};

/** What the database has from an event on, by dialog and in order. */
async function history(from: number): Promise<Record<string, number[]>> {
  const { rows } = await scene.database.pool.query<{ thread_id: string; seq: number }>(
    `SELECT 'thread_' || thread_id AS thread_id, seq::float8 AS seq FROM events
      WHERE account_id = $1 AND type = 'status' AND seq >= $2 ORDER BY seq`,
    [scene.account.id, from],
  );
  return byThread(rows);
}

const lengthOf = (lists: Record<string, number[]>): number => Object.values(lists).flat().length;

/** Waits until it has told as much as there is, and compares. */
async function expectAllTold(told: TailProcess, from: number): Promise<void> {
  const kept = await history(from);
  const moves = () => told.events.filter(({ event }) => event === 'card.moved');
  await eventually(
    async () => moves().length >= lengthOf(kept),
    DEADLINE_MS,
    `${lengthOf(kept)} events were not told`,
  ).catch(() => undefined);
  expect(byThread(moves())).toEqual(kept);
}

describe('leadline tail', () => {
  it('tells each event once and in order while the service is killed and started anew', async () => {
    const { tail: told, from } = await listening();
    let stopped = false;
    let answered = 0;
    const movers = threads.map(async (thread) => {
      while (!stopped) if (await move(thread)) answered += 1;
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = answered + MOVES_BETWEEN;
      await eventually(async () => answered >= enough, DEADLINE_MS, 'no lead was moved');
      await killAndRestart();
    }
    const enough = answered + MOVES_BETWEEN;
    await eventually(async () => answered >= enough, DEADLINE_MS, 'no lead was moved');
    stopped = true;
    await Promise.all(movers);
    await expectAllTold(told, from);
    expect(await told.ended('SIGINT')).toBe(0);
  });

  it('reads from histories and messages what is more than a replay has, and goes on live', async () => {
    const { tail: told, from } = await listening();
    const [one = '', many = '', two = ''] = threads;
    await move(one);
    await expectAllTold(told, from);
    const text = 'while nobody listened';
    let opened = '';
    await killAndRestart(async () => {
      opened = await scene.account.addThread();
      await scene.account.addEvents(many, REPLAYED_MAX + 1);
      await scene.account.addMessage(many, { text });
    });
    await eventually(() => move(two), DEADLINE_MS, 'no lead was moved');
    await expectAllTold(told, from);
    const messages = told.events.filter(({ message }) => message?.text === text);
    expect(messages.map(({ event, thread_id }) => [event, thread_id])).toEqual([['message.created', many]]);
    const openings = told.events.filter(({ thread_id }) => thread_id === opened);
    expect(openings.map(({ event }) => event)).toEqual(['card.created']);
    expect(told.events.filter(({ history: past }) => past !== undefined).length).toBeGreaterThan(
      REPLAYED_MAX,
    );
    expect(await told.ended('SIGTERM')).toBe(0);
  });

  it('goes on behind the event that it is given, and ends with a key that is not valid any more', async () => {
    const { tail: before } = await listening();
    await before.ended('SIGINT');
    const [thread = ''] = threads;
    const since = before.events.at(-1)?.seq ?? 0;
    const place = new RegExp(`^${since}@\\d{4}-.*Z$`);
    expect(JSON.parse(before.stderr)).toEqual({ since: expect.stringMatching(place) });
    await move(thread);
    await move(thread);
    const after = TailProcess.start(url, scene.account.key, ['--since', String(since)]);
    tail = after;
    const own = () =>
      after.events.filter(({ thread_id, event }) => thread_id === thread && event === 'card.moved');
    await eventually(async () => own().length === 2, DEADLINE_MS, `it did not go on: ${after.stderr}`);
    await scene.database.pool.query(
      'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE account_id = $1',
      [scene.account.id],
    );
    await eventually(async () => after.endedWith !== null, DEADLINE_MS, 'it did not end');
    expect([after.endedWith, after.stderr]).toEqual([1, expect.stringContaining('UNAUTHORIZED')]);
    expect(JSON.parse(after.stderr)).toMatchObject({ since: expect.stringMatching(/^\d+@\d{4}-/) });
  });
});
