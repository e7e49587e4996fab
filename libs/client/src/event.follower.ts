import {
  BOARD_NAMESPACE,
  type BoardEvent,
  type BoardEvents,
  type BoardReplay,
  type BoardSnapshot,
} from '@app/contracts/board.events';
import type { FunnelStage } from '@app/contracts/lead.words';
import type { ErrorCode } from '@app/contracts/error.codes';
import { io, type Socket } from 'socket.io-client';
import type { Api } from './api.client';
import { BoardRequests, passes, type BoardFault } from './board.requests';
import { MissedEvents, type MissedEvent } from './missed.events';

export interface FollowerOptions {
  /** Of the service. */
  url: string;
  apiKey: string;
  /** By the same key: what no replay has is read by it. */
  api: Api;
  assistantId: string;
  /** The `seq` of the last event that was taken; without it begins what is heard from now on. */
  since?: number;
  onEvent: (event: BoardEvent | MissedEvent) => void;
  /** The agent's stages, before the first event and whenever they were read anew. */
  onStages?: (stages: readonly FunnelStage[]) => void;
  onState?: (state: 'online' | 'offline') => void;
  /** It cannot go on: the key is not valid any more, or the agent is not there. */
  onEnd: (fault: Error | BoardFault) => void;
}

const NAMES = [
  ...(['card.moved', 'card.created', 'card.updated', 'ai.switched'] as const),
  ...(['message.created', 'message.updated'] as const),
] satisfies (keyof BoardEvents)[];
const PAUSE_MS = 500;
/** Of the newest messages, by which one that was heard is known in what is read afterwards. */
const MESSAGES_KEPT = 20_000;

/**
 * Tells every event of an agent's dialogs once, in the order of each dialog, over outages and restarts of the service.
 * What a replay does not reach is read from histories and messages, and told before what comes after it.
 */
export class EventFollower {
  private readonly socket: Socket;
  private readonly requests: BoardRequests;
  private readonly missed: MissedEvents;
  private readonly ended = new AbortController();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  /** The newest event of each dialog: in a dialog they are numbered in their order. */
  private readonly last = new Map<string, number>();
  private readonly messages = new Set<string>();
  /** The mark to go on by; null: nothing was opened yet. */
  private mark: number | null;
  /** The newest time of the log that is known, by the service's clock. */
  private at = '';
  /** Events of before the beginning are not told. */
  private beginning = 0;
  /** What came while what was missed before it is being read; null: nothing is. */
  private waiting: (() => void)[] | null = null;

  constructor(private readonly options: FollowerOptions) {
    this.mark = options.since ?? null;
    this.missed = new MissedEvents(options.api, this.ended.signal);
    this.socket = io(options.url + BOARD_NAMESPACE, {
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      reconnectionDelay: 200,
      reconnectionDelayMax: 2_000,
      forceNew: true,
      auth: { api_key: options.apiKey },
    });
    this.requests = new BoardRequests(this.socket);
    this.listen();
  }

  /** The `seq` to go on by later. */
  get since(): number | null {
    return this.mark;
  }

  close(): void {
    if (this.ended.signal.aborted) return;
    this.ended.abort();
    this.requests.stop();
    for (const timer of this.timers) clearTimeout(timer);
    this.socket.removeAllListeners();
    this.socket.disconnect();
  }

  private listen(): void {
    const { socket } = this;
    for (const name of NAMES)
      socket.on(name, (payload: object) =>
        this.inTurn(() => this.take({ event: name, ...payload } as BoardEvent)),
      );
    socket.on('board:resync', () => this.open());
    socket.on('connect', () => this.open());
    socket.on('disconnect', (reason) => {
      this.options.onState?.('offline');
      if (reason === 'io server disconnect') this.later(() => socket.connect());
    });
    socket.on('connect_error', (error: Error & { data?: { code?: ErrorCode; message?: string } }) => {
      const code = error.data?.code;
      // Without a code the network failed, and Socket.IO tries again by itself.
      if (!code) return this.options.onState?.('offline');
      if (passes(code)) this.later(() => socket.connect());
      else this.end({ code, message: error.data?.message ?? error.message });
    });
  }

