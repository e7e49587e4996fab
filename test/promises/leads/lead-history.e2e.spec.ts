import { setScene } from '../../support/scenes/base.scene';
import { DialogWriter } from '../../support/database/dialog.writer';
import type { Answer } from '../../support/clients/api.client';
import { setBoardPair } from '../../support/clients/board.pair';
import { uuidOf } from '../../support/database/thread.uuid';
import { RowLock } from '../../support/faults/row.lock';
import { eventually } from '../../support/eventually';

const scene = setScene({ servers: 2, stages: [{ name: 'New' }, { name: 'Оплачено', kind: 'success' }] });
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Entry {
  seq: number;
  at: string;
  type: string;
  from: unknown;
  to: unknown;
}

describe('get-history', () => {
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
    expect((await scene.api.getLead(threadId)).body.data.status_set_at).toBe(body.data.entries[0].at);
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

  it('is empty for a dialog to which nothing happened, and shows nothing of others', async () => {
    await movedThread(1);
    const threadId = await scene.account.addThread();
    const { body } = await scene.api.getHistory({ thread_id: threadId });
    expect(body.data).toEqual({ entries: [], next_cursor: null });
  });

  it('comes in pages, newest first, without a gap or a repetition while new entries arrive', async () => {
    const threadId = await movedThread(5);
    const before = await entriesOf(threadId);
    const full = (await scene.api.getHistory({ thread_id: threadId, limit: 5 })).body.data;
    expect([full.entries, full.next_cursor]).toEqual([before, null]);
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

  // Each of its fields: apps/server/src/http/dto/dto-pipe.spec.ts.
  it('refuses a wrong field, and a cursor that is none', async () => {
    const threadId = await scene.account.addThread();
    for (const [field, value] of [
      ['limit', 201],
      ['cursor', 'nonsense'],
      ['cursor', '7'],
    ] as const) {
      const { status, body } = await scene.api.getHistory({ thread_id: threadId, [field]: value });
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(body.error.details?.map(({ path }) => path)).toEqual([field]);
    }
  });
});

describe('what people change of a lead', () => {
  /** Words are found a second or two after they are written. */
  const FOUND_MS = 10_000;
  const boards = setBoardPair(scene);
  const dataOf = ({ status, body }: Answer): unknown => ({ status, ...body.data });

  const historyOf = async (thread_id: string): Promise<Record<string, unknown>[]> =>
    (await scene.api.getHistory({ thread_id })).body.data.entries as Record<string, unknown>[];

  const shownIn = async (thread: string): Promise<Record<string, unknown>> => {
    const { body } = await scene.api.getThreads({ assistant_id: scene.account.assistantId, limit: 200 });
    const listed = (body.data.threads as Record<string, unknown>[]).find(
      ({ thread_id }) => thread_id === thread,
    );
    if (!listed) throw new Error('the dialog is in no list');
    return listed;
  };

  /** A customer whom the messenger calls so. */
  async function customer(name: string | null): Promise<string> {
    const thread = await scene.account.addThread();
    await scene.database.pool.query('UPDATE threads SET customer_name = $2 WHERE id = $1', [
      uuidOf(thread),
      name,
    ]);
    return thread;
  }

  async function asksFor(thread: string, reason: string): Promise<void> {
    await scene.database.pool.query(
      `UPDATE threads SET attention = $2, attention_note = 'why', attention_since = clock_timestamp() WHERE id = $1`,
      [uuidOf(thread), reason],
    );
  }

  describe('set-name', () => {
    it('names the customer in lists and on boards, and null gives the messenger’s name back', async () => {
      const thread = await customer('aida_kz');
      const named = await scene.api.setName(thread, 'Аида 🌸');
      expect(dataOf(named)).toEqual({
        status: 200,
        thread_id: thread,
        changed: true,
        customer_name: 'Аида 🌸',
      });
      expect(await boards.pair.lastHeard(thread)).toMatchObject({
        event: 'card.updated',
        request_id: named.headers.get('x-request-id'),
        card: { customer_name: 'Аида 🌸' },
      });
      const listed = await shownIn(thread);
      expect(listed).toMatchObject({ customer_name: 'Аида 🌸' });
      const found = await eventually(
        async () => {
          const { body } = await scene.api.getThreads({ search: 'аИДА' });
          return (body.data.threads as object[]).length > 0 && (body.data.threads as object[]);
        },
        FOUND_MS,
        'the name was not found',
      );
      expect(found).toEqual([listed]);
      expect(dataOf(await scene.api.setName(thread, null))).toMatchObject({
        changed: true,
        customer_name: 'aida_kz',
      });
      expect(await boards.pair.lastHeard(thread)).toMatchObject({ card: { customer_name: 'aida_kz' } });
    });

    it('writes a history entry with who did it, and changes when the dialog was last active', async () => {
      const thread = await customer('aida_kz');
      const before = await shownIn(thread);
      const named = await scene.api.setName(thread, 'Aida');
      await scene.api.setName(thread, null);
      expect(await historyOf(thread)).toMatchObject([
        { type: 'name', by: 'SYSTEM', actor: { name: 'key' }, from: 'Aida', to: null },
        {
          ...{ type: 'name', by: 'SYSTEM', actor: { name: 'key' }, from: null, to: 'Aida' },
          request_id: named.headers.get('x-request-id'),
        },
      ]);
      expect(Date.parse(String((await shownIn(thread)).updated_at))).toBeGreaterThan(
        Date.parse(String(before.updated_at)),
      );
    });

    it.each(['Aida', null])('appends nothing when the name is %j already', async (name) => {
      const thread = await customer('aida_kz');
      await scene.api.setName(thread, name);
      const before = await scene.kept.everything(thread);
      expect(dataOf(await scene.api.setName(thread, name))).toMatchObject({ status: 200, changed: false });
      expect(await scene.kept.everything(thread)).toEqual(before);
    });

    it('leaves one unbroken chain when many name at once', async () => {
      const thread = await customer(null);
      const lock = await RowLock.take(scene.database, thread);
      const names = Array.from({ length: 12 }, (_, n) => `name ${n % 4}`);
      const calls = Promise.all(names.map((name, n) => scene.apiAt(n).setName(thread, name)));
      await lock.waiters(2);
      await lock.release();
      const changed = (await calls).filter(({ body }) => body.data.changed === true).length;
      const entries = (await historyOf(thread)).reverse();
      expect(entries).toHaveLength(changed);
      expect(entries.map(({ from }) => from)).toEqual([null, ...entries.slice(0, -1).map(({ to }) => to)]);
      expect(await shownIn(thread)).toMatchObject({ customer_name: entries.at(-1)?.to });
    });

    it('takes the longest name, of letters of four bytes too', async () => {
      const thread = await customer(null);
      for (const name of ['ж'.repeat(200), '😀'.repeat(100), `' OR true --`, '<b>Aida</b>'])
        expect(dataOf(await scene.api.setName(thread, name))).toMatchObject({ customer_name: name });
    });

    // Each name that is none: apps/server/src/leads/lead.request.spec.ts.
    it('refuses what is no name and changes nothing', async () => {
      const thread = await customer('aida_kz');
      const before = await scene.kept.everything(thread);
      const { status, body } = await scene.api.setName(thread, 'Aida\nPaid');
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(await scene.kept.everything(thread)).toEqual(before);
    });

    it('names a customer who has unsubscribed too', async () => {
      const thread = await scene.account.addThread({ optedOut: true });
      expect(dataOf(await scene.api.setName(thread, 'Aida'))).toMatchObject({ status: 200, changed: true });
    });
  });

  describe('clear-attention', () => {
    it('takes the mark off, on boards and in lists, with a history entry', async () => {
      const thread = await scene.account.addThread();
      await asksFor(thread, 'hand_over');
      const cleared = await scene.api.clearAttention(thread);
      expect(dataOf(cleared)).toEqual({ status: 200, thread_id: thread, changed: true });
      expect(await boards.pair.lastHeard(thread)).toMatchObject({
        event: 'card.updated',
        card: { attention: null },
      });
      expect(await shownIn(thread)).toMatchObject({ attention: null, message_handler: 'AI' });
      expect(await historyOf(thread)).toMatchObject([
        {
          ...{ type: 'attention', by: 'SYSTEM', actor: { name: 'key' }, from: 'hand_over', to: null },
          request_id: cleared.headers.get('x-request-id'),
        },
      ]);
    });

    it('appends nothing where nobody is asked for', async () => {
      const thread = await scene.account.addThread();
      const before = await scene.kept.everything(thread);
      expect(dataOf(await scene.api.clearAttention(thread))).toMatchObject({ changed: false });
      expect(await scene.kept.everything(thread)).toEqual(before);
    });

    it('is one change when two clear at once', async () => {
      const thread = await scene.account.addThread();
      await asksFor(thread, 'model');
      const lock = await RowLock.take(scene.database, thread);
      const calls = Promise.all([0, 1, 0, 1].map((at) => scene.apiAt(at).clearAttention(thread)));
      await lock.waiters(2);
      await lock.release();
      expect((await calls).map(({ body }) => body.data.changed as boolean).sort()).toEqual([
        false,
        false,
        false,
        true,
      ]);
      expect(await historyOf(thread)).toHaveLength(1);
    });
  });
});
