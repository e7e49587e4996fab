import type { BoardEvent, BoardReplay, BoardSnapshot } from '@app/contracts/board-events';
import { passes, type BoardFault } from './board-requests';
import { BoardSocket, type BoardSocketOptions } from './board-socket';
import type { BoardChoice, ConnectionState, StatusId } from './board-views';
import type { BoardStore } from './board.store';
import { ColumnReader } from './column-reader';
import { KeyedListeners, type Listener, type Unsubscribe, ThreadNews } from './keyed-listeners';

/** It lives thirty seconds at the service. */
const AGAIN_AFTER_MS = 20_000;

/** In which dialog the person is: said again as long as they look at it. */
export class OwnPresence {
  private place: { thread_id: string; typing: boolean } | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(private readonly say: (place: { thread_id: string | null; typing: boolean }) => void) {}

  look(threadId: string | null, typing: boolean): void {
    if (this.place?.thread_id === threadId && this.place?.typing === typing) return;
    if (!this.place && threadId === null) return;
    this.place = threadId === null ? null : { thread_id: threadId, typing };
    if (this.timer) clearInterval(this.timer);
    this.timer = this.place ? setInterval(() => this.sayAgain(), AGAIN_AFTER_MS) : null;
    this.say(this.place ?? { thread_id: null, typing: false });
  }

  /** The connection is new. */
  sayAgain(): void {
    if (this.place) this.say(this.place);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}

export type { ConnectionState } from './board-views';

export interface BoardConnectionOptions extends BoardSocketOptions {
  store: BoardStore;
  /** The session, or the key, is not valid any more. {@link BoardConnection.renew} tries anew. */
  onSessionEnded?: () => void;
  /** The board cannot be shown: such as ASSISTANT_NOT_FOUND, or a filter that names what is not there. */
  onRefused?: (fault: BoardFault) => void;
}

/** After sleep a connection may look alive and be dead. */
const PROBE_DEADLINE_MS = 4_000;
/** Totals come at most half a second apart. */
const TOTAL_WITHIN_MS = 1_500;
const WHOLE = 'connection';
/** With the board that is shown, fewer than a connection may open. Of further agents nothing is heard. */
export const FOLLOWED_MAX = 40;

/** Keeps a store of a board in step with the service, over outages and changes of the view. */
export class BoardConnection {
  private readonly socket: BoardSocket;
  private readonly columns: ColumnReader;
  private readonly presence: OwnPresence;
  private readonly store: BoardStore;
  private readonly stateListeners = new KeyedListeners();
  private readonly news = new ThreadNews();
  private readonly gapListeners = new KeyedListeners();
  private readonly unsubscribe: Unsubscribe;
  private choice: BoardChoice | null = null;
  /** Agents whose events are wanted, whichever board is shown. */
  private followed: readonly string[] = [];
  /** Those of them that the service was asked to tell of, and has not answered. */
  private readonly hearing = new Set<string>();
  /** What happened to one of them may have been missed meanwhile. */
  private hasMissed = false;
  private wasConnected = false;
  private current: ConnectionState = 'connecting';
  private isShown = false;
  /** The board was shown and then lost: unless a replay tells of it, nobody knows what happened. */
  private isGap = false;
  private closed = false;

  constructor(private readonly options: BoardConnectionOptions) {
    const { store } = options;
    this.store = store;
    this.socket = new BoardSocket(options, {
      connected: () => this.connected(),
      lost: () => {
        this.isGap = this.isShown;
        this.hearing.clear();
        this.become('connecting');
      },
      failed: () => this.become('offline'),
      refused: (fault) => this.refuse(fault),
      event: (event) => this.happened(event),
      resync: (assistantId) => {
        if (assistantId !== this.choice?.assistantId) return this.hear(assistantId, true);
        this.isGap = this.isShown;
        this.open();
      },
      total: (total) => !store.board().loading && store.total(total),
      presence: (presence) => store.presence(presence),
    });
    const { requests, pauses } = this.socket;
    this.columns = new ColumnReader({
      store,
      requests,
      pauses,
      choice: () => this.choice,
      turn: () => this.socket.turn,
    });
    this.presence = new OwnPresence((place) => this.request('presence:set', place));
    this.unsubscribe = store.onConfirmed((requestId) =>
      pauses.after(TOTAL_WITHIN_MS, () => store.forgetMove(requestId)),
    );
  }

  state = (): ConnectionState => this.current;

  subscribeState = (listener: Listener): Unsubscribe => this.stateListeners.add(WHOLE, listener);

  /** See {@link ThreadNews.onEvent}; also what a replay brings. */
  onEvent = this.news.onEvent;

  /** See {@link ThreadNews.onThread}; also what a replay brings. */
  onThread = this.news.onThread;

  /** See {@link ThreadNews.onMessage}. */
  onMessage = this.news.onMessage;

  /** What was missed is not known: what was read of dialogs is to be read anew. */
  onGap = (listener: Listener): Unsubscribe => this.gapListeners.add(WHOLE, listener);