  private open(): void {
    const { assistantId } = this.options;
    this.ask(this.mark, (answer) => {
      if ('events' in answer) return this.replay(answer);
      this.options.onStages?.(answer.statuses);
      if (this.mark === null) return this.begin(answer);
      const { mark, at } = this;
      this.mark = answer.seq;
      this.options.onState?.('online');
      this.inTurn(() => this.readMissed(assistantId, mark, at, answer));
    });
  }

  private ask(since: number | null, taken: (answer: BoardSnapshot | BoardReplay) => void): void {
    const { assistantId: assistant_id } = this.options;
    this.requests.send<BoardSnapshot | BoardReplay>(
      'board:open',
      { assistant_id, limit: 1, ...(since !== null && { since }) },
      taken,
      (fault) => {
        // Nothing is heard on it: another connection is needed.
        if (fault.code === 'TIMEOUT') this.socket.disconnect().connect();
        else if (passes(fault.code)) this.later(() => this.open());
        else this.end(fault);
      },
    );
  }

  /**
   * Nothing was heard before. What a replay would tell of the last half minute is known to be of before the beginning:
   * so a later one, which reaches back as far, tells only what was committed late.
   */
  private begin(snapshot: BoardSnapshot): void {
    this.mark = snapshot.seq;
    this.at = newestOf(snapshot);
    const { seq } = snapshot;
    this.ask(seq, (answer) => {
      if ('events' in answer) {
        for (const event of answer.events) if (event.seq <= seq) this.know(event);
        this.replay(answer);
      } else {
        this.beginning = Math.max(this.beginning, answer.seq);
        this.mark = answer.seq;
        this.options.onState?.('online');
      }
    });
  }

  private replay({ seq, events }: BoardReplay): void {
    this.inTurn(() => {
      for (const event of events) if (event.seq > this.beginning) this.take(event);
      this.mark = Math.max(this.mark ?? 0, seq);
    });
    this.options.onState?.('online');
  }

  private take(event: BoardEvent): void {
    if (event.seq <= this.lastOf(event.thread_id)) return;
    // It may have been read before it came.
    const isTold = event.event === 'message.created' && this.messages.has(event.message.id);
    this.know(event);
    if (!isTold) this.options.onEvent(event);
  }

  private know(event: BoardEvent): void {
    this.last.set(event.thread_id, Math.max(event.seq, this.lastOf(event.thread_id)));
    this.mark = Math.max(this.mark ?? 0, event.seq);
    if (event.at > this.at) this.at = event.at;
    if ('message' in event) this.knowMessage(event.message.id);
  }

  private knowMessage(id: string): void {
    this.messages.add(id);
    const [oldest] = this.messages;
    if (this.messages.size > MESSAGES_KEPT && oldest !== undefined) this.messages.delete(oldest);
  }

  private lastOf(threadId: string): number {
    return this.last.get(threadId) ?? 0;
  }

  private readMissed(assistantId: string, mark: number, at: string, snapshot: BoardSnapshot): void {
    this.waiting = [];
    const read = async (): Promise<void> => {
      const gap = {
        ...{ assistantId, since: at || newestOf(snapshot), upTo: snapshot.seq },
        lastOf: (threadId: string) => this.last.get(threadId) ?? mark,
        isKnownMessage: ({ id }: { id: string }) => this.messages.has(id),
      };
      for await (const event of this.missed.since(gap)) {
        if (event.seq === null) this.knowMessage(event.message.id);
        else this.last.set(event.thread_id, event.seq);
        if (event.at > this.at) this.at = event.at;
        this.options.onEvent(event);
      }
    };
    read().then(
      () => {
        const { waiting } = this;
        this.waiting = null;
        for (const act of waiting ?? []) this.inTurn(act);
      },
      (error: Error) => {
        if (!this.ended.signal.aborted) this.end(error);
      },
    );
  }

  /** At once, or behind what is being read. */
  private inTurn(act: () => void): void {
    if (this.waiting) this.waiting.push(act);
    else act();
  }

  private later(act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, PAUSE_MS);
    this.timers.add(timer);
  }

  private end(fault: Error | BoardFault): void {
    if (this.ended.signal.aborted) return;
    this.close();
    this.options.onEnd(fault);
  }
}

/** The newest activity that a snapshot tells of: the first card of each column is its most active. */
const newestOf = ({ columns }: BoardSnapshot): string =>
  columns
    .flatMap(({ cards }) => cards)
    .map(({ updated_at }) => updated_at)
    .reduce((newest, each) => (each > newest ? each : newest), '') || new Date().toISOString();
