import type { BoardSnapshot } from '@app/contracts/board-events';
import { request } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene();

const connect = (key = scene.account.key, options: object = {}): Promise<BoardClient> =>
  BoardClient.connect(scene.server.url, { api_key: key }, options);

describe('a board', () => {
  it('gets nothing of another account and nothing of another agent of its account', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const second = await scene.account.addAssistant();
    const deaf = [
      { board: await connect(other.key), agent: other.assistantId },
      { board: await connect(await scene.account.addKey({ assistantIds: [second] })), agent: second },
    ];
    for (const { board, agent } of deaf) await board.open(agent);
    // Connected, with the right to see it all, but with no board open.
    deaf.push({ board: await connect(), agent: '' });
    const witness = await connect();
    await witness.open(scene.account.assistantId);
    const thread = await scene.account.addThread();
    for (let move = 0; move < 5; move++) {
      await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[move % 2] });
    }
    await scene.api.setAi(thread, false);
    await witness.hears(({ event }) => event === 'ai.switched');
    // What was sent to the others before is there once they have an answer to something asked afterwards.
    for (const { board } of deaf) await board.request('board:close', {});
    expect(deaf.map(({ board }) => board.events)).toEqual([[], [], []]);
    for (const { board } of [...deaf, { board: witness }]) board.close();
  });

  it('is chosen by the server: a client cannot join a room or speak in the name of the server', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const [intruder, victim] = [await connect(other.key), await connect()];
    await victim.open(scene.account.assistantId);
    for (const event of [
      'join',
      'subscribe',
      `board:${scene.account.assistantId}`,
      'card.moved',
      'board:resync',
    ]) {
      intruder.socket.emit(event, `board:${scene.account.assistantId}`, {
        room: `board:${scene.account.assistantId}`,
      });
    }
    await intruder.request('board:close', {});
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[0] });
    await victim.hears(({ thread_id }) => thread_id === thread);
    await intruder.request('board:close', {});
    expect(intruder.events).toEqual([]);
    expect([victim.events.length, victim.resyncs]).toEqual([1, []]);
    intruder.close();
    victim.close();
  });
});

describe('a key whose row came to name an agent of another account', () => {
  /** What a snapshot tells of anybody's leads and stages. */
  const toldBy = (snapshot: BoardSnapshot) => ({
    statuses: snapshot.statuses,
    columns: snapshot.columns.map(({ status_id, total, cards }) => ({ status_id, total, cards })),
  });
  const NOTHING = { statuses: [], columns: [{ status_id: null, total: 0, cards: [] }] };

  let thief: AccountFixture;
  let thiefKey: string;

  beforeAll(async () => {
    thief = await AccountFixture.create(scene.database.pool);
    thiefKey = await thief.addKey({ assistantIds: [scene.account.assistantId] });
    await scene.account.addThread();
  });

  it('sees nothing of that board, even while other keys do, and gets no event', async () => {
    const [first, owners, thieves] = [await connect(), await connect(), await connect(thiefKey)];
    // Together, so that they share whatever boards share that open at once: all behind a first one share a reading.
    for (const order of [
      [first, owners, thieves],
      [first, thieves, owners],
      [thieves, owners, first],
    ]) {
      const opened = await Promise.all(
        order.map(async (board) => ({ board, snapshot: await board.open(scene.account.assistantId) })),
      );
      for (const { board, snapshot } of opened) {
        if (board === thieves) expect(toldBy(snapshot)).toEqual(NOTHING);
        else expect(snapshot.columns[0]?.total).toBeGreaterThan(0);
      }
    }
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[0] });
    await owners.hears(({ thread_id }) => thread_id === thread);
    await thieves.request('board:close', {});
    expect(thieves.events).toEqual([]);
    for (const board of [first, owners, thieves]) board.close();
  });

  it('takes nothing of it from its owners by being first, or by leaving', async () => {
    const thieves = await connect(thiefKey);
    expect(toldBy(await thieves.open(scene.account.assistantId))).toEqual(NOTHING);
    const owners = await connect();
    expect((await owners.open(scene.account.assistantId)).columns).toHaveLength(
      1 + scene.account.stages.length,
    );
    const thread = await scene.account.addThread();
    for (const [version, leave] of [
      [2, () => undefined],
      [3, () => thieves.close()],
    ] as const) {
      leave();
      await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[version % 2] });
      await owners.hears((event) => event.thread_id === thread && event.version === version);
    }
    expect(thieves.events).toEqual([]);
    owners.close();
  });
});

