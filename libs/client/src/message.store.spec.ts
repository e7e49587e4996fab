import type { Message } from '@app/contracts/message.words';
import { ApiError } from './api.errors';
import { MessageStore } from './message.store';

const message = (id: string, second: number, fields: Partial<Message> = {}): Message => ({
  ...{
    id,
    message_id: null,
    thread_id: 'thread_1',
    role: 'USER',
    type: 'text',
    text: id,
    status: 'received',
  },
  ...{ error: null, created_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`, sent_at: null },
  ...{
    media: null,
    content: null,
    quoted: null,
    referral: null,
    pricing: null,
    author: null,
    edited_at: null,
    deleted_at: null,
  },
  ...fields,
});

const event = (said: Message, version: number, request_id: string | null = null) => ({
  ...{ message: said, version, request_id },
});

const ids = (store: MessageStore) => store.snapshot().rows.map(({ message: said }) => said?.id ?? null);

describe('the messages of a dialog', () => {
  it('stand by time, then by id, however they come', () => {
    const store = new MessageStore();
    store.take(event(message('b', 5), 2));
    store.reading()({ messages: [message('d', 7), message('c', 5)], older: 'before', newer: null });
    store.take(event(message('a', 1), 3));
    expect(ids(store)).toEqual(['a', 'b', 'c', 'd']);
    expect(store.snapshot()).toMatchObject({ older: 'before', newer: null });
  });

  it('are taken when they are not known, or known by a lower version', () => {
    const store = new MessageStore();
    expect(store.take(event(message('a', 1, { status: 'sent' }), 5))).toBe(true);
    expect(store.take(event(message('a', 1, { status: 'queued' }), 4))).toBe(false);
    expect(store.take(event(message('a', 1, { status: 'sent' }), 5))).toBe(false);
    expect(store.snapshot().rows[0]?.message?.status).toBe('sent');
    expect(store.take(event(message('a', 1, { status: 'read' }), 6))).toBe(true);
    expect(store.snapshot().rows[0]?.message?.status).toBe('read');
  });

  it('are not overwritten by a page that was read before', () => {
    const store = new MessageStore();
    const early = store.reading();
    store.take(event(message('a', 1, { status: 'read' }), 6));
    early({ messages: [message('a', 1, { status: 'sent' })] });
    expect(store.snapshot().rows[0]?.message?.status).toBe('read');
    store.reading()({ messages: [message('a', 1, { status: 'failed' })] });
    expect(store.snapshot().rows[0]?.message?.status).toBe('failed');
  });

  it.each(['its event', 'its answer'])('keep the row of what is sent when %s comes first', (first) => {
    const store = new MessageStore();
    store.take(event(message('a', 1), 1));
    store.send('mine', 'request', 'Good day');
    expect(store.snapshot().rows[1]).toEqual({
      key: 'mine',
      message: null,
      draft: { text: 'Good day', error: null },
    });
    const comes = () =>
      store.take(event(message('b', 3, { text: 'Good day', role: 'OPERATOR' }), 2, 'request'));
    const answers = () => store.sent('mine', 'b');
    for (const happens of first === 'its event' ? [comes, answers] : [answers, comes]) {
      happens();
      expect(store.snapshot().rows.map(({ key }) => key)).toEqual(['a', 'mine']);
    }
    expect(store.snapshot().rows[1]).toMatchObject({ message: { id: 'b' }, draft: null });
    store.take(event(message('b', 3, { status: 'delivered' }), 3));
    expect(store.snapshot().rows.map(({ key }) => key)).toEqual(['a', 'mine']);
  });

  it('keep what could not be sent until it is sent again or given up', () => {
    const store = new MessageStore();
    const error = new ApiError({ code: 'NETWORK', message: 'no answer', status: 0, requestId: 'first' });
    store.send('mine', 'first', 'Good day');
    store.failed('mine', error);
    expect(store.snapshot().rows[0]?.draft).toEqual({ text: 'Good day', error });
    store.send('mine', 'second', 'Good day');
    expect(store.snapshot().rows[0]?.draft?.error).toBeNull();
    store.discard('mine');
    expect(store.snapshot().rows).toEqual([]);
  });

  it('leave every row alone that is not concerned', () => {
    const store = new MessageStore();
    store.take(event(message('a', 1), 1));
    store.take(event(message('b', 2), 2));
    const [a, b] = store.snapshot().rows;
    store.take(event(message('b', 2, { status: 'read' }), 3));
    expect(store.snapshot().rows[0]).toBe(a);
    expect(store.snapshot().rows[1]).not.toBe(b);
    expect(store.snapshot().rows[1]?.key).toBe('b');
  });
});
