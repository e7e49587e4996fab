import type { BoardEvent } from '@app/contracts/board-events';
import type { Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { AgentTalks, moveTo } from '../../support/scenes/agent.talks';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const RULED = 2;
const TOGETHER = 16;

const scene = setReplyScene({
  servers: 2,
  stages: [{}, {}, {}],
});
const talks = new AgentTalks(scene);
let boards: BoardClient[];

beforeAll(async () => {
  await scene.database.pool.query(`UPDATE statuses SET on_enter = 'operator' WHERE id = $1`, [
    scene.stage(RULED),
  ]);
  boards = await Promise.all(
    scene.servers.map(({ url }) => BoardClient.connect(url, { api_key: scene.account.key })),
  );
  for (const board of boards) await board.open(scene.account.assistantId);
});

afterAll(() => {
  for (const board of boards ?? []) board.close();
});

const idOf = ({ status, headers }: Answer): string | null => {
  expect(status).toBe(200);
  return headers.get('x-request-id');
};

/** What the boards of both processes heard of a dialog up to its version: each event's name and request, in order. */
async function heard(thread: string): Promise<[BoardEvent['event'], string | null][]> {
  const { rows } = await scene.database.pool.query<{ version: number }>(
    'SELECT version::int FROM threads WHERE id = $1',
    [uuidOf(thread)],
  );
  const last = rows[0]?.version ?? 0;
  const [first, second] = await Promise.all(
    boards.map(async (board) => {
      await board.hears(({ thread_id, version }) => thread_id === thread && version >= last);
      return board.events.filter(({ thread_id }) => thread_id === thread);
    }),
  );
  const told = (events: BoardEvent[] = []) =>
    events.map(({ event, request_id }): [BoardEvent['event'], string | null] => [event, request_id]);
  expect(told(second)).toEqual(told(first));
  return told(first);
}

/** The oldest first. */
async function entriesOf(thread_id: string): Promise<[string, string | null][]> {
  const { body } = await scene.api.getHistory({ thread_id });
  const entries = body.data.entries as { type: string; request_id: string | null }[];
  return entries.map(({ type, request_id }): [string, string | null] => [type, request_id]).reverse();
}

describe('boards and the history name the request of', () => {
  it('each of the moves that come together', async () => {
    const threads = await Promise.all(Array.from({ length: TOGETHER }, () => scene.account.addThread()));
    await Promise.all(
      threads.map(async (thread_id, n) => {
        const body = { thread_id, status_id: scene.stage(1) };
        const headers = { 'X-Request-Id': `invoice-${n}` };
        const answer = await scene.apiAt(n).call('leads/set-status', body, 'POST', headers);
        expect(idOf(answer)).toBe(`invoice-${n}`);
      }),
    );
    for (const [n, thread] of threads.entries()) {
      expect(await heard(thread)).toEqual([['card.moved', `invoice-${n}`]]);
      expect(await entriesOf(thread)).toEqual([['status', `invoice-${n}`]]);
    }
  });

  it('a move that is made alone, and what the rule of its stage does', async () => {
    const thread_id = await scene.account.addThread();
    const id = idOf(await scene.api.setStatus({ thread_id, status_id: scene.stage(RULED) }));
    expect(await heard(thread_id)).toEqual([
      ['card.moved', id],
      ['ai.switched', id],
    ]);
    expect(await entriesOf(thread_id)).toEqual([
      ['status', id],
      ['handler', id],
    ]);
  });

  it('a move that a board had missed', async () => {
    const thread_id = await scene.account.addThread();
    const first = idOf(await scene.api.setStatus({ thread_id, status_id: scene.stage(0) }));
    await heard(thread_id);
    const since = boards[0]?.events.at(-1)?.seq ?? 0;
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    const second = idOf(await scene.api.setStatus({ thread_id, status_id: scene.stage(1) }));
    const answer = await board.reopen(scene.account.assistantId, since);
    board.close();
    const missed = 'events' in answer ? answer.events : [];
    expect(
      missed.filter((event) => event.thread_id === thread_id).map(({ request_id }) => request_id),
    ).toEqual([first, second]);
  });

  it('a list of moves, the same in each dialog', async () => {
    const threads = await Promise.all([0, 1, 2].map(() => scene.account.addThread()));
    const items = threads.map((thread_id) => ({ thread_id, status_id: scene.stage(0) }));
    const id = idOf(await scene.api.setStatusBulk({ items }));
    for (const thread of threads) {
      expect(await heard(thread)).toEqual([['card.moved', id]]);
      expect(await entriesOf(thread)).toEqual([['status', id]]);
    }
  });

  it('the switch', async () => {
    const thread = await scene.account.addThread();
    const off = idOf(await scene.api.setAi(thread, false));
    const on = idOf(await scene.apiAt(1).setAi(thread, true));
    expect(off).not.toBe(on);
    expect(await heard(thread)).toEqual([
      ['ai.switched', off],
      ['ai.switched', on],
    ]);
    expect(await entriesOf(thread)).toEqual([
      ['ai', off],
      ['ai', on],
    ]);
  });

  it('a text, the takeover that it begins, and what the provider answers', async () => {
    const thread = await scene.account.addThread({ phone: `+${newCustomer().phone}` });
    const id = idOf(await scene.api.sendText(thread, 'Здравствуйте'));
    expect(await heard(thread)).toEqual([
      ['message.created', id],
      ['ai.switched', id],
      ['message.updated', id],
    ]);
    expect(await entriesOf(thread)).toEqual([['handler', id]]);
    const [created, , updated] = boards[0]?.events.filter(({ thread_id }) => thread_id === thread) ?? [];
    expect(created).toMatchObject({ actor: { type: 'key' } });
    expect(updated).toMatchObject({ event: 'message.updated', actor: created?.actor });
  });

  it('a template to one customer, and to several', async () => {
    const order = {
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      template_id: 'order_ready',
      params: [],
    };
    const [one, ...several] = [newCustomer(), newCustomer(), newCustomer()].map(({ phone }) => `+${phone}`);
    for (const to of [{ phone: one }, several.map((phone) => ({ phone }))]) {
      const id = idOf(await scene.api.sendTemplate({ ...order, to }));
      const phones = Array.isArray(to) ? several : [one];
      const { body } = await scene.api.getThreads({ phones });
      expect(body.data.threads).toHaveLength(phones.length);
      for (const { thread_id } of body.data.threads as { thread_id: string }[]) {
        await boards[0]?.hears((told) => told.thread_id === thread_id && told.event === 'message.updated');
        expect(await heard(thread_id)).toEqual([
          ['card.created', id],
          ['message.created', id],
          ['message.updated', id],
        ]);
      }
    }
  });

  it('a message that a person settles', async () => {
    const thread = await scene.account.addThread();
    const message = await scene.account.addMessage(thread, { role: 'SYSTEM', status: 'unknown' });
    const id = idOf(await scene.api.settleMessage(message, 'sent'));
    expect(await heard(thread)).toEqual([['message.updated', id]]);
  });
});

it('what the customer and the agent do has no request', async () => {
  const talked = await talks.through([moveTo(scene.stage(1))]);
  const thread = `thread_${talked.thread}`;
  const events = await heard(thread);
  expect(events.map(([name]) => name)).toEqual(expect.arrayContaining(['message.created', 'card.moved']));
  expect(events.filter(([, id]) => id !== null)).toEqual([]);
  expect(await entriesOf(thread)).toEqual([['status', null]]);
});