describe('a hostile client does not end the process', () => {
  let watcher: BoardClient;

  beforeAll(async () => {
    watcher = await connect();
    await watcher.open(scene.account.assistantId);
  });

  afterEach(async () => {
    expect((await request(`${scene.server.url}/health/ready`)).status).toBe(200);
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[0] });
    await watcher.hears(({ thread_id }) => thread_id === thread);
    expect(scene.server.output()).not.toMatch(/INTERNAL|our own fault|unhandled/i);
  });

  afterAll(() => watcher?.close());

  it('by requests without an acknowledgement', async () => {
    const board = await connect();
    for (const event of ['board:open', 'board:more', 'board:close']) {
      board.socket.emit(event);
      board.socket.emit(event, { assistant_id: scene.account.assistantId }, 'no function', 7);
      board.socket.emit(event, () => undefined);
    }
    await board.request('board:close', {});
    board.close();
  });

  it('by garbage of every kind', async () => {
    const board = await connect();
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown;
    const garbage = [null, [], 'x', -1, Buffer.alloc(1_000), deep, { assistant_id: deep }, { __proto__: 1 }];
    for (const [index, body] of garbage.entries()) {
      const event = ['board:open', 'board:more', 'board:close'][index % 3] ?? '';
      expect((await board.request(event, body)).ok).toBe(false);
    }
    board.close();
  });

  it('by packets that break the protocol', async () => {
    for (const packet of [
      '4',
      '42',
      '42/board,',
      '42/board,{',
      '451-/board,["x",{"_placeholder":true,"num":9}]',
      '9',
      '2',
      '40/nowhere,',
      '\0',
    ]) {
      const board = await connect();
      const { ws } = board.socket.io.engine.transport as unknown as { ws: { send(text: string): void } };
      ws.send(packet);
      await board.socket
        .timeout(1_000)
        .emitWithAck('board:close', {})
        .catch(() => undefined);
      board.close();
    }
  });

  it.each(['websocket', 'polling'])(
    'by a frame over 64 KiB over %s, which ends that connection',
    async (transport) => {
      const board = await connect(scene.account.key, { transports: [transport] });
      board.socket.emit('board:open', { assistant_id: 'x'.repeat(65 * 1024) });
      await eventually(async () => board.disconnectedBecause, 5_000, 'the connection was not ended');
    },
  );

  it('by more than 20 requests a second, of which those beyond are refused as RATE_LIMITED', async () => {
    const board = await connect();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        board.request('board:open', { assistant_id: scene.account.assistantId }),
      ),
    );
    const codes = answers.map((answer) => (answer.ok ? 'ok' : answer.error.code));
    expect(codes).toContain('RATE_LIMITED');
    // A hundred at once lie within three seconds of the server's clock, even where the machine is slow.
    expect(codes.filter((code) => code !== 'RATE_LIMITED').length).toBeLessThanOrEqual(60);
    await eventually(
      async () => (await board.request('board:close', { assistant_id: scene.account.assistantId })).ok,
      5_000,
      'the board was not served again',
    );
    board.close();
  });

  it.each([
    ['board:close', [{}]],
    ['board:nope', []],
  ])('by %s %j without an acknowledgement, which counts too', async (event, args) => {
    const board = await connect();
    const codes: unknown[] = [];
    // A flood and the question behind it may fall into two seconds of the server's clock, but not each time.
    for (let attempt = 0; attempt < 5; attempt++) {
      for (let sent = 0; sent < 40; sent++) board.socket.emit(event, ...args);
      const answer = await board.request('board:close', {});
      codes.push(answer.ok || answer.error.code);
    }
    expect(codes).toContain('RATE_LIMITED');
    board.close();
  });

  it('by connections that come and go in the middle of opening', async () => {
    await Promise.all(
      Array.from({ length: triesOf(30, 100) }, async () => {
        const board = await connect();
        board.socket.emit('board:open', { assistant_id: scene.account.assistantId }, () => undefined);
        board.close();
      }),
    );
  });
});
