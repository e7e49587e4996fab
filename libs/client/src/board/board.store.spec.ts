import type { BoardEvent, BoardSnapshot, Card } from '@app/contracts/board-events';
import type { FunnelStage, ThreadSort } from '@app/contracts/lead.words';
import type { StatusId } from './board-views';
import { BoardStore } from './board.store';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

const STATUSES: FunnelStage[] = ['new', 'paid'].map((id, order) => ({
  ...{ id, name: id, kind: 'active' as const, order, description: null },
  ...{ ai_enabled: true, ai_transition_locked: false },
}));

const stageOf = (id: StatusId) => {
  const stage = STATUSES.find((each) => each.id === id);
  return stage ? { id: stage.id, name: stage.name, kind: stage.kind, order: stage.order } : null;
};

/** @param second of its last activity */
const card = (id: string, second: number, fields: Partial<Card> = {}): Card => ({
  ...{
    thread_id: id,
    assistant_id: 'assistant',
    bot_id: 'bot',
    channel: 'WABA',
    phone: null,
    customer: { phone: null, wa_id: null, user_id: null, username: null, phone_proven: false },
    same_customer: [],
    conducted_elsewhere: false,
    customer_name: null,
  },
  ...{ message_handler: 'AI', ai_enabled: true, opted_out: false, takeover_until: null, waiting: false },
  ...{ waiting_since: null, waiting_reason: null, window_until: null },
  ...{ lead_status: null, status_set_at: null, status_set_by: null, status_cleared_at: null },
  ...{ last_message: null, unread_count: 0, attention: null, assignee: null, erased_at: null },
  ...{ created_at: at(0), updated_at: at(second), version: 1 },
  ...fields,
});

const snapshotOf = (
  columns: Partial<Record<'none' | 'new' | 'paid', Card[]>>,
  more: object = {},
): BoardSnapshot => ({
  seq: 10,
  statuses: STATUSES,
  columns: ([null, 'new', 'paid'] as const).map((status_id) => {
    const cards = (columns[status_id ?? 'none'] ?? []).map((each) => ({
      ...each,
      lead_status: stageOf(status_id),
    }));
    return { status_id, total: cards.length, cards, next_cursor: null, ...(status_id === 'new' ? more : {}) };
  }),
});

let seq = 100;
const updated = (shown: Card, fields: Partial<BoardEvent> = {}): BoardEvent =>
  ({
    ...{
      event: 'card.updated',
      seq: (seq += 1),
      thread_id: shown.thread_id,
      version: shown.version,
      at: at(50),
    },
    ...{ request_id: null, actor: { type: 'user', id: 'dana', name: 'Dana' }, card: shown },
    ...fields,
  }) as BoardEvent;

const moved = (shown: Card, from: StatusId, to: StatusId, request_id: string | null = null): BoardEvent =>
  ({
    ...updated({ ...shown, lead_status: stageOf(to) }),
    ...{ event: 'card.moved', from_status_id: from, to_status_id: to, status: stageOf(to), request_id },
  }) as BoardEvent;

function storeOf(
  columns: Parameters<typeof snapshotOf>[0],
  more: object = {},
  sort: ThreadSort = 'activity',
) {
  const store = new BoardStore();
  store.expect({ assistantId: 'assistant', sort });
  store.snapshot(snapshotOf(columns, more));
  return store;
}

const ids = (store: BoardStore, statusId: StatusId) => store.column(statusId)?.ids;
const total = (store: BoardStore, statusId: StatusId) => store.column(statusId)?.total;

