import type { BoardEvent, BoardEvents, Card } from '@app/contracts/board-events';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { FunnelStage } from '@app/contracts/lead.words';
import { BoardConnection } from './board-connection';
import type { BoardChoice, ConnectionState, StatusId } from './board-views';
import { BoardStore } from './board.store';
import { KeyedListeners, type Unsubscribe } from './keyed-listeners';

/** CLOSED: the board was closed before it was there. */
export type BoardErrorCode = ErrorCode | 'TIMEOUT' | 'CLOSED';

/** Why a board is not shown, by the codes of the operations: such as UNAUTHORIZED, ASSISTANT_NOT_FOUND. */
export class BoardError extends Error {
  override readonly name = 'BoardError';

  constructor(
    readonly code: BoardErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A replay has 5,000 at most, of which some are news. */
const KEPT = 10_000;

/** Which events were told already: a replay reaches half a minute further back than what was missed. */
class HeardEvents {
  private readonly numbers = new Set<number>();

  /**
   * Whether it was not heard yet. What takes a card into the filter or out of it later has the number of the event before:
   * the card changes, and nothing else happened.
   */
  isNews({ seq }: BoardEvent): boolean {
    if (this.numbers.has(seq)) return false;
    this.numbers.add(seq);
    const [oldest] = this.numbers;
    if (this.numbers.size > KEPT && oldest !== undefined) this.numbers.delete(oldest);
    return true;
  }
}

/** Where the service is, in whose name the board is opened, and which board. */
export interface BoardOptions extends BoardChoice {
  /** Of the service; in its own pages none is needed. */
  baseUrl?: string;
  /** Of an account; without one the browser's session counts. */
  apiKey?: string;
  /** Of the connection, such as `Cookie` and `Origin` of a session outside of browsers. */
  headers?: Record<string, string>;
}

/** A column with the cards that are loaded, in their order. */
export interface Column {
  /** Null is the column of leads without a stage. */
  statusId: StatusId;
  stage: FunnelStage | null;
  /** Of all cards that pass the filter, loaded or not. */
  total: number;
  cards: readonly Card[];
  /** Whether {@link Board.more} brings further cards. */
  hasMore: boolean;
}

/** What a board tells, by name. */
export interface BoardListeners extends BoardEventListeners {
  /** What `columns()` and `card()` give has changed; once for all that changed together. */
  change: () => void;
  /** Any event of a dialog. */
  event: (event: BoardEvent) => void;
  /** The connection came or went; it comes back by itself. */
  state: (state: ConnectionState) => void;
  /** More was missed than can be told as events: the board is right, but events are missing. */
  gap: () => void;
  /** The service does not show this board, or not any more. Nothing comes by itself from here on. */
  refused: (error: BoardError) => void;
}

type BoardEventListeners = {
  [Name in keyof BoardEvents]: (event: { event: Name } & BoardEvents[Name]) => void;
};

/** An open board, which is kept in step with the service until it is closed. */
export interface Board {
  /** Resolves when the board is here; rejects with a {@link BoardError}. While the service is away it waits. */
  readonly ready: Promise<void>;
  state(): ConnectionState;
  /** First that of leads without a stage, then one of each stage in the order of the funnel. Empty until `ready`. */
  columns(): Column[];
  /** A card by its `thread_id`, if it is loaded. The same object until it changes. */
  card(threadId: string): Card | undefined;
  /** Events come after the board has applied them, each once, also those of an outage. */
  on<Name extends keyof BoardListeners>(name: Name, listener: BoardListeners[Name]): Unsubscribe;
  /** Loads further cards of a column; resolves when they are there, rejects as `refused` tells. */
  more(statusId: StatusId): Promise<void>;
  /** Shows the same agent's board by another filter or order. */
  show(view: Omit<BoardChoice, 'assistantId'>): void;
  /** Ends the connection, which keeps a program alive. */
  close(): void;
}

/**
 * Opens the live board of an agent: reads it whole, applies each event as the documentation says, and catches up after
 * every outage. It lives until it is closed.
 */
export function board({ baseUrl, apiKey, headers, ...choice }: BoardOptions): Board {
  const assistantId = choice.assistantId.toLowerCase();
  const store = new BoardStore();
  const heard = new HeardEvents();
  const listeners = new KeyedListeners<[told?: unknown]>();
  const tell = (name: keyof BoardListeners, told?: unknown): void => listeners.tell(name, told);
  let settle: (error?: BoardError) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
  // Who listens to `refused` need not wait for it.
  ready.catch(() => undefined);

  let refusal: BoardError | null = null;
  const refuse = (error: BoardError): void => {
    refusal = error;
    settle(error);
    tell('refused', error);
  };
  const connection = new BoardConnection({
    url: baseUrl,
    store,
    onSessionEnded: () =>
      refuse(new BoardError('UNAUTHORIZED', 'The key or the session is not valid any more')),
    onRefused: ({ code, message }) => refuse(new BoardError(code, message)),
    socket: { ...(apiKey !== undefined && { auth: { api_key: apiKey } }), extraHeaders: headers },
  });
  store.subscribeAll(() => {
    if (!store.board().loading) settle();
    tell('change');
  });
  connection.onEvent((event) => {
    if (event.card.assistant_id !== assistantId || !heard.isNews(event)) return;
    tell(event.event, event);
    tell('event', event);
  });
  connection.onGap(() => tell('gap'));
  connection.subscribeState(() => tell('state', connection.state()));
  connection.show(choice);

  function columnOf(statusId: StatusId): Column[] {
    const view = store.column(statusId);
    if (!view) return [];
    const cards = view.ids.flatMap((id) => store.card(id)?.card ?? []);
    const stage = store.board().statuses.find(({ id }) => id === statusId) ?? null;
    return [{ statusId, stage, total: view.total, cards, hasMore: view.nextCursor !== null }];
  }

  function more(statusId: StatusId): Promise<void> {
    const cursor = store.column(statusId)?.nextCursor ?? null;
    if (cursor === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = (): void => stops.forEach((each) => each());
      const goOn = (): void => {
        if (closed || store.column(statusId)?.nextCursor !== cursor) {
          stop();
          resolve();
        } else if (refusal) {
          stop();
          reject(refusal);
        } else if (connection.state() === 'online') connection.more(statusId);
      };
      const stops = [
        store.subscribeAll(goOn),
        connection.subscribeState(goOn),
        listeners.add('refused', goOn),
      ];
      goOn();
    });
  }

  let closed = false;
  return {
    ready,
    state: connection.state,
    columns: () => store.board().columnIds.flatMap(columnOf),
    card: (threadId) => store.card(threadId)?.card,
    on: (name, listener) => listeners.add(name, listener as (told?: unknown) => void),
    more,
    show: (view) => {
      refusal = null;
      connection.show({ ...view, assistantId });
    },
    close: () => {
      closed = true;
      connection.close();
      settle(new BoardError('CLOSED', 'The board was closed before it was there'));
    },
  };
}
