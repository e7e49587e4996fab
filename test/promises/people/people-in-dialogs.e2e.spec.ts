import type { Answer } from '../../support/clients/api.client';
import { ApiClient } from '../../support/clients/api.client';
import { setBoardPair } from '../../support/clients/board.pair';
import type { SessionClient } from '../../support/clients/session.client';
import { addAdminKey } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { invite, joinBy } from '../../support/scenes/people.scene';
import { newPhone, setSendScene } from '../../support/scenes/send.scene';

const scene = setSendScene({ servers: 2 });
const boards = setBoardPair(scene);

let page: SessionClient;
let actor: object;

beforeAll(async () => {
  const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  page = await joinBy(scene.server.url, await invite(admin, scene.account.id, { name: 'Айгерим' }));
  actor = { type: 'user', id: page.userId, name: 'Айгерим' };
});

interface Entry {
  type: string;
  by: string;
  actor: object | null;
  request_id: string | null;
}

/** What a person does in a dialog: the call, the board event of it, and the entry of the history, where it makes one. */
interface Deed {
  path: string;
  body: (of: { stages: string[]; userId: string; said: string }) => object;
  event: string;
  entry?: { type: string; by: string; from?: unknown; to?: unknown };
}

const DEEDS: Record<string, Deed> = {
  'a move': {
    path: 'leads/set-status',
    body: ({ stages }) => ({ status_id: stages[1] }),
    event: 'card.moved',
    entry: { type: 'status', by: 'OPERATOR_MANUAL' },
  },
  'switching the agent off': {
    path: 'leads/set-ai',
    body: () => ({ ai_enabled: false }),
    event: 'ai.switched',
    entry: { type: 'ai', by: 'OPERATOR_MANUAL', from: true, to: false },
  },
  'a name': {
    path: 'leads/set-name',
    body: () => ({ name: 'Дана' }),
    event: 'card.updated',
    entry: { type: 'name', by: 'OPERATOR_MANUAL', from: null, to: 'Дана' },
  },
  'taking the mark off': {
    path: 'leads/clear-attention',
    body: () => ({}),
    event: 'card.updated',
    entry: { type: 'attention', by: 'OPERATOR_MANUAL', from: 'model', to: null },
  },
  'an assignment': {
    path: 'leads/assign',
    body: ({ userId }) => ({ user_id: userId }),
    event: 'card.updated',
    entry: { type: 'assignee', by: 'OPERATOR_MANUAL', from: null },
  },
  reading: {
    path: 'messages/mark-read',
    body: ({ said }) => ({ up_to: said }),
    event: 'card.updated',
  },
  'a note': { path: 'messages/add-note', body: () => ({ text: 'Перезвонить' }), event: 'message.created' },
};

/** A dialog in which the customer waits, has been read by nobody, and a person is asked for. */
async function dialog(): Promise<{ thread: string; said: string }> {
  const thread = await scene.account.addThread({ phone: newPhone(), waitingMinutes: 1 });
  const said = await scene.account.addMessage(thread, { text: 'Алло' });
  await scene.database.pool.query(
    `UPDATE threads SET unread_count = 1, attention = 'model', attention_since = clock_timestamp() WHERE id = $1`,
    [uuidOf(thread)],
  );
  return { thread, said };
}

const entriesOf = async (thread_id: string): Promise<Entry[]> =>
  (await scene.api.getHistory({ thread_id })).body.data.entries as Entry[];

const requestOf = ({ headers }: Answer): string | null => headers.get('x-request-id');

describe('what a person does by a session carries who it was', () => {
  it.each(Object.entries(DEEDS))('%s: on the boards of every process and in the history', async (_, deed) => {
    const { thread, said } = await dialog();
    const { stages } = scene.account;
    const body = { thread_id: thread, ...deed.body({ stages, userId: page.userId, said }) };
    const answer = await page.at(scene.servers[1]!.url).call(deed.path, body);
    expect([answer.status, answer.body.data?.changed ?? true]).toEqual([200, true]);
    const request_id = requestOf(answer);
    expect(await boards.pair.lastHeard(thread)).toMatchObject({ event: deed.event, actor, request_id });
    const entries = await entriesOf(thread);
    expect(entries).toMatchObject(deed.entry ? [{ ...deed.entry, actor, request_id }] : []);
  });

  it('a text: an operator’s message, with the takeover that it begins', async () => {
    const { thread } = await dialog();
    const answer = await page.call('messages/send-text', { thread_id: thread, text: 'Я здесь' });
    expect(answer.body.data).toMatchObject({ thread_id: thread, status: 'sent' });
    const request_id = requestOf(answer);
    for (const board of boards.pair.boards)
      for (const event of ['message.created', 'ai.switched'])
        expect(
          await board.hears((heard) => heard.thread_id === thread && heard.event === event),
        ).toMatchObject({ actor, request_id });
    expect(await entriesOf(thread)).toMatchObject([
      { type: 'handler', actor, from: 'AI', to: 'OPERATOR', request_id },
    ]);
    const message = await scene.api.getMessage(answer.body.data.id);
    expect(message.body.data).toMatchObject({ role: 'OPERATOR' });
    const lead = await scene.api.getLead(thread);
    expect(lead.body.data).toMatchObject({ message_handler: 'OPERATOR' });
  });

  it('a template: an operator’s message, from a dialog that was not there before', async () => {
    const phone = newPhone();
    const { botId } = scene.account;
    const order = { bot_id: botId, channel: 'waba_coexistence', template_id: 'order_ready', to: { phone } };
    const answer = await page.call('messages/send-template', { ...order, params: ['a', 'b'] });
    expect(answer.status).toBe(200);
    const { thread_id: thread, id } = answer.body.data;
    const request_id = requestOf(answer);
    for (const board of boards.pair.boards)
      for (const event of ['card.created', 'message.created'])
        expect(
          await board.hears((heard) => heard.thread_id === thread && heard.event === event),
        ).toMatchObject({ actor, request_id });
    expect((await scene.api.getMessage(id)).body.data).toMatchObject({ role: 'OPERATOR' });
  });

  it('a key’s deeds carry the key, and so does the provider’s answer to them', async () => {
    const { thread } = await dialog();
    await scene.api.setName(thread, 'Дана');
    expect(await boards.pair.lastHeard(thread)).toMatchObject({ actor: { type: 'key', name: 'key' } });
    const { body } = await scene.api.sendText(thread, 'Готово');
    for (const board of boards.pair.boards) {
      const sent = await board.hears(
        (event) => event.event === 'message.updated' && event.message.id === body.data.id,
      );
      expect(sent).toMatchObject({ actor: { type: 'key', name: 'key' } });
    }
  });
});