describe('a store of a board', () => {
  it('tells of a card only those who show it', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8)] });
    const told: string[] = [];
    for (const id of ['a', 'b']) store.subscribeCard(id, () => told.push(id));
    for (const id of [null, 'new', 'paid']) store.subscribeColumn(id, () => told.push(`column ${id}`));
    const [other, column] = [store.card('b'), store.column('new')];
    store.event(updated(card('a', 9, { version: 2, lead_status: stageOf('new'), customer_name: 'Ayan' })));
    expect(told).toEqual(['a']);
    expect(store.card('b')).toBe(other);
    expect(store.column('new')).toBe(column);
    store.event(updated(card('a', 9, { version: 2, lead_status: stageOf('new'), customer_name: 'Ayan' })));
    expect(told).toEqual(['a']);
  });

  it('takes a card out of the filter, and lets no older page bring it back', () => {
    const store = storeOf({ new: [card('b', 8)] }, { next_cursor: 'next', total: 2 });
    const further = store.further('new');
    const left = card('a', 7, { version: 2, lead_status: stageOf('new') });
    store.event(updated(left, { in_filter: false }));
    const read = card('a', 7, { lead_status: stageOf('new') });
    further?.take({ seq: 1, status_id: 'new', cards: [read], next_cursor: null });
    expect(ids(store, 'new')).toEqual(['b']);
    // What no card shows takes it in again, with the same version.
    store.event(updated(left, { in_filter: true }));
    expect(ids(store, 'new')).toEqual(['b', 'a']);
  });

  it('leaves out a card whose place is beyond what is loaded, until it is loaded', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 5)] }, { next_cursor: 'next', total: 4 });
    store.event(moved(card('c', 4, { version: 2 }), null, 'new'));
    store.event(moved(card('d', 7, { version: 2 }), null, 'new'));
    expect(ids(store, 'new')).toEqual(['a', 'd', 'b']);
    const cards = [card('e', 3, { lead_status: stageOf('new') })];
    store.further('new')?.take({ seq: 1, status_id: 'new', cards, next_cursor: null });
    expect(ids(store, 'new')).toEqual(['a', 'd', 'b', 'c', 'e']);
  });

  it('drops a page that was asked for before all was read anew', () => {
    const store = storeOf({ new: [card('a', 9)] }, { next_cursor: 'next', total: 2 });
    const further = store.further('new');
    store.snapshot(snapshotOf({ new: [card('a', 9)] }, { next_cursor: 'next', total: 2 }));
    further?.take({ seq: 1, status_id: 'new', cards: [card('z', 1)], next_cursor: null });
    expect(ids(store, 'new')).toEqual(['a']);
    expect(store.column('new')?.nextCursor).toBe('next');
  });

  it('puts those that wait longest first, and behind them the others', () => {
    const waits = (id: string, since: string | null) =>
      card(id, 1, { version: 2, waiting: since !== null, waiting_since: since, lead_status: stageOf('new') });
    const store = storeOf({}, {}, 'waiting');
    for (const each of [
      waits('a', at(9)),
      waits('b', null),
      waits('c', at(3)),
      waits('d', null),
      waits('e', at(3)),
    ])
      store.event(updated(each));
    expect(ids(store, 'new')).toEqual(['c', 'e', 'a', 'd', 'b']);
  });

  it('shows a move by hand at once, and its event as no second movement', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8)], paid: [card('c', 7)] });
    store.begin({ threadId: 'b', to: 'paid', requestId: 'mine' });
    expect([ids(store, 'new'), ids(store, 'paid'), total(store, 'paid')]).toEqual([['a'], ['b', 'c'], 2]);
    expect(store.card('b')).toMatchObject({ pending: true, card: { lead_status: { id: 'paid' } } });
    let redrawn = 0;
    for (const id of [null, 'new', 'paid']) store.subscribeColumn(id, () => (redrawn += 1));
    store.answered('mine', { changed: true });
    store.event(moved(card('b', 20, { version: 2 }), 'new', 'paid', 'mine'));
    expect(redrawn).toBe(0);
    expect(store.card('b')).toMatchObject({ pending: false, movedBy: null });
    expect(store.takeForeignMoves()).toEqual([]);
  });

  it('takes a refused move back', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8), card('c', 7)] });
    const before = store.column('new')?.ids;
    store.begin({ threadId: 'b', to: 'paid', requestId: 'mine' });
    store.refuse('mine');
    expect(ids(store, 'new')).toEqual(before);
    expect(ids(store, 'paid')).toEqual([]);
    expect(store.card('b')?.pending).toBe(false);
  });

  it('shows the last of two quick moves all the time', () => {
    const store = storeOf({ new: [card('a', 9)] });
    store.begin({ threadId: 'a', to: 'paid', requestId: 'first' });
    store.begin({ threadId: 'a', to: null, requestId: 'second' });
    const seen: unknown[] = [];
    for (const id of [null, 'new', 'paid']) store.subscribeColumn(id, () => seen.push(id));
    store.event(moved(card('a', 20, { version: 2 }), 'new', 'paid', 'first'));
    store.event(moved(card('a', 21, { version: 3 }), 'paid', null, 'second'));
    expect(seen).toEqual([]);
    expect(ids(store, null)).toEqual(['a']);
  });

  it('shows a pending move over whatever the service tells meanwhile', () => {
    const store = storeOf({ new: [card('a', 9)] });
    store.begin({ threadId: 'a', to: 'paid', requestId: 'mine' });
    store.event(moved(card('a', 20, { version: 2 }), 'new', null));
    store.snapshot(snapshotOf({ none: [card('a', 20, { version: 2 })] }));
    expect(ids(store, 'paid')).toEqual(['a']);
    store.refuse('mine');
    expect(ids(store, null)).toEqual(['a']);
    expect(store.card('a')?.movedBy).toMatchObject({ from: 'new', to: null, by: { name: 'Dana' } });
  });

  it('moves for a second tab of the same person, and says who moved', () => {
    const store = storeOf({ new: [card('a', 9)] });
    store.event(moved(card('a', 20, { version: 2 }), 'new', 'paid', 'of-another-tab'));
    expect(ids(store, 'paid')).toEqual(['a']);
    expect(store.takeForeignMoves()).toMatchObject([
      { threadId: 'a', from: 'new', to: 'paid', by: { id: 'dana' } },
    ]);
    expect(store.takeForeignMoves()).toEqual([]);
  });

  it.each(['before', 'after'])('counts a move once when the total comes %s its event', (when) => {
    const large = { next_cursor: 'next', total: 70 };
    const store = storeOf({ new: [card('a', 9), card('b', 8)] }, large);
    store.begin({ threadId: 'a', to: 'paid', requestId: 'mine' });
    const event = () => store.event(moved(card('a', 20, { version: 2 }), 'new', 'paid', 'mine'));
    const told = () => store.total({ assistant_id: 'assistant', status_id: 'new', total: 69 });
    const seen = [total(store, 'new')];
    for (const happens of when === 'before' ? [told, event] : [event, told]) {
      happens();
      seen.push(total(store, 'new'));
    }
    store.forgetMove('mine');
    expect([...seen, total(store, 'new')]).toEqual([69, 69, 69, 69]);
  });

  it('counts what the service tells, when another lead came for the one that was moved', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8)] }, { next_cursor: 'next', total: 70 });
    store.begin({ threadId: 'a', to: 'paid', requestId: 'mine' });
    store.event(moved(card('a', 20, { version: 2 }), 'new', 'paid', 'mine'));
    // No total comes: it is the one that was told already.
    store.forgetMove('mine');
    expect(total(store, 'new')).toBe(70);
  });

  it('keeps the order of a held column until it is sorted again or let go', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8), card('c', 7)], paid: [card('d', 6)] });
    store.hold('new', 'pointer');
    store.hold('new', 'focus');
    const inNew = { lead_status: stageOf('new') };
    store.event(updated(card('c', 30, { version: 2, ...inNew })));
    store.event(moved(card('d', 31, { version: 2 }), 'paid', 'new'));
    store.event(moved(card('b', 32, { version: 2 }), 'new', 'paid'));
    expect(store.column('new')).toMatchObject({ ids: ['a', 'c'], changed: 2, total: 3 });
    store.resort('new');
    expect(store.column('new')).toMatchObject({ ids: ['d', 'c', 'a'], changed: 0 });
    store.event(updated(card('a', 33, { version: 2, ...inNew })));
    store.release('new', 'pointer');
    expect(store.column('new')).toMatchObject({ ids: ['d', 'c', 'a'], changed: 1 });
    store.release('new', 'focus');
    expect(store.column('new')).toMatchObject({ ids: ['a', 'd', 'c'], changed: 0 });
  });

  it('shows one’s own card in a held column at once, and pages behind it', () => {
    const store = storeOf(
      { new: [card('a', 9), card('b', 8)], none: [card('d', 6)] },
      { next_cursor: 'n', total: 3 },
    );
    store.hold('new');
    store.begin({ threadId: 'd', to: 'new', requestId: 'mine' });
    const cards = [card('c', 2, { lead_status: stageOf('new') })];
    store.further('new')?.take({ seq: 1, status_id: 'new', cards, next_cursor: null });
    expect(store.column('new')).toMatchObject({ ids: ['d', 'a', 'b', 'c'], changed: 0, total: 4 });
  });

  it('leaves a card that is in hand as it is and where it is, and tells at the end what happened', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8)] });
    const before = store.card('b');
    store.pin('b');
    store.pin('b');
    store.event(moved(card('b', 20, { version: 2 }), 'new', 'paid'));
    const erased = card('b', 21, { version: 3, lead_status: stageOf('paid'), erased_at: at(21) });
    store.event(updated(erased));
    store.event(updated(card('c', 22, { version: 2, lead_status: stageOf('new') })));
    expect(ids(store, 'new')).toEqual(['c', 'a', 'b']);
    expect(store.card('b')).toBe(before);
    expect(store.unpin('b')).toEqual([]);
    expect(store.unpin('b')).toMatchObject([{ kind: 'moved', from: 'new', to: 'paid' }, { kind: 'erased' }]);
    expect([ids(store, 'new'), ids(store, 'paid')]).toEqual([['c', 'a'], ['b']]);
    expect(store.card('b')?.card).toEqual(erased);
  });

  it('keeps a card in hand over everything being read anew, also where it is not in it', () => {
    const store = storeOf({ new: [card('a', 9), card('b', 8)] });
    store.pin('b');
    store.snapshot(snapshotOf({ new: [card('a', 9)] }));
    expect(ids(store, 'new')).toEqual(['a', 'b']);
    store.unpin('b');
    expect(ids(store, 'new')).toEqual(['a']);
  });

  it('shows who has a dialog open, and forgets it with each answer to board:open', () => {
    const store = storeOf({ new: [card('a', 9)] });
    const users = [{ id: 'dana', name: 'Dana', typing: true }];
    store.presence({ thread_id: 'a', users });
    expect(store.card('a')?.present).toEqual(users);
    store.replay({ seq: 11, events: [] });
    expect(store.card('a')?.present).toEqual([]);
  });

  it('shows a changed funnel, and no move to a stage that is gone', () => {
    const store = storeOf({ new: [card('a', 9)] });
    store.begin({ threadId: 'a', to: 'paid', requestId: 'mine' });
    const { columns, ...rest } = snapshotOf({ new: [card('a', 9)] });
    store.snapshot({ ...rest, statuses: STATUSES.slice(0, 1), columns: columns.slice(0, 2) });
    expect(store.board()).toMatchObject({ columnIds: [null, 'new'], statuses: [{ id: 'new' }] });
    expect(store.column('paid')).toBeUndefined();
    expect(ids(store, 'new')).toEqual(['a']);
  });

  it('goes on by the highest number that it heard, and by none while another view is asked for', () => {
    const store = storeOf({ new: [card('a', 9)] });
    expect(store.since).toBe(10);
    const event = updated(card('a', 20, { version: 2 }));
    store.event(event);
    expect(store.since).toBe(event.seq);
    store.expect({ assistantId: 'assistant', sort: 'opened' });
    expect(store.since).toBeUndefined();
    expect(ids(store, 'new')).toEqual([]);
    expect(store.board().loading).toBe(true);
  });
});
