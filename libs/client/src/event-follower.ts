import type { BoardEvent, BoardReplay, BoardSnapshot } from '@app/contracts/board-events';
import type { FunnelStage } from '@app/contracts/lead.words';
import type { Api } from './api-client';
import type { BoardFault } from './board/board-requests';
import { BoardSocket } from './board/board-socket';
import { MissedEvents, type MissedEvent, type PastEvent, ToldEvents } from './missed-events';

/** An event by which a follower goes on later. */
export interface FollowedPlace {
  seq: number;
  /** When it was. Without it, what a replay no longer has cannot be read. */
  at?: string;
}

export interface FollowerOptions {
  /** Of the service. */
  url: string;
  apiKey: string;
  /** By the same key: what no replay has is read by it. */
  api: Api;
  assistantId: string;
  /** The last event that was taken; without it begins what is heard from now on. */
  since?: FollowedPlace;
  onEvent: (event: BoardEvent | MissedEvent) => void;
  /** The agent's stages, before the first event and whenever they were read anew. */
  onStages?: (stages: readonly FunnelStage[]) => void;
  onState?: (state: 'online' | 'offline') => void;
  /** It cannot go on: the key is not valid any more, or the agent is not there. */
  onEnd: (fault: Error | BoardFault) => void;
}

/**
 * Tells every event of an agent's dialogs once, in the order of each dialog, over outages and restarts of the service.
 * What a replay does not reach is read from histories and messages, and told before what comes after it.
 */
export class EventFollower {
  private readonly socket: BoardSocket;
  private readonly missed: MissedEvents;
  private readonly ended = new AbortController();
  /** Null: no board was opened yet. */
  private told: ToldEvents | null = null;
  /** What was missed before is known, or is being read. */
  private isUnderWay = false;
  /** Since the board was opened for the first time the connection was lost. */
  private wasLost = false;
  /** What came while what was missed before it is asked for or read; null: it is told at once. */
  private waiting: BoardEvent[] | null = null;
  /** Up to which number what was missed is being read; null: nothing is. */
  private readingUpTo: number | null = null;

  constructor(private readonly options: FollowerOptions) {
    this.missed = new MissedEvents(options.api, this.ended.signal);
    this.socket = new BoardSocket(
      {
        url: options.url,
        socket: { reconnectionDelay: 200, reconnectionDelayMax: 2_000, auth: { api_key: options.apiKey } },
      },
      {
        connected: () => this.open(),
        lost: () => {
          this.wasLost = true;
          options.onState?.('offline');
        },
        failed: () => options.onState?.('offline'),
        refused: (fault) => this.end(fault),
        event: (event) => (this.waiting ? void this.waiting.push(event) : this.take(event)),
        resync: () => this.open(),
      },
    );
  }

  /** What to go on by later; null: nothing was heard yet. */
  get since(): Required<FollowedPlace> | null {
    return this.told && this.isUnderWay ? { seq: this.told.seq, at: this.told.at } : null;
  }

  close(): void {
    if (this.ended.signal.aborted) return;
    this.ended.abort();
    this.socket.close();
  }

  /** The first snapshot says where the log is; from then on all that comes behind that is asked for. */
  private open(): void {
    this.ask((answer) => {
      const { told } = this;
      if (!told) {
        if (!('events' in answer)) this.begin(answer);
        return this.open();
      }
      if ('events' in answer) this.replay(told, answer);
      else this.goOnBehind(told, answer);
    });
  }

  private ask(taken: (answer: BoardSnapshot | BoardReplay) => void): void {
    const { assistantId: assistant_id } = this.options;
    const since = this.told?.seq;
    this.socket.open(() => ({ assistant_id, limit: 1, ...(since !== undefined && { since }) }), {
      taken: (answer) => {
        if ('statuses' in answer) this.options.onStages?.(answer.statuses);
        taken(answer);
      },
      refused: (fault) => this.end(fault),
    });
  }

  private begin(snapshot: BoardSnapshot): void {
    const { seq, at }: FollowedPlace = this.options.since ?? snapshot;
    this.told = at === undefined ? ToldEvents.from(seq, newestOf(snapshot)) : ToldEvents.behind(seq, at);
    this.waiting = [];
    this.wasLost = false;
  }

  private replay(told: ToldEvents, { seq, events }: BoardReplay): void {
    this.options.onState?.('online');
    if (this.readingUpTo !== null) return void this.waiting?.push(...events);
    if (!this.isUnderWay) told.begin(events, { areTold: this.options.since !== undefined });
    this.isUnderWay = true;
    this.goOn(events);
    told.reach(seq, told.at);
  }

  /** No replay has what was missed. */
  private goOnBehind(told: ToldEvents, { seq }: BoardSnapshot): void {
    const { since } = this.options;
    const isFirst = !this.isUnderWay;
    if (isFirst && since && since.at === undefined) return this.end(new TooOldError(since.seq));
    this.isUnderWay = true;
    this.options.onState?.('online');
    // All that came since the first snapshot was heard.
    if (isFirst && !since && !this.wasLost) {
      told.reach(seq, told.at);
      return this.goOn();
    }
    const isReading = this.readingUpTo !== null;
    this.readingUpTo = seq;
    this.waiting ??= [];
    if (!isReading) void this.readMissed(told);
  }

  private async readMissed(told: ToldEvents): Promise<void> {
    const { assistantId } = this.options;
    // What comes live as well, unless it came before the board was opened.
    const above: PastEvent[] = [];
    let newest = told.at;
    try {
      for (let upTo: number | null = null; upTo !== this.readingUpTo;) {
        upTo = this.readingUpTo ?? 0;
        for await (const event of this.missed.since({ assistantId, since: told.at, told })) {
          if (event.at > newest) newest = event.at;
          if (event.seq !== null && event.seq > upTo) above.push(event);
          else if (told.takeMissed(event)) this.options.onEvent(event);
        }
        // Another one is asked for where the board was opened once more meanwhile.
      }
    } catch (error) {
      if (!this.ended.signal.aborted) this.end(error as Error);
      return;
    }
    told.reach(this.readingUpTo ?? 0, newest);
    this.readingUpTo = null;
    this.goOn(above);
  }

  /** Tells what waits, and what was missed before it. */
  private goOn(missed: readonly (BoardEvent | PastEvent)[] = []): void {
    const all = [...(this.waiting ?? []), ...missed].sort((one, other) => one.seq - other.seq);
    this.waiting = null;
    for (const event of all) this.take(event);
  }

  private take(event: BoardEvent | PastEvent): void {
    const isNews = 'history' in event ? this.told?.takeMissed(event) : this.told?.take(event);
    if (isNews) this.options.onEvent(event);
  }

  private end(fault: Error | BoardFault): void {
    if (this.ended.signal.aborted) return;
    this.close();
    this.options.onEnd(fault);
  }
}

/** Nothing replays what is behind an event any more, and of what time it was is not known. */
class TooOldError extends Error {
  constructor(seq: number) {
    super(
      `No replay has what is behind event ${seq} any more: give the time of that event as well, and it is read from histories and messages`,
    );
  }
}

/** The newest activity that a snapshot tells of: the first card of each column is its most active. */
const newestOf = ({ columns }: BoardSnapshot): string =>
  columns
    .flatMap(({ cards }) => cards)
    .map(({ updated_at }) => updated_at)
    .reduce((newest, each) => (each > newest ? each : newest), new Date(0).toISOString());
