import type {
  BoardEvent,
  BoardPage,
  BoardReplay,
  BoardSnapshot,
  Card,
  ColumnTotal,
} from '@app/contracts/board-events';
import type { Actor, FunnelStage, ThreadSort } from '@app/contracts/lead.words';

export const ASSISTANT = 'assistant';
const OPENED_AT = Date.parse('2026-01-01T00:00:00.000Z');
const COLLEAGUE: Actor = { type: 'user', id: 'colleague', name: 'Dana' };

export const STAGES: FunnelStage[] = ['new', 'paid'].map((id, order) => ({
  ...{ id, name: id, kind: 'active' as const, order, description: null },
  ...{ ai_enabled: true, ai_transition_locked: false },
}));
export const COLUMNS: (string | null)[] = [null, 'new', 'paid'];

const iso = (at: number): string => new Date(at).toISOString();
const threadId = (number: number): string => `thread_${String(number).padStart(4, '0')}`;

/** Where a card stands, by the words of get-threads; a lower text is first. */
function sortKey(card: Card, sort: ThreadSort): string {
  const newestId = String(9_999 - Number(card.thread_id.slice(-4))).padStart(4, '0');
  if (sort === 'opened') return newestId;
  if (sort === 'activity')
    return `${String(9e15 - Date.parse(card.updated_at)).padStart(16, '0')} ${newestId}`;
  return card.waiting_since === null ? `none ${newestId}` : `${card.waiting_since} ${card.thread_id}`;
}

/** The leads of a board as a database would have them, and everything that a service says of them. */
export class ModelledBoard {
  readonly cards = new Map<string, Card>();
  readonly log: BoardEvent[] = [];
  private now = OPENED_AT;

  constructor(
    public sort: ThreadSort,
    /** Whether only leads with unread messages pass. */
    public filtered: boolean,
    private readonly pageSize = 2,
  ) {}

  passes = (card: Card): boolean => !this.filtered || card.unread_count > 0;

  create(unread: number): Card {
    const at = iso((this.now += 7));
    const id = threadId(this.cards.size + 1);
    const card: Card = {
      ...{
        thread_id: id,
        assistant_id: ASSISTANT,
        bot_id: 'bot',
        channel: 'WABA',
        phone: `+7${id.slice(-4)}`,
      },
      customer: { phone: null, wa_id: null, user_id: null, username: null, phone_proven: false },
      same_customer: [],
      conducted_elsewhere: false,
      ...{ customer_name: null, message_handler: 'AI', ai_enabled: true, opted_out: false },
      ...{ takeover_until: null, waiting: false, waiting_since: null, waiting_reason: null },
      ...{ window_until: null, lead_status: null },
      ...{ status_set_at: null, status_set_by: null, status_cleared_at: null },
      ...{ last_message: null, unread_count: unread },
      ...{ attention: null, assignee: null, erased_at: null, created_at: at, updated_at: at, version: 0 },
    };
    return this.tell('card.created', card, {});
  }

  /** A lead comes to a stage. @returns whether it was elsewhere */
  move(id: string, to: string | null, requestId: string | null = null): boolean {
    const card = this.need(id);
    const from = card.lead_status?.id ?? null;
    if (from === to) return false;
    const stage = STAGES.find((each) => each.id === to);
    const status = stage ? { id: stage.id, name: stage.name, kind: stage.kind, order: stage.order } : null;
    const moved = { from_status_id: from, to_status_id: to, status, status_set_by: 'OPERATOR_MANUAL' };
    this.tell('card.moved', card, { lead_status: status }, { ...moved, request_id: requestId });
    return true;
  }

  /** Something else changes: what is read leaves the time of the last activity alone. */
  update(id: string, change: Partial<Card>, active = true): void {
    this.tell('card.updated', this.need(id), change, {}, active);
  }

  say(id: string, waits: boolean): void {
    const card = this.need(id);
    // Some begin to wait at one instant.
    const since = waits ? (card.waiting_since ?? iso(Math.floor(this.now / 50) * 50)) : null;
    const change = { waiting: waits, waiting_since: since, unread_count: waits ? card.unread_count + 1 : 0 };
    this.tell('message.created', card, change);
  }

  /** The cards of a column that pass, in its order. */
  column(statusId: string | null): Card[] {
    return [...this.cards.values()]
      .filter((card) => (card.lead_status?.id ?? null) === statusId && this.passes(card))
      .sort((a, b) => (sortKey(a, this.sort) < sortKey(b, this.sort) ? -1 : 1));
  }

  total(statusId: string | null): ColumnTotal {
    return { assistant_id: ASSISTANT, status_id: statusId, total: this.column(statusId).length };
  }

  snapshot(): BoardSnapshot {
    const columns = COLUMNS.map((status_id) => ({
      ...{ status_id, total: this.column(status_id).length },
      ...this.part(this.column(status_id)),
    }));
    return { seq: this.log.length, statuses: STAGES, columns };
  }

  page(statusId: string | null, cursor: string): BoardPage {
    const rest = this.column(statusId).filter((card) => sortKey(card, this.sort) > cursor);
    return { seq: this.log.length, status_id: statusId, ...this.part(rest) };
  }

  /** What happened after a mark, as boards of this filter get it. */
  replay(after: number): BoardReplay {
    return { seq: this.log.length, events: this.log.slice(after).map((event) => this.judged(event)) };
  }

  judged = (event: BoardEvent): BoardEvent =>
    this.filtered ? { ...event, in_filter: this.passes(event.card) } : event;

  private part(cards: Card[]): { cards: Card[]; next_cursor: string | null } {
    const shown = cards.slice(0, this.pageSize);
    const last = shown.at(-1);
    return {
      cards: shown,
      next_cursor: last && cards.length > shown.length ? sortKey(last, this.sort) : null,
    };
  }

  private need(id: string): Card {
    const card = this.cards.get(id);
    if (!card) throw new Error(`no lead ${id}`);
    return card;
  }

  private tell(
    name: BoardEvent['event'],
    card: Card,
    change: Partial<Card>,
    fields: object = {},
    active = true,
  ): Card {
    const at = iso((this.now += 7));
    const version = card.version + 1;
    const next: Card = { ...card, ...change, version, ...(active ? { updated_at: at } : {}) };
    this.cards.set(next.thread_id, next);
    const base = { seq: this.log.length + 1, thread_id: next.thread_id, version, at, request_id: null };
    const event = { event: name, ...base, actor: COLLEAGUE, card: next, ...fields };
    this.log.push(event as BoardEvent);
    return next;
  }
}
