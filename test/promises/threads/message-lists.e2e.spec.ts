import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene();

const idsOf = ({ body }: Answer): string[] => (body.data.messages as { id: string }[]).map(({ id }) => id);

/** Every message of a dialog, page by page. */
async function readAll(threadId: string, limit: number): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await scene.api.getMessages({ thread_id: threadId, limit, cursor });
    expect(answer.status).toBe(200);
    expect(idsOf(answer).length).toBeLessThanOrEqual(limit);
    all.push(...idsOf(answer));
    cursor = (answer.body.data.next_cursor as string | null) ?? undefined;
  } while (cursor !== undefined);
  return all;
}

describe('get-messages', () => {
  it('shows exactly the fields of the contract, of a customer’s message and of ours', async () => {
    const { account, api } = scene;
    const thread = await account.addThread();
    const said = await account.addMessage(thread, {
      text: 'Где мой заказ?',
      messageId: 'wamid.in',
      at: '2026-11-20T09:30:01.250999Z',
      sentAt: '2026-11-20T09:29:59Z',
    });
    const error = { code: 'PROVIDER_ERROR', message: 'Not on WhatsApp', provider_code: 131026 };
    const sent = await account.addMessage(thread, {
      role: 'SYSTEM',
      type: 'template',
      status: 'failed',
      text: 'Заказ готов',
      messageId: 'wamid.out',
      at: '2026-11-20T09:31:00Z',
      sentAt: '2026-11-20T09:31:00.5Z',
      error: { ...error, code: 'PROVIDER_ERROR' },
    });
    expect((await api.getMessages({ thread_id: thread })).body.data).toEqual({
      messages: [
        {
          id: sent,
          message_id: 'wamid.out',
          role: 'SYSTEM',
          type: 'template',
          text: 'Заказ готов',
          status: 'failed',
          error,
          created_at: '2026-11-20T09:31:00.000Z',
          sent_at: '2026-11-20T09:31:00.500Z',
          ...{ media: null, content: null, quoted: null, referral: null },
          ...{ pricing: null, author: null, edited_at: null, deleted_at: null },
        },
        {
          id: said,
          message_id: 'wamid.in',
          role: 'USER',
          type: 'text',
          text: 'Где мой заказ?',
          status: 'received',
          error: null,
          created_at: '2026-11-20T09:30:01.250Z',
          sent_at: '2026-11-20T09:29:59.000Z',
          ...{ media: null, content: null, quoted: null, referral: null },
          ...{ pricing: null, author: null, edited_at: null, deleted_at: null },
        },
      ],
      next_cursor: null,
    });
  });

  it('answers an empty list for a dialog in which nothing was said', async () => {
    const thread = await scene.account.addThread();
    const { body } = await scene.api.getMessages({ thread_id: thread });
    expect(body.data).toEqual({ messages: [], next_cursor: null });
  });

  it('orders by arrival, whatever the senders’ own times say', async () => {
    const thread = await scene.account.addThread();
    const ours = await scene.account.addMessage(thread, {
      role: 'AI',
      at: '2026-11-20T09:30:00.600000Z',
      sentAt: '2026-11-20T09:30:02Z',
    });
    const quick = await scene.account.addMessage(thread, {
      at: '2026-11-20T09:30:00.600001Z',
      sentAt: '2026-11-20T09:30:00Z',
    });
    expect(idsOf(await scene.api.getMessages({ thread_id: thread }))).toEqual([quick, ours]);
  });

  it('pages without a miss or a repeat through messages of one millisecond and of one instant', async () => {
    const thread = await scene.account.addThread();
    const expected: { id: string; at: string }[] = [];
    for (let n = 0; n < 23; n++) {
      // Three at each microsecond, all within one millisecond.
      const at = `2026-11-20T09:30:00.5000${String(Math.floor(n / 3)).padStart(2, '0')}Z`;
      expected.push({ id: await scene.account.addMessage(thread, { at }), at });
    }
    expected.sort((a, b) => (b.at + b.id < a.at + a.id ? -1 : 1));
    for (const limit of [1, 5, 23]) {
      expect(await readAll(thread, limit)).toEqual(expected.map(({ id }) => id));
    }
  });

  it('goes on where it was when messages arrive meanwhile', async () => {
    const thread = await scene.account.addThread();
    const first = await scene.account.addMessage(thread);
    const second = await scene.account.addMessage(thread);
    const { body } = await scene.api.getMessages({ thread_id: thread, limit: 1 });
    expect(body.data.messages[0].id).toBe(second);
    await scene.account.addMessage(thread);
    const next = await scene.api.getMessages({ thread_id: thread, limit: 1, cursor: body.data.next_cursor });
    expect(idsOf(next)).toEqual([first]);
    expect(next.body.data.next_cursor).toBeNull();
  });

  it('shows the page around a message, and goes on from it both ways to the ends', async () => {
    const { account, api } = scene;
    const thread = await account.addThread();
    // Three at each microsecond, all within one millisecond.
    const at = (n: number): string =>
      `2026-11-20T09:30:00.5000${String(Math.floor(n / 3)).padStart(2, '0')}Z`;
    const all = await Promise.all(
      Array.from({ length: 11 }, async (_, n) => ({
        id: await account.addMessage(thread, { at: at(n) }),
        at: at(n),
      })),
    );
    all.sort((a, b) => (b.at + b.id < a.at + a.id ? -1 : 1));
    const newestFirst = all.map(({ id }) => id);
    const pageOf = async (fields: object): Promise<Answer> => {
      const answer = await api.getMessages({ thread_id: thread, ...fields });
      expect(answer.status).toBe(200);
      return answer;
    };
    for (const limit of [1, 2, 5]) {
      for (const [place, around] of newestFirst.entries()) {
        const page = await pageOf({ around, limit });
        const newerMost = Math.floor((limit - 1) / 2);
        const first = Math.max(0, place - newerMost);
        expect(idsOf(page)).toEqual(newestFirst.slice(first, place + limit - newerMost));
        if (place % 5 > 0) continue;
        const read = idsOf(page);
        let { previous_cursor: newer, next_cursor: older } = page.body.data;
        while (newer !== null) {
          const next = await pageOf({ cursor: newer, limit });
          read.unshift(...idsOf(next));
          newer = next.body.data.previous_cursor;
        }
        while (older !== null) {
          const next = await pageOf({ cursor: older, limit });
          read.push(...idsOf(next));
          older = next.body.data.next_cursor;
        }
        expect(read).toEqual(newestFirst);
      }
    }
  });

  it('goes back from newer messages to where it came from', async () => {
    const { account, api } = scene;
    const thread = await account.addThread();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.unshift(await account.addMessage(thread));
    const around = await api.getMessages({ thread_id: thread, around: ids[3], limit: 1 });
    const { previous_cursor: newer } = around.body.data;
    const page = await api.getMessages({ thread_id: thread, cursor: newer, limit: 2 });
    expect(idsOf(page)).toEqual([ids[1], ids[2]]);
    const back = await api.getMessages({ thread_id: thread, cursor: page.body.data.next_cursor });
    expect(idsOf(back)).toEqual([ids[3]]);
  });

  it('knows no message around which it could show a page but those of the dialog', async () => {
    const { account, api, database } = scene;
    const foreign = await AccountFixture.create(database.pool);
    const thread = await account.addThread();
    const asked = [
      randomUUIDv7(),
      await account.addMessage(await account.addThread()),
      await foreign.addMessage(await foreign.addThread()),
      'malformed',
    ];
    const answers = await Promise.all(asked.map((around) => api.getMessages({ thread_id: thread, around })));
    expect([answers[0]!.status, answers[0]!.body.error.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
    expect(answers[0]!.body.error.message).toMatch(/ Check around\.$/);
    expect(answers.map(refusalOf)).toEqual(asked.map(() => refusalOf(answers[0]!)));
    const own = await account.addMessage(thread);
    const inForeign = await api.getMessages({ thread_id: await foreign.addThread(), around: own });
    expect([inForeign.status, inForeign.body.error.code]).toEqual([404, 'THREAD_NOT_FOUND']);
  });

  it('refuses a cursor beside the message around which it shows a page', async () => {
    const { account, api } = scene;
    const thread = await account.addThread();
    const ids = [await account.addMessage(thread), await account.addMessage(thread)];
    const { body } = await api.getMessages({ thread_id: thread, limit: 1 });
    const fields = { thread_id: thread, cursor: body.data.next_cursor, around: ids[0] };
    const refused = await api.getMessages(fields);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(refused.body.error.details?.map((fault) => fault.path)).toEqual(['cursor']);
  });

  // Each of its fields: apps/server/src/threads/thread.request.spec.ts. Dialogs out of reach: whose-thing.e2e.spec.ts.
  it('refuses a wrong field, and a cursor that is none', async () => {
    const thread = await scene.account.addThread();
    const day = Buffer.from(`2026-02-30 09:30:00.000000 ${randomUUIDv7()}`).toString('base64url');
    for (const [path, fields] of [
      ['limit', { limit: 201 }],
      ['cursor', { cursor: day }],
    ] as const) {
      const { status, body } = await scene.api.getMessages({ thread_id: thread, ...fields });
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(body.error.details?.map((fault) => fault.path)).toEqual([path]);
    }
  });

  it('takes a key with either scope', async () => {
    const thread = await scene.account.addThread();
    for (const scope of ['messages', 'leads']) {
      const key = await scene.account.addKey({ scopes: [scope] });
      expect((await scene.apiAt(0, key).getMessages({ thread_id: thread })).status).toBe(200);
    }
  });

  it('counts on the general counter', async () => {
    const thread = await scene.account.addThread();
    const api = scene.apiAt(0, await scene.account.addKey({ limitGeneral: 1, limitLeads: 1 }));
    expect((await api.getMessages({ thread_id: thread })).status).toBe(200);
    expect((await api.getMessages({ thread_id: thread })).status).toBe(429);
    expect((await api.getLead(thread)).status).toBe(200);
  });
});

describe('a key with the bot of a dialog, but not its agent', () => {
  it('sees what the bot sent, and nothing that the customer wrote', async () => {
    const { account } = scene;
    const other = await account.addAssistant();
    const api = scene.apiAt(0, await account.addKey({ assistantIds: [other] }));
    const thread = await account.addThread();
    const said = await account.addMessage(thread, { text: 'private' });
    const sent = await account.addMessage(thread, { role: 'SYSTEM', status: 'unknown', text: 'ours' });
    expect((await api.getMessage(sent)).body.data).toMatchObject({ id: sent, text: 'ours' });
    for (const { status, body } of [await api.getMessage(said), await api.settleMessage(said, 'sent')]) {
      expect([status, body.error.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
    }
  });
});