  /** Shows a board, or another view of it. After an outage another view tells of a gap, too: it has no replay. */
  show({ assistantId, ...view }: BoardChoice): void {
    // As the service writes it in events.
    const choice = { assistantId: assistantId.toLowerCase(), ...view };
    const before = this.choice;
    if (before && JSON.stringify(before) === JSON.stringify(choice)) return;
    if (before && before.assistantId !== choice.assistantId) this.leave();
    this.choice = choice;
    this.store.expect({ assistantId: choice.assistantId, sort: choice.sort ?? 'activity' });
    this.open();
  }

  /** No board is shown any more. */
  leave(): void {
    if (!this.choice) return;
    const { assistantId } = this.choice;
    this.request('board:close', { assistant_id: assistantId });
    this.choice = null;
    this.isShown = this.isGap = false;
    this.socket.drop();
    this.hear(assistantId);
  }

  /** Hears of the dialogs of these agents also while no board of theirs is shown; those of a lost connection are not told. */
  follow(assistantIds: readonly string[]): void {
    const before = new Set(this.followed);
    this.followed = assistantIds.map((id) => id.toLowerCase()).slice(0, FOLLOWED_MAX);
    for (const id of this.followed) if (!before.has(id)) this.hear(id);
  }

  /** Reads further cards of a column; once at a time. */
  more(statusId: StatusId): void {
    this.columns.more(statusId);
  }

  /** The person looks at a dialog, or at none, and perhaps types. */
  look(threadId: string | null, { typing = false } = {}): void {
    this.presence.look(threadId, typing);
  }

  /** The page is seen again, or the network is back: tries at once. */
  wake(): void {
    if (this.closed) return;
    if (this.socket.isConnected) return this.open(PROBE_DEADLINE_MS);
    this.connectAnew();
  }

  /** Somebody has signed in: what is connected may be so in another's name. */
  renew(): void {
    if (!this.closed) this.connectAnew();
  }

  close(): void {
    this.closed = true;
    this.leave();
    this.unsubscribe();
    this.presence.stop();
    this.socket.close();
    this.become('offline');
  }

  private connected(): void {
    this.columns.forget();
    this.presence.sayAgain();
    if (this.choice) this.open();
    else this.become('online');
    for (const id of this.followed) this.hear(id, this.wasConnected);
    this.wasConnected = true;
  }

  /**
   * A board that is shown brings its events anyway.
   * @param hasMissed whether it was heard of before: once all are again, a gap is told
   */
  private hear(assistantId: string, hasMissed = false): void {
    if (this.closed || assistantId === this.choice?.assistantId || !this.followed.includes(assistantId))
      return;
    this.hasMissed ||= hasMissed;
    this.hearing.add(assistantId);
    const answered = (): void => {
      this.hearing.delete(assistantId);
      if (this.hearing.size > 0 || !this.hasMissed) return;
      this.hasMissed = false;
      this.gapListeners.tell(WHOLE);
    };
    const { requests, pauses } = this.socket;
    requests.send('board:open', { assistant_id: assistantId, limit: 1 }, answered, ({ code }) =>
      passes(code) ? pauses.soon(() => this.hear(assistantId)) : answered(),
    );
  }

  private connectAnew(): void {
    this.become('connecting');
    this.socket.connectAnew();
  }

  private open(deadlineMs?: number): void {
    const { choice, store } = this;
    if (!choice) return this.socket.drop();
    const { assistantId: assistant_id, filter, sort, limit } = choice;
    this.socket.open(
      () => ({ assistant_id, filter, sort, limit, since: store.since }),
      {
        taken: (answer) => {
          this.take(answer);
          this.become('online');
        },
        refused: (fault) => {
          this.refuse(fault);
          // It works, and has said all that there is to say.
          if (fault.code !== 'UNAUTHORIZED') this.become('online');
        },
      },
      deadlineMs,
    );
  }

  private take(answer: BoardSnapshot | BoardReplay): void {
    const { isGap } = this;
    this.isShown = true;
    this.isGap = false;
    if ('events' in answer) {
      this.store.replay(answer);
      for (const event of answer.events) this.news.pass(event);
      return;
    }
    const isAnew = this.store.board().loading;
    const readAgain = isAnew ? null : this.columns.readAgain();
    this.store.snapshot(answer);
    if (!isAnew || isGap) this.gapListeners.tell(WHOLE);
    readAgain?.();
  }

  private happened(event: BoardEvent): void {
    // While another view is asked for, events still speak of the former filter.
    if (!this.store.board().loading) this.store.event(event);
    this.news.pass(event);
  }

  private refuse(fault: BoardFault): void {
    if (fault.code === 'UNAUTHORIZED') this.options.onSessionEnded?.();
    else this.options.onRefused?.(fault);
  }

  private request(name: string, body: object): void {
    this.socket.requests.send(
      name,
      body,
      () => undefined,
      () => undefined,
    );
  }

  private become(state: ConnectionState): void {
    if (state === this.current) return;
    this.current = state;
    this.stateListeners.tell(WHOLE);
  }
}
