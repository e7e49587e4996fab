import { DialogWriter } from '../../support/database/dialog.writer';
import { LeadScene } from '../../support/scenes/lead.scene';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Entry {
  seq: number;
  at: string;
  type: string;
  from: unknown;
  to: unknown;
}

describe('get-history', () => {
  let scene: LeadScene;

  beforeAll(async () => {
    scene = await LeadScene.open({ stages: [{ name: 'New' }, { name: 'Оплачено', kind: 'success' }] });
  });

  afterAll(() => scene?.close());

  const entriesOf = async (thread_id: string): Promise<Entry[]> =>
    (await scene.api.getHistory({ thread_id })).body.data.entries as Entry[];

  /** A dialog that was moved so often. */
  async function movedThread(moves: number): Promise<string> {
    const threadId = await scene.account.addThread();
    for (let index = 0; index < moves; index += 1) {
      const { body } = await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(index % 2) });
      expect(body.data.changed).toBe(true);
    }
    return threadId;
  }

  it('shows a move with both stages, its author and its actor', async () => {
    const threadId = await movedThread(1);
    const move = await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(1) });
    const { rows } = await scene.database.pool.query('SELECT id, name FROM api_keys WHERE account_id = $1', [
      scene.account.id,
    ]);
    const { status, body } = await scene.api.getHistory({ thread_id: threadId });
    expect(status).toBe(200);
    expect(body.data.next_cursor).toBeNull();
    expect(body.data.entries[0]).toEqual({
      seq: expect.any(Number),
      at: expect.stringMatching(ISO),
      type: 'status',
      by: 'SYSTEM',
      actor: { type: 'key', id: rows[0].id, name: rows[0].name },
      request_id: move.headers.get('x-request-id'),
      from: { id: scene.stage(0), name: 'New', kind: 'active', order: 1 },
      to: { id: scene.stage(1), name: 'Оплачено', kind: 'success', order: 2 },
    });
  });

  it('shows that the customer unsubscribed, by booleans', async () => {
    const threadId = await scene.account.addThread();
    await new DialogWriter(scene.database.pool, scene.account).optOut(threadId);
    expect(await entriesOf(threadId)).toEqual([
      expect.objectContaining({
        ...{ type: 'opt_out', by: 'USER', actor: null, request_id: null },
        ...{ from: false, to: true },
      }),
    ]);
  });

  it('shows no entries of messages and cards', async () => {
    const writer = new DialogWriter(scene.database.pool, scene.account);
    const threadId = await writer.open();
    await writer.setState(threadId, await writer.say(threadId, 'SYSTEM', 'text'), 'read');
    await writer.rename(threadId, 'name');
    expect(await entriesOf(threadId)).toEqual([]);
  });

  it('shows null for no stage, on either side', async () => {
    const threadId = await movedThread(1);
    await scene.api.setStatus({ thread_id: threadId, status_id: null });
    const [cleared, entered] = await entriesOf(threadId);
    expect(entered).toMatchObject({ type: 'status', from: null, to: { id: scene.stage(0) } });
    expect(cleared).toMatchObject({ type: 'status', from: { id: scene.stage(0) }, to: null });
  });

  it('shows the switch as booleans', async () => {
    const threadId = await scene.account.addThread();
    await scene.api.setAi(threadId, false);
    await scene.api.setAi(threadId, true);
    const entries = await entriesOf(threadId);
    expect(entries).toMatchObject([
      { type: 'ai', by: 'SYSTEM', actor: { type: 'key' }, from: false, to: true },
      { type: 'ai', by: 'SYSTEM', actor: { type: 'key' }, from: true, to: false },
    ]);
  });

  it('shows the end of a takeover as the two words of the handler', async () => {
    const threadId = await scene.account.addThread({ takeoverSeconds: 600 });
    await scene.api.setAi(threadId, true);
    expect(await entriesOf(threadId)).toMatchObject([
      { type: 'handler', by: 'SYSTEM', actor: { type: 'key' }, from: 'OPERATOR', to: 'AI' },
    ]);
  });

  it('shows a takeover made permanent as the switch going off', async () => {
    const threadId = await scene.account.addThread({ takeoverSeconds: 600 });
    await scene.api.setAi(threadId, false);
    expect(await entriesOf(threadId)).toMatchObject([{ type: 'ai', from: true, to: false }]);
  });

  it('has one entry per change and none for what changed nothing or was refused', async () => {
    const threadId = await scene.account.addThread();
    const at = { thread_id: threadId };
    const answers = [
      await scene.api.setStatus({ ...at, status_id: scene.stage(0) }),
      await scene.api.setStatus({ ...at, status_id: scene.stage(0) }),
      await scene.api.setStatus({ ...at, status_id: scene.stage(1), expected_status_id: null }),
      await scene.api.setStatus({ ...at, status_name: 'no such stage' }),
      await scene.api.setAi(threadId, true),
      await scene.api.setAi(threadId, false),
      await scene.api.setAi(threadId, false),
      await scene.api.setStatus({ ...at, status_id: null }),
    ];
    expect(answers.map(({ status, body }): unknown => (status === 200 ? body.data.changed : status))).toEqual(
      [true, false, 409, 404, false, true, false, true],
    );
    expect((await entriesOf(threadId)).map(({ type }) => type)).toEqual(['status', 'ai', 'status']);
  });

  it('dates a move as the lead does', async () => {
    const threadId = await movedThread(1);
    const [entry] = await entriesOf(threadId);
    expect((await scene.api.getLead(threadId)).body.data.status_set_at).toBe(entry?.at);
  });

  it('is empty for a dialog to which nothing happened, and shows nothing of others', async () => {
    await movedThread(1);
    const threadId = await scene.account.addThread();
    const { body } = await scene.api.getHistory({ thread_id: threadId });
    expect(body.data).toEqual({ entries: [], next_cursor: null });
  });

  it('comes in pages, newest first, without a gap or a repetition while new entries arrive', async () => {
    const threadId = await movedThread(5);
    const before = await entriesOf(threadId);
    const pages: Entry[][] = [];
    let cursor: string | null = null;
    do {
      const { body } = await scene.api.getHistory({
        thread_id: threadId,
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      pages.push(body.data.entries);
      cursor = body.data.next_cursor;
      await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(pages.length % 2) });
    } while (cursor !== null);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(before);
    expect(before.map(({ seq }) => seq)).toEqual([...before.map(({ seq }) => seq)].sort((a, b) => b - a));
  });

  it('has no next page when the last one is just full', async () => {
    const threadId = await movedThread(2);
    const { body } = await scene.api.getHistory({ thread_id: threadId, limit: 2 });
    expect(body.data.entries).toHaveLength(2);
    expect(body.data.next_cursor).toBeNull();
  });

  it('takes up to 200 entries a page, 50 by default', async () => {
    const threadId = await scene.account.addThread();
    const items = Array.from({ length: 201 }, (_, index) => ({
      thread_id: threadId,
      status_id: scene.stage(index % 2),
    }));
    expect((await scene.api.setStatusBulk({ items })).status).toBe(200);
    expect(await entriesOf(threadId)).toHaveLength(50);
    const { body } = await scene.api.getHistory({ thread_id: threadId, limit: 200 });
    expect(body.data.entries).toHaveLength(200);
    expect(body.data.next_cursor).not.toBeNull();
  });

  it.each([
    ['limit', 0],
    ['limit', 201],
    ['limit', 1.5],
    ['limit', '5'],
    ['limit', null],
    ['cursor', ''],
    ['cursor', 5],
    ['cursor', null],
    ['cursor', 'nonsense'],
    ['cursor', '7'],
  ])('refuses %s %j', async (field, value) => {
    const threadId = await scene.account.addThread();
    const { status, body } = await scene.api.getHistory({ thread_id: threadId, [field]: value });
    expect(status).toBe(422);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.details?.map(({ path }) => path)).toEqual([field]);
  });
});
