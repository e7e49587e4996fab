import type { BoardEvent, CardChanged, MessageChanged } from '@app/contracts/board-events';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { DialogWriter } from '../../support/database/dialog.writer';
import { AccountFixture } from '../../support/database/fixture';
import { OpenMove } from '../../support/faults/open.move';
import { setTwoBoards } from '../../support/scenes/two-boards.scene';

const scene = setTwoBoards();
let writer: DialogWriter;

beforeAll(() => {
  writer = new DialogWriter(scene.database.pool, scene.account, { notifies: true });
});

/** The one event of a dialog with a name and version, as both boards heard it. */
async function heardByBoth<Name extends BoardEvent['event']>(
  name: Name,
  thread: string,
  version: number,
): Promise<Extract<BoardEvent, { event: Name }>> {
  const [first, second] = await scene.heardUpTo(thread, version);
  expect(second).toEqual(first);
  expect(first).toMatchObject({
    event: name,
    thread_id: thread,
    version,
    card: { thread_id: thread, version },
  });
  return first as Extract<BoardEvent, { event: Name }>;
}

describe('a board shows', () => {
  it('a dialog that is opened, as a card without a stage', async () => {
    const thread = await writer.open('+77025550101');
    const { card }: CardChanged = await heardByBoth('card.created', thread, 1);
    expect(card).toMatchObject({
      phone: '+77025550101',
      lead_status: null,
      assistant_id: scene.account.assistantId,
    });
  });

  it('a message that is written, with what it makes of the card', async () => {
    const thread = await scene.account.addThread();
    const id = await writer.say(thread, 'USER', 'Здравствуйте');
    const { message, card }: MessageChanged = await heardByBoth('message.created', thread, 2);
    expect(message).toEqual({
      id,
      message_id: null,
      thread_id: thread,
      role: 'USER',
      type: 'text',
      text: 'Здравствуйте',
      status: 'received',
      error: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sent_at: null,
      ...{ media: null, content: null, quoted: null, referral: null },
      ...{ pricing: null, author: null, edited_at: null, deleted_at: null },
    });
    expect(card).toMatchObject({ unread_count: 1, last_message: { role: 'USER', text: 'Здравствуйте' } });
  });

  it('a message as get-messages shows it', async () => {
    const thread = await scene.account.addThread();
    const error = {
      code: 'PROVIDER_ERROR',
      message: 'Number is not on WhatsApp',
      provider_code: 131026,
    } as const;
    const id = await scene.account.addMessage(thread, {
      role: 'SYSTEM',
      type: 'template',
      status: 'failed',
      messageId: 'wamid.1',
      sentAt: '2026-11-20T09:30:00.123456Z',
      error,
    });
    await writer.setState(thread, id, 'failed');
    const { message }: MessageChanged = await heardByBoth('message.updated', thread, 2);
    const { body } = await scene.api.getMessages({ thread_id: thread });
    expect(body.data.messages).toEqual([{ ...message, thread_id: undefined }]);
    expect(message).toMatchObject({ id, message_id: 'wamid.1', error, sent_at: '2026-11-20T09:30:00.123Z' });
  });

  it("a message's states on its way, each with its own version", async () => {
    const thread = await scene.account.addThread();
    const id = await writer.say(thread, 'SYSTEM', 'Ваш заказ готов');
    await heardByBoth('message.created', thread, 2);
    for (const [index, status] of (['delivered', 'read'] as const).entries()) {
      await writer.setState(thread, id, status);
      const { message } = await heardByBoth('message.updated', thread, index + 3);
      expect(message).toMatchObject({ id, status, role: 'SYSTEM' });
    }
  });

  it('a customer who unsubscribes', async () => {
    const thread = await scene.account.addThread();
    await writer.optOut(thread);
    const { card } = await heardByBoth('card.updated', thread, 2);
    expect(card).toMatchObject({ opted_out: true, ai_enabled: false, message_handler: 'OPERATOR' });
  });

  it('a change of the card that no other event tells', async () => {
    const thread = await scene.account.addThread();
    await writer.rename(thread, 'Айгерим');
    const { card } = await heardByBoth('card.updated', thread, 2);
    expect(card.customer_name).toBe('Айгерим');
  });

  it('what was missed meanwhile, as it would have come', async () => {
    const thread = await writer.open();
    await heardByBoth('card.created', thread, 1);
    const [live] = scene.boards;
    const since = live!.events.at(-1)!.seq;
    const id = await writer.say(thread, 'USER', 'Есть кто?');
    await writer.optOut(thread);
    await scene.heardUpTo(thread, 3);
    const back = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    const answer = await back.reopen(scene.account.assistantId, since);
    back.close();
    const missed = ('events' in answer ? answer.events : []).filter((event) => event.thread_id === thread);
    expect(missed.map(({ event, version }) => [event, version])).toEqual([
      ['card.created', 1],
      ['message.created', 2],
      ['card.updated', 3],
    ]);
    expect(missed[1]).toMatchObject({ message: { id, text: 'Есть кто?' } });
  });
});

it('another account gets nothing of a message', async () => {
  const foreign = await AccountFixture.create(scene.database.pool);
  const board = await BoardClient.connect(scene.server.url, { api_key: foreign.key });
  await board.open(foreign.assistantId);
  const thread = await writer.open();
  await writer.say(thread, 'USER', 'тайна');
  await scene.heardUpTo(thread, 2);
  // What comes after it on the same board shows that nothing came before.
  const own = await new DialogWriter(scene.database.pool, foreign, { notifies: true }).open();
  await board.hears((event) => event.thread_id === own);
  expect(board.events.map(({ thread_id }) => thread_id)).toEqual([own]);
  board.close();
});

describe('a column’s total', () => {
  it('counts a dialog opened before the snapshot, and one opened after it, once', async () => {
    const model = new BoardModel();
    const { pool } = scene.database;
    const { assistantId, key } = scene.account;
    const board = await BoardClient.connect(scene.server.url, { api_key: key });
    await writer.open();
    await board.show(model, assistantId);
    await model.untilEqual(pool, assistantId);
    await writer.open();
    await model.untilEqual(pool, assistantId);
    board.close();
  });

  it('counts a dialog that was opened since leads were last counted, for a board that comes later', async () => {
    const { account, server, database } = scene;
    for (let round = 0; round < 2; round++) {
      const thread = await writer.open();
      await scene.boards[0]!.hears((event) => event.thread_id === thread);
      const model = new BoardModel();
      const board = await BoardClient.connect(server.url, { api_key: account.key });
      await board.show(model, account.assistantId);
      await model.untilEqual(database.pool, account.assistantId);
      board.close();
    }
  });

  it('counts a dialog once that was opened above a missing number and comes again', async () => {
    const { account, server, database } = scene;
    // Opened with its event: what is written behind the log's back the totals of the last second do not know.
    const held = await OpenMove.begin(database.url, await writer.open());
    const thread = await writer.open();
    await scene.boards[0]!.hears((event) => event.thread_id === thread);
    const model = new BoardModel();
    for (let round = 0; round < 2; round++) {
      // The second time it is a replay, which has the opening.
      const board = await BoardClient.connect(server.url, { api_key: account.key });
      await board.show(model, account.assistantId);
      await model.untilEqual(database.pool, account.assistantId);
      board.close();
    }
    await held.rollback();
  });
});
