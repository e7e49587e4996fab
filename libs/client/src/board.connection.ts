import {
  BOARD_NAMESPACE,
  type BoardEvent,
  type BoardEvents,
  type BoardReplay,
  type BoardSnapshot,
  type ColumnTotal,
  type DialogPresence,
} from '@app/contracts/board.events';
import type { ErrorCode } from '@app/contracts/error.codes';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { BoardRequests, passes, type BoardFault } from './board.requests';
import type { BoardStore } from './board.store';
import type { BoardChoice, ConnectionState, StatusId } from './board.views';
import { ColumnReader } from './column.reader';
import { KeyedListeners, type Listener, type Unsubscribe } from './keyed.listeners';
import { OwnPresence } from './own.presence';
import { PauseTimers } from './pause.timers';
import { ThreadNews } from './thread.news';

export type { ConnectionState } from './board.views';

export interface BoardConnectionOptions {
  /** Of the service; in its own pages none is needed. */
  url?: string;
  store: BoardStore;
  /** The session, or the key, is not valid any more. {@link BoardConnection.renew} tries anew. */
  onSessionEnded?: () => void;
  /** The board cannot be shown: such as ASSISTANT_NOT_FOUND, or a filter that names what is not there. */
  onRefused?: (fault: BoardFault) => void;
  /** `extraHeaders` or `auth`, where the cookie does not come by itself. */
  socket?: Partial<ManagerOptions & SocketOptions>;
}

const EVENTS = [
  ...(['card.moved', 'card.created', 'card.updated', 'ai.switched'] as const),
  ...(['message.created', 'message.updated'] as const),
] satisfies (keyof BoardEvents)[];
/** After sleep a connection may look alive and be dead. */
const PROBE_DEADLINE_MS = 4_000;
/** Totals come at most half a second apart. */
const TOTAL_WITHIN_MS = 1_500;
const WHOLE = 'connection';

/** Keeps a store of a board in step with the service, over outages and changes of the view. */
export class BoardConnection {
  private readonly socket: Socket;
  private readonly requests: BoardRequests;
  private readonly columns: ColumnReader;
  private readonly presence: OwnPresence;
  private readonly store: BoardStore;
  private readonly stateListeners = new KeyedListeners();
  private readonly news = new ThreadNews();
  private readonly gapListeners = new KeyedListeners();
  private readonly pauses = new PauseTimers();
  private readonly unsubscribe: Unsubscribe;
  private choice: BoardChoice | null = null;
  private current: ConnectionState = 'connecting';
  /** The last request for a board; the answers of others are outdated. */
  private turn = 0;
  private closed = false;

  constructor(private readonly options: BoardConnectionOptions) {
    this.store = options.store;
    this.socket = io((options.url ?? '') + BOARD_NAMESPACE, {
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      reconnectionDelay: 500,
      reconnectionDelayMax: 5_000,
      forceNew: true,
      ...options.socket,
    });
    this.requests = new BoardRequests(this.socket);
    const { store, requests, pauses } = this;
    this.columns = new ColumnReader({
      store,
      requests,
      pauses,
      choice: () => this.choice,
      turn: () => this.turn,
    });
    this.presence = new OwnPresence((place) => this.request('presence:set', place));
    this.unsubscribe = this.store.onConfirmed((requestId) =>
      this.pauses.after(TOTAL_WITHIN_MS, () => this.store.forgetMove(requestId)),
    );
    this.listen();
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

  /** Shows a board, or another view of it. */
  show(choice: BoardChoice): void {
    const before = this.choice;
    if (before && JSON.stringify(before) === JSON.stringify(choice)) return;
    if (before && before.assistantId !== choice.assistantId)
      this.request('board:close', { assistant_id: before.assistantId });
    this.choice = choice;
    this.store.expect({ assistantId: choice.assistantId, sort: choice.sort ?? 'activity' });
    this.open();
  }

  /** No board is shown any more. */
  leave(): void {
    if (!this.choice) return;
    this.request('board:close', { assistant_id: this.choice.assistantId });
    this.choice = null;
    this.turn += 1;
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
    if (this.socket.connected) return this.open(PROBE_DEADLINE_MS);
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
    this.requests.stop();
    this.pauses.stop();
    this.socket.removeAllListeners();
    this.socket.disconnect();
    this.become('offline');
  }

  private listen(): void {
    const { socket, store } = this;
    for (const name of EVENTS)
      socket.on(name, (payload: object) => this.happened({ event: name, ...payload } as BoardEvent));
    socket.on('column.total', (total: ColumnTotal) => !store.board().loading && store.total(total));
    socket.on('presence', (presence: DialogPresence) => store.presence(presence));
    socket.on('board:resync', ({ assistant_id }: { assistant_id: string }) => {
      if (assistant_id === this.choice?.assistantId) this.open();
    });
    socket.on('connect', () => {
      this.columns.forget();
      this.presence.sayAgain();
      if (this.choice) this.open();
      else this.become('online');
    });
    socket.on('disconnect', (reason) => {
      this.turn += 1;
      this.become('connecting');
      // The service ended it: the next try tells why.
      if (reason === 'io server disconnect') this.pauses.soon(() => socket.connect(), 0);
    });
    socket.on('connect_error', (error: Error & { data?: { code?: ErrorCode; message?: string } }) => {
      this.become('offline');
      const code = error.data?.code;
      // Without a code the network failed, and Socket.IO tries again by itself.
      if (!code) return;
      if (passes(code)) this.pauses.soon(() => socket.connect());
      else this.refuse({ code, message: error.data?.message ?? error.message });
    });
  }

  /**
   * Without waiting: neither for the pause before the next try, nor for a dead connection to close. To close its transport
   * would be to wait: polling first sends what is on its way.
   */
  private connectAnew(): void {
    this.become('connecting');
    this.socket.disconnect().connect();
  }

  private open(deadlineMs?: number): void {
    const { choice, store } = this;
    const turn = (this.turn += 1);
    if (!choice || !this.socket.connected) return;
    const { assistantId: assistant_id, filter, sort, limit } = choice;
    this.requests.send<BoardSnapshot | BoardReplay>(
      'board:open',
      { assistant_id, filter, sort, limit, since: store.since },
      (answer) => {
        if (turn !== this.turn) return;
        this.take(answer);
        this.become('online');
      },
      (fault) => {
        if (turn !== this.turn) return;
        // Nothing is heard on it: another connection is needed.
        if (fault.code === 'TIMEOUT') this.connectAnew();
        else if (passes(fault.code)) this.pauses.soon(() => turn === this.turn && this.open());
        else {
          this.refuse(fault);
          // It works, and has said all that there is to say.
          if (fault.code !== 'UNAUTHORIZED') this.become('online');
        }
      },
      deadlineMs,
    );
  }

  private take(answer: BoardSnapshot | BoardReplay): void {
    if ('events' in answer) {
      this.store.replay(answer);
      for (const event of answer.events) this.news.pass(event);
      return;
    }
    const isAnew = this.store.board().loading;
    const readAgain = isAnew ? null : this.columns.readAgain();
    this.store.snapshot(answer);
    if (!isAnew) this.gapListeners.tell(WHOLE);
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
    this.requests.send(
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
